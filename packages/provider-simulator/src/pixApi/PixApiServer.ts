/**
 * API Pix of the Banco Central as routes, over the store, the ledger and the injected failures of the simulators.
 *
 * **Details**
 *
 * `POST /oauth/token`, and below `/api/v2`: `PUT`, `PATCH` and `GET` of `/cob/{txid}` and `/cobv/{txid}`; `GET /pix` and
 * `/pix/{e2eid}`; `PUT`, `GET` and `DELETE` of `/webhook/{chave}`. `PUT` changes a charge and `PATCH` removes it. Batches,
 * locations, refunds and Pix Automático are not served, and there is no mTLS.
 *
 * @since 0.1.0
 */
import type { PixPartError } from "@parcela/core/pix/PixBrCode"
import { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import type { ChargeKind } from "@parcela/pix-api/messages/Charge"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as PixWebhooks from "../internal/pixApi/PixWebhooks.ts"
import * as PixCharges from "../internal/pixApi/PixCharges.ts"
import { isRemoval, readCharge } from "../internal/pixApi/PixCharges.ts"
import {
  responding,
  chargeNotFound,
  invalidOperation,
  problem,
  type PixResponse
} from "../internal/pixApi/Responses.ts"
import * as PixPayments from "../internal/pixApi/PixPayments.ts"
import * as PixClients from "../internal/pixApi/PixClients.ts"
import type { SimulatedPixClient } from "../internal/pixApi/PixClients.ts"
import * as Payables from "../internal/Payables.ts"
import * as Requests from "../internal/ProviderRequests.ts"
import { SimulatorStore } from "../SimulatorStore.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface PixApiServerOptions {
  readonly clients: ReadonlyArray<SimulatedPixClient>
  /** The host of charges, as in `PixReceiver`. */
  readonly host?: string | undefined
  /** Lifetime of tokens. Defaults to one hour. */
  readonly tokenLifetime?: Duration.Duration | undefined
  /** Cuts the connection of a request, for lost requests and lost responses. Depends on the HTTP server. */
  readonly cut: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void>
}

/**
 * The routes and the reports to webhooks. `POST /simulator/payments` pays a charge (`{"txid": ".."}`) with the amount due and
 * needs no token.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: PixApiServerOptions
): Layer.Layer<
  never,
  PixPartError,
  HttpRouter.HttpRouter | SimulatorStore | HttpClient.HttpClient | SecureRandom.SecureRandom
> => HttpRouter.use((router) => routes(router, options))

const routes = Effect.fnUntraced(function* (router: HttpRouter.HttpRouter, options: PixApiServerOptions) {
  const { clients, cut, host, tokenLifetime = Duration.hours(1) } = options
  const tokens = yield* PixClients.makeTokens(clients, tokenLifetime)
  const deps: Deps = {
    put: yield* PixCharges.makePut(clients, host),
    receive: yield* Requests.makeReceive("Pix provider"),
    wake: yield* PixWebhooks.makeCallbacks(clients)
  }
  const webhooks = yield* PixWebhooks.makeWebhooks
  const receipts = yield* PixPayments.makeReceipts
  const sql = yield* SimulatorStore
  const random = yield* SecureRandom.SecureRandom

  const respond = responding(cut)
  const add = (method: "GET" | "PUT" | "PATCH" | "DELETE", path: HttpRouter.PathInput, serve: Serve) =>
    router.add(
      method,
      path,
      respond(
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const client = yield* tokens.clientWith(request)
          if (client === undefined) return PixClients.notAuthenticated
          return yield* serve({ client, params: yield* HttpRouter.params, text: yield* request.text, request })
        })
      )
    )

  yield* router.add(
    "POST",
    "/oauth/token",
    respond(
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        return yield* tokens.login(request, yield* request.text)
      })
    )
  )
  for (const kind of ["cob", "cobv"] as const) {
    yield* add("PUT", `/api/v2/${kind}/:txid`, putCharge(deps, kind))
    yield* add("GET", `/api/v2/${kind}/:txid`, getCharge(deps, kind))
    yield* add("PATCH", `/api/v2/${kind}/:txid`, patchCharge(deps, kind))
  }
  yield* add("GET", "/api/v2/pix", ({ client, request }) => receipts.list(client, request))
  yield* add("GET", "/api/v2/pix/:e2eid", ({ client, params }) => receipts.find(client, params["e2eid"] ?? ""))
  yield* add("PUT", "/api/v2/webhook/:chave", ({ client, params, text }) => webhooks.put(client, params["chave"], text))
  yield* add("GET", "/api/v2/webhook/:chave", ({ client, params }) => webhooks.get(client, params["chave"]))
  yield* add("DELETE", "/api/v2/webhook/:chave", ({ client, params }) => webhooks.remove(client, params["chave"]))
  yield* router.add("POST", "/simulator/payments", respond(pay(deps, sql, random)))
})

/** Dependencies of the operations on charges. */
interface Deps {
  readonly put: Effect.Success<ReturnType<typeof PixCharges.makePut>>
  readonly receive: Effect.Success<ReturnType<typeof Requests.makeReceive>>
  /** Starts the reports of new payments. */
  readonly wake: Effect.Effect<unknown>
}

