/**
 * The charges of the simulator of API Pix: put, looked up and removed by their txid.
 *
 * @since 0.1.0
 */
import type { FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import type { DynamicTxid } from "@parcela/core/pix/PixTxid"
import { ChargeKind, ChargeStatus, DueDateCharge, ImmediateCharge } from "@parcela/pix-api/messages/Charge"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { defaultReceiver, type PixReceiver } from "../../SimulatedPixProvider.ts"
import { SimulatorStore } from "../../SimulatorStore.ts"
import type { SimulatedPixClient } from "../../pixApi/SimulatedPixClient.ts"
import * as PixLocations from "../PixLocations.ts"
import type { Decision } from "../Requests.ts"
import { chargeNotFound, invalidOperation, problem, type Said } from "./Problems.ts"

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

const decodeRow = Schema.decodeUnknownEffect(Row)
const writeBody = Schema.encodeEffect(Body)

/** Whether a statement that returns what it changed changed something. */
const isOne = <E>(changed: Effect.Effect<ReadonlyArray<object>, E>) => Effect.map(changed, ({ length }) => length > 0)

/** The rows of charges, and where new ones lie. */
const makeRows = Effect.fnUntraced(function* (clients: ReadonlyArray<SimulatedPixClient>, host: string) {
  const sql = yield* SimulatorStore
  const places = new Map<SimulatedPixClient, Effect.Success<ReturnType<typeof PixLocations.make>>>()
  for (const client of clients) {
    const receiver: PixReceiver = { host, merchantName: client.merchantName, merchantCity: client.merchantCity }
    places.set(client, yield* PixLocations.make(receiver))
  }

  const find = Effect.fnUntraced(function* (txid: string) {
    const [row] = yield* sql`
      SELECT txid, company_id AS "companyId", kind, status, revision, body, location, qr_code AS "qrCode",
        created_at AS "createdAt"
      FROM pix_api_charges WHERE txid = ${txid}`
    return row === undefined ? undefined : yield* decodeRow(row)
  })

  return {
    find,
    /** One that was just written. */
    again: (txid: string) =>
      Effect.flatMap(find(txid), (charge) =>
        charge === undefined ? Effect.die(new Error(`Charge ${txid} is gone`)) : Effect.succeed(charge)
      ),
    /** False when another request made it meanwhile: that one stays. */
    create: Effect.fnUntraced(function* (client: SimulatedPixClient, txid: DynamicTxid, body: ChargeBody) {
      // Every client has its places.
      const { location, qrCode } = yield* places.get(client)!.place
      const inserted = yield* sql`
        INSERT INTO pix_api_charges ${sql.insert({
          txid,
          company_id: client.companyId,
          kind: body.kind,
          status: "ATIVA",
          revision: 0,
          body: yield* writeBody(body),
          location,
          qr_code: qrCode,
          created_at: yield* Clock.currentTimeMillis
        })} ON CONFLICT (txid) DO NOTHING RETURNING txid`
      return inserted.length > 0
    }),
    /** False when it was paid or removed meanwhile, as `remove`. */
    change: (txid: string, body: string) =>
      isOne(sql`
      UPDATE pix_api_charges SET body = ${body}, revision = revision + 1 WHERE txid = ${txid} AND status = 'ATIVA' RETURNING txid`),
    remove: (txid: string) =>
      isOne(sql`
      UPDATE pix_api_charges SET status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR', revision = revision + 1
      WHERE txid = ${txid} AND status = 'ATIVA' RETURNING txid`)
  }
})

/**
 * Each does its work in the transaction that is open.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (
  clients: ReadonlyArray<SimulatedPixClient>,
  host = defaultReceiver.host
) {
  const rows = yield* makeRows(clients, host)

  /** `PUT`: makes a charge, or changes one that is active; the same body again changes nothing. */
  const put = Effect.fnUntraced(function* (client: SimulatedPixClient, txid: DynamicTxid, body: ChargeBody) {
    const there = yield* rows.find(txid)
    if (there === undefined && (yield* rows.create(client, txid, body))) {
      return made(yield* rows.again(txid), "registered")
    }
    const earlier = there ?? (yield* rows.again(txid))
    const isOther = earlier.companyId !== client.companyId || earlier.kind !== body.kind
    if (isOther) return refused(body.kind, "txid já utilizado")
    if (earlier.status !== "ATIVA") return refused(body.kind, `A cobrança está ${earlier.status}`)
    const text = yield* writeBody(body)
    if (text === (yield* writeBody(earlier.body))) return made(earlier, "none")
    const isChanged = yield* rows.change(txid, text)
    const after = yield* rows.again(txid)
    return isChanged ? made(after, "none") : refused(body.kind, `A cobrança está ${after.status}`)
  })

  /** `PATCH` with `REMOVIDA_PELO_USUARIO_RECEBEDOR`. */
  const remove = Effect.fnUntraced(function* (client: SimulatedPixClient, kind: ChargeKind, txid: string) {
    const there = yield* rows.find(txid)
    if (there === undefined || there.kind !== kind || there.companyId !== client.companyId) {
      return said(chargeNotFound(kind), "none")
    }
    if (there.status !== "ATIVA") return refused(kind, `A cobrança está ${there.status}`)
    const isRemoved = yield* rows.remove(txid)
    const after = yield* rows.again(txid)
    if (!isRemoved) return refused(kind, `A cobrança está ${after.status}`)
    return said({ status: 200, body: viewOf(after) }, "canceled", after)
  })

  return { find: rows.find, put, remove }
})

/** A decision of the provider, with its line in the ledger. */
const said = (response: Said, effect: Decision<Said>["effect"], charge?: KeptCharge): Decision<Said> => ({
  response,
  outcome: response.status < 300 ? (effect === "canceled" ? "Cancelled" : "PixOpened") : "DeniedForGood",
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
export const looked = (response: Said, reference?: string): Decision<Said> => ({
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
export const deniedBy = ({ code, message }: FinalDenial): Decision<Said> => ({
  response: problem(400, code, message),
  outcome: "DeniedForGood",
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
