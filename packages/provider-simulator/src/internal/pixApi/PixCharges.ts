/**
 * The charges of the simulator of API Pix: put, looked up and removed by their txid.
 *
 * @since 0.1.0
 */
import type { FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import type { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import { ChargeKind, ChargeStatus, DueDateCharge, ImmediateCharge } from "@parcela/pix-api/messages/Charge"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as PixLocations from "../../SimulatedPixProvider.ts"
import { defaultReceiver, type PixReceiver } from "../../SimulatedPixProvider.ts"
import type { SimulatedPixClient } from "./PixClients.ts"
import type { Decision } from "../ProviderRequests.ts"
import * as Transaction from "../../StoreTransactions.ts"
import { chargeNotFound, invalidOperation, problem, type PixResponse, invalidBody } from "./Responses.ts"
import type { Cents } from "@parcela/core/money/Cents"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { dateAt } from "@parcela/core/time/Instant"
import * as Clock from "effect/Clock"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** The body of a `PUT`, by the kind of charge. */
export type ChargeBody =
  | { readonly kind: "cob"; readonly charge: typeof ImmediateCharge.Encoded }
  | { readonly kind: "cobv"; readonly charge: typeof DueDateCharge.Encoded }

const Body: Schema.Codec<ChargeBody, string> = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ kind: Schema.Literal("cob"), charge: Schema.toEncoded(ImmediateCharge) }),
    Schema.Struct({ kind: Schema.Literal("cobv"), charge: Schema.toEncoded(DueDateCharge) })
  ])
)

const Row = Schema.Struct({
  txid: Schema.String,
  companyId: Schema.Int,
  kind: ChargeKind,
  status: ChargeStatus,
  revision: Schema.Int,
  body: Body,
  location: Schema.String,
  qrCode: Schema.String,
  createdAt: Schema.Int
})

/**
 * A charge as the store has it.
 *
 * @category models
 * @since 0.1.0
 */
export type KeptCharge = typeof Row.Type

const decodeRow = Schema.decodeUnknownSync(Row)
const writeBody = Schema.encodeSync(Body)

const findCharge = `
  SELECT txid, company_id AS "companyId", kind, status, revision, body, location, qr_code AS "qrCode",
    created_at AS "createdAt"
  FROM pix_api_charges WHERE txid = ?`

const columns = ["txid", "company_id", "kind", "status", "revision", "body", "location", "qr_code", "created_at"]

const insert = `${Transaction.insertInto("pix_api_charges", columns)} ON CONFLICT (txid) DO NOTHING RETURNING txid`

const changeCharge = `
  UPDATE pix_api_charges SET body = ?, revision = revision + 1 WHERE txid = ? AND status = 'ATIVA' RETURNING txid`

const removeCharge = `
  UPDATE pix_api_charges SET status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR', revision = revision + 1
  WHERE txid = ? AND status = 'ATIVA' RETURNING txid`

/** Whether a statement that returns what it changed changed something. */
function* isOne(work: Transaction.Body<ReadonlyArray<object>>) {
  return (yield* work).length > 0
}

/**
 * The charge of a txid.
 *
 * @category getters
 * @since 0.1.0
 */
export function* find(txid: string): Transaction.Body<KeptCharge | undefined> {
  const [row] = yield* Transaction.read(findCharge, txid)
  return row === undefined ? undefined : decodeRow(row)
}

/** One that was just written. */
function* again(txid: string): Transaction.Body<KeptCharge> {
  const charge = yield* find(txid)
  if (charge === undefined) throw new Error(`Charge ${txid} is gone`)
  return charge
}

type Place = Effect.Success<ReturnType<Effect.Success<ReturnType<typeof PixLocations.makeLocations>>["place"]>>

/** `PUT`: makes a charge at a place, or changes one that is active; the same body again changes nothing. */
function* put(
  client: SimulatedPixClient,
  txid: DynamicTxid,
  body: ChargeBody,
  { location, qrCode }: Place,
  now: number
): Transaction.Body<Decision<PixResponse>> {
  const text = writeBody(body)
  const there = yield* find(txid)
  if (there === undefined) {
    const row = [txid, client.companyId, body.kind, "ATIVA", 0, text, location, qrCode, now]
    // Where another request made it meanwhile, that one stays.
    if (yield* isOne(Transaction.write(insert, ...row))) return made(yield* again(txid), "registered")
  }
  const earlier = there ?? (yield* again(txid))
  const isOther = earlier.companyId !== client.companyId || earlier.kind !== body.kind
  if (isOther) return refused(body.kind, "txid já utilizado")
  if (earlier.status !== "ATIVA") return refused(body.kind, `A cobrança está ${earlier.status}`)
  if (text === writeBody(earlier.body)) return made(earlier, "none")
  // It may have been paid or removed meanwhile.
  const isChanged = yield* isOne(Transaction.write(changeCharge, text, txid))
  const after = yield* again(txid)
  return isChanged ? made(after, "none") : refused(body.kind, `A cobrança está ${after.status}`)
}

