/**
 * Charges of the simulated API Pix: created, changed, read and removed by their txid.
 *
 * @since 0.1.0
 */
import type { FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import type { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import { ChargeKind, ChargeStatus, DueDateCharge, ImmediateCharge } from "@parcela/pix-api/messages/Charge"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SimulatedPixProvider from "../../SimulatedPixProvider.ts"
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
 * A row of a charge.
 *
 * @category models
 * @since 0.1.0
 */
export type StoredCharge = typeof Row.Type

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

/** True if a write with `RETURNING` changed a row. */
function* changesRow(statement: Transaction.Body<ReadonlyArray<object>>) {
  return (yield* statement).length > 0
}

/**
 * Returns the charge of a txid, or undefined.
 *
 * @category getters
 * @since 0.1.0
 */
export function* find(txid: string): Transaction.Body<StoredCharge | undefined> {
  const [row] = yield* Transaction.read(findCharge, txid)
  return row === undefined ? undefined : decodeRow(row)
}

/** Returns a charge that was just written. */
function* findWritten(txid: string): Transaction.Body<StoredCharge> {
  const charge = yield* find(txid)
  if (charge === undefined) throw new Error(`Charge ${txid} is gone`)
  return charge
}

type Location = Effect.Success<
  ReturnType<Effect.Success<ReturnType<typeof SimulatedPixProvider.makeLocations>>["newLocation"]>
>

/** `PUT`: creates a charge, or changes an active one. A repeated body changes nothing. */
function* put(
  client: SimulatedPixClient,
  txid: DynamicTxid,
  body: ChargeBody,
  { location, qrCode }: Location,
  now: number
): Transaction.Body<Decision<PixResponse>> {
  const text = writeBody(body)
  const existing = yield* find(txid)
  if (existing === undefined) {
    const row = [txid, client.companyId, body.kind, "ATIVA", 0, text, location, qrCode, now]
    // A concurrent request may have created the charge.
    if (yield* changesRow(Transaction.write(insert, ...row))) return made(yield* findWritten(txid), "registered")
  }
  const earlier = existing ?? (yield* findWritten(txid))
  const isOther = earlier.companyId !== client.companyId || earlier.kind !== body.kind
  if (isOther) return refused(body.kind, "txid já utilizado")
  if (earlier.status !== "ATIVA") return refused(body.kind, `A cobrança está ${earlier.status}`)
  if (text === writeBody(earlier.body)) return made(earlier, "none")
  // A concurrent request may have paid or removed the charge.
  const isChanged = yield* changesRow(Transaction.write(changeCharge, text, txid))
  const after = yield* findWritten(txid)
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
  const existing = yield* find(txid)
  if (existing === undefined || existing.kind !== kind || existing.companyId !== client.companyId) {
    return decisionOf(chargeNotFound(kind), "none")
  }
  if (existing.status !== "ATIVA") return refused(kind, `A cobrança está ${existing.status}`)
  const isRemoved = yield* changesRow(Transaction.write(removeCharge, txid))
  const after = yield* findWritten(txid)
  if (!isRemoved) return refused(kind, `A cobrança está ${after.status}`)
  return decisionOf({ status: 200, body: viewOf(after) }, "canceled", after)
}

/**
 * Returns the operation that creates or changes a charge. It draws a new location before the transaction.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makePut = Effect.fnUntraced(function* (
  clients: ReadonlyArray<SimulatedPixClient>,
  host = defaultReceiver.host
) {
  const locations = new Map<SimulatedPixClient, Effect.Success<ReturnType<typeof SimulatedPixProvider.makeLocations>>>()
  for (const client of clients) {
    const receiver: PixReceiver = { host, merchantName: client.merchantName, merchantCity: client.merchantCity }
    locations.set(client, yield* SimulatedPixProvider.makeLocations(receiver))
  }
  return (client: SimulatedPixClient, txid: DynamicTxid, body: ChargeBody) =>
    Effect.map(
      // Every client has an entry.
      locations.get(client)!.newLocation(),
      (location) => (now: number) => put(client, txid, body, location, now)
    )
})

/** Returns the decision of a response. */
const decisionOf = (
  response: PixResponse,
  effect: Decision<PixResponse>["effect"],
  charge?: StoredCharge
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
 * Returns the decision of a lookup.
 *
 * @category constructors
 * @since 0.1.0
 */
export const lookupDecision = (response: PixResponse, reference?: string): Decision<PixResponse> => ({
  _tag: "Decision",
  response,
  outcome: response.status === 200 ? "Found" : "NotFound",
  reference,
  effect: "none",
  isRepeat: false
})

/**
 * Returns the decision of a planned denial.
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

const made = (charge: StoredCharge, effect: "registered" | "none") =>
  decisionOf({ status: 201, body: viewOf(charge) }, effect, charge)

const refused = (kind: ChargeKind, detail: string) => decisionOf(invalidOperation(kind, detail), "none")

/**
 * Returns a charge for responses, with its payments.
 *
 * @category conversions
 * @since 0.1.0
 */
export const viewOf = (
  { body, createdAt, location, qrCode, revision, status, txid }: StoredCharge,
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

/** A valid body with its value. */
interface Read {
  readonly body: ChargeBody
  readonly value: Cents
}

const options = { errors: "all" } as const

/**
 * Returns the body of a `PUT`, or the response that refuses it.
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

/** Fields that are checked in addition to the schema. */
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
 * True if the body of a `PATCH` removes the charge and has no other field.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isRemoval = (text: string): boolean => Option.isSome(decodeRemoval(text, { onExcessProperty: "error" }))
