/**
 * The bodies of `PUT` and `PATCH` of charges.
 *
 * @since 0.1.0
 */
import type { Cents } from "@parcela/core/money/Cents"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { dateAt } from "@parcela/core/time/WallClock"
import { type ChargeKind, DueDateCharge, ImmediateCharge } from "@parcela/pix-api/messages/Charge"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SimulatedPixClient } from "../../pixApi/SimulatedPixClient.ts"
import type { ChargeBody } from "./Charges.ts"
import { invalidBody, invalidOperation, type Said } from "./Problems.ts"

/** A charge that may be put. */
interface Read {
  readonly body: ChargeBody
  readonly value: Cents
}

const options = { errors: "all" } as const

/**
 * The body of a `PUT`, or the problem with it.
 *
 * @category parsing
 * @since 0.1.0
 */
export const readCharge = Effect.fnUntraced(function* (
  kind: ChargeKind,
  { key }: SimulatedPixClient,
  text: string
): Effect.fn.Return<Result.Result<Read, Said>> {
  const today = dateAt(yield* Clock.currentTimeMillis)
  const decoded = yield* Effect.result(kind === "cob" ? readImmediate(text) : readDueDate(text))
  if (Result.isFailure(decoded)) return Result.fail(invalidBody(kind, decoded.failure))
  const { body, chave, due, value } = decoded.success
  if (chave !== key)
    return Result.fail(invalidOperation(kind, "A chave não é do recebedor", [wrong("chave", "não é do recebedor")]))
  if (due !== undefined && due < today) {
    return Result.fail(
      invalidOperation(kind, "A data de vencimento é anterior à criação", [
        wrong("cobv.calendario.dataDeVencimento", `é anterior a ${today}`)
      ])
    )
  }
  return Result.succeed({ body, value })
})

const wrong = (propriedade: string, razao: string) => ({ propriedade, razao })

const immediate = Schema.fromJsonString(ImmediateCharge)
const dueDate = Schema.fromJsonString(DueDateCharge)

/** What is looked at beyond its schema. */
interface Decoded extends Read {
  readonly chave: string
  readonly due: LocalDate | undefined
}

const readImmediate = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Decoded, Schema.SchemaError> {
  const charge = yield* Schema.decodeEffect(immediate)(text, options)
  const body: ChargeBody = { kind: "cob", charge: yield* Schema.encodeEffect(ImmediateCharge)(charge) }
  return { body, chave: charge.chave, value: charge.valor.original, due: undefined }
})

const readDueDate = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Decoded, Schema.SchemaError> {
  const charge = yield* Schema.decodeEffect(dueDate)(text, options)
  const body: ChargeBody = { kind: "cobv", charge: yield* Schema.encodeEffect(DueDateCharge)(charge) }
  return { body, chave: charge.chave, value: charge.valor.original, due: charge.calendario.dataDeVencimento }
})

const decodeRemoval = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ status: Schema.Literal("REMOVIDA_PELO_USUARIO_RECEBEDOR") }))
)

/**
 * Whether the body of a `PATCH` removes the charge and does nothing else.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isRemoval = (text: string): boolean => Option.isSome(decodeRemoval(text, { onExcessProperty: "error" }))