/**
 * `PATCH` with `REMOVIDA_PELO_USUARIO_RECEBEDOR`.
 *
 * @category commands
 * @since 0.1.0
 */
export function* remove(
  client: SimulatedPixClient,
  kind: ChargeKind,
  txid: string
): Transaction.Body<Decision<PixResponse>> {
  const there = yield* find(txid)
  if (there === undefined || there.kind !== kind || there.companyId !== client.companyId) {
    return said(chargeNotFound(kind), "none")
  }
  if (there.status !== "ATIVA") return refused(kind, `A cobrança está ${there.status}`)
  const isRemoved = yield* isOne(Transaction.write(removeCharge, txid))
  const after = yield* again(txid)
  if (!isRemoved) return refused(kind, `A cobrança está ${after.status}`)
  return said({ status: 200, body: viewOf(after) }, "canceled", after)
}

/**
 * What makes or changes a charge, with a place of its own that it may need.
 *
 * @category constructors
 * @since 0.1.0
 */
export const putting = Effect.fnUntraced(function* (
  clients: ReadonlyArray<SimulatedPixClient>,
  host = defaultReceiver.host
) {
  const places = new Map<SimulatedPixClient, Effect.Success<ReturnType<typeof PixLocations.makeLocations>>>()
  for (const client of clients) {
    const receiver: PixReceiver = { host, merchantName: client.merchantName, merchantCity: client.merchantCity }
    places.set(client, yield* PixLocations.makeLocations(receiver))
  }
  return (client: SimulatedPixClient, txid: DynamicTxid, body: ChargeBody) =>
    // Every client has its places.
    Effect.map(places.get(client)!.place(), (place) => (now: number) => put(client, txid, body, place, now))
})

/** A decision of the provider, with its line in the ledger. */
const said = (
  response: PixResponse,
  effect: Decision<PixResponse>["effect"],
  charge?: KeptCharge
): Decision<PixResponse> => ({
  _tag: "Decision",
  response,
  outcome: response.status < 300 ? (effect === "canceled" ? "Cancelled" : "PixOpened") : "FinallyDenied",
  ...(response.status < 300 ? {} : { code: String(response.status) }),
  ...(charge === undefined ? {} : { reference: charge.txid }),
  effect,
  isRepeat: effect === "none" && response.status < 300
})

/**
 * The line of a look-up.
 *
 * @category constructors
 * @since 0.1.0
 */
export const looked = (response: PixResponse, reference?: string): Decision<PixResponse> => ({
  _tag: "Decision",
  response,
  outcome: response.status === 200 ? "Found" : "NotFound",
  reference,
  effect: "none",
  isRepeat: false
})

/**
 * What a planned fault denies.
 *
 * @category constructors
 * @since 0.1.0
 */
export const deniedBy = ({ code, message }: FinalDenial): Decision<PixResponse> => ({
  _tag: "Decision",
  response: problem(400, code, message),
  outcome: "FinallyDenied",
  code,
  effect: "none",
  isRepeat: false
})

const made = (charge: KeptCharge, effect: "registered" | "none") =>
  said({ status: 201, body: viewOf(charge) }, effect, charge)

const refused = (kind: ChargeKind, detail: string) => said(invalidOperation(kind, detail), "none")

/**
 * A charge as responses have it, with what paid it.
 *
 * @category conversions
 * @since 0.1.0
 */
export const viewOf = (
  { body, createdAt, location, qrCode, revision, status, txid }: KeptCharge,
  pix: ReadonlyArray<unknown> = []
) => ({
  ...body.charge,
  calendario: { criacao: new Date(createdAt).toISOString(), ...body.charge.calendario },
  txid,
  revisao: revision,
  status,
  location,
  pixCopiaECola: qrCode,
  ...(pix.length === 0 ? {} : { pix })
})

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
): Effect.fn.Return<Result.Result<Read, PixResponse>> {
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