/** An operation for an authenticated client. Any failure is a 500. */
type Serve = (request: {
  readonly client: SimulatedPixClient
  readonly params: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly request: HttpServerRequest.HttpServerRequest
}) => Effect.Effect<PixResponse, unknown>

const isTxid = Schema.is(DynamicTxid)

const badTxid = (kind: ChargeKind) => invalidOperation(kind, "O txid tem de 26 a 35 letras e dígitos")

const putCharge =
  ({ put, receive }: Deps, kind: ChargeKind): Serve =>
  ({ client, params: { txid }, text }) =>
    Effect.gen(function* () {
      if (!isTxid(txid)) return badTxid(kind)
      const read = yield* readCharge(kind, client, text)
      if (Result.isFailure(read)) return read.failure
      const { body, value } = read.success
      const putting = yield* put(client, txid, body)
      return yield* receive({ kind: "open", companyId: client.companyId, value }, function* (now, denial) {
        return denial === undefined ? yield* putting(now) : PixCharges.deniedBy(denial)
      })
    })

const getCharge =
  ({ receive }: Deps, kind: ChargeKind): Serve =>
  ({ client, params: { txid = "" } }) =>
    receive({ kind: "lookup", companyId: client.companyId }, function* () {
      const found = yield* PixCharges.find(txid)
      if (found?.kind !== kind || found.companyId !== client.companyId)
        return PixCharges.lookupDecision(chargeNotFound(kind))
      const paid = yield* PixPayments.of(txid)
      const pix = paid.map((payment) => PixPayments.pixOf(payment, client.key))
      return PixCharges.lookupDecision({ status: 200, body: PixCharges.viewOf(found, pix) }, txid)
    })

const patchCharge =
  ({ receive }: Deps, kind: ChargeKind): Serve =>
  ({ client, params: { txid = "" }, text }) =>
    isRemoval(text)
      ? receive({ kind: "cancel", companyId: client.companyId }, function* (_now, denial) {
          return denial === undefined ? yield* PixCharges.remove(client, kind, txid) : PixCharges.deniedBy(denial)
        })
      : Effect.succeed(invalidOperation(kind, "O simulador só altera por PUT; por PATCH remove: só o status"))

const decodePaid = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ txid: Schema.String })))

const pay = ({ wake }: Deps, sql: SimulatorStore["Service"], random: SecureRandom.SecureRandom["Service"]) =>
  Effect.gen(function* () {
    const { text } = yield* HttpServerRequest.HttpServerRequest
    const { txid } = yield* decodePaid(yield* text)
    const now = yield* Clock.currentTimeMillis
    const ownId = yield* Payables.newEndToEndId(random, now)
    const paid = yield* sql.transact(function* () {
      const charge = yield* PixCharges.find(txid)
      return charge === undefined ? Result.fail(chargeNotFound("cob")) : yield* PixPayments.pay(charge, ownId, now)
    })
    if (Result.isFailure(paid)) return paid.failure
    yield* wake
    const { endToEndId, paidAt, value } = paid.success
    return {
      status: 201,
      body: { endToEndId, txid, value, paidAt: new Date(paidAt).toISOString() }
    } satisfies PixResponse
  }).pipe(
    Effect.catchTag("SchemaError", () => Effect.succeed(problem(400, "RequisicaoInvalida", 'O corpo é {"txid": ".."}')))
  )
