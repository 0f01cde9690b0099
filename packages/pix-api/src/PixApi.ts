/**
 * The Pix provider behind API Pix of the Banco Central do Brasil: immediate charges and charges with a due date.
 *
 * @since 0.1.0
 */
import type { CancellationOutcome, FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import type { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import { type PixOutcome, PixProvider, type PixRequest } from "@parcela/engine/ports/PixProvider"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import { Settings } from "@parcela/engine/Settings"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { chargeRequestOf, pixCodeOf, txidOf } from "./internal/ChargeRequest.ts"
import { Charge, type ChargeKind } from "./messages/Charge.ts"
import { reasonOf } from "./messages/Problem.ts"
import { type PixAccount, PixAccounts } from "./PixAccount.ts"
import * as PixApiClient from "./PixApiClient.ts"

/**
 * The port over a client of API Pix.
 *
 * **Details**
 *
 * A registration always has the same txid. Before it creates a charge, it looks up that txid, because a `PUT` of an existing
 * txid would change a charge that a customer may be paying. A repeated registration therefore finds its charge, also after
 * a lost response. An existing charge with another value or receiver belongs to another installation: the registration is
 * `FinallyDenied` with `txidTaken`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<PixProvider, never, PixApiClient.PixApiClient | PixAccounts> = Layer.effect(
  PixProvider,
  Effect.gen(function* () {
    const accounts = yield* PixAccounts
    const charges = yield* makeCharges

    const accountOf = ({ companyId }: ProviderRequest) => {
      const account = accounts.of(companyId)
      // Not a denial: the payment succeeds once the company has an account.
      return account === undefined ? Effect.fail(lost(`company ${companyId} has no account`)) : Effect.succeed(account)
    }
    return PixProvider.of({
      open: Effect.fn("PixProvider.open")(function* (request) {
        return yield* charges.open(request, yield* accountOf(request))
      }),
      cancel: Effect.fn("PixProvider.cancel")(function* (request) {
        const account = yield* accountOf(request)
        return yield* charges.remove(txidOf(account, request), account)
      })
    })
  })
)

/**
 * The port over the current `HttpClient` and the accounts.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options?: PixApiClient.PixApiOptions
): Layer.Layer<PixProvider, never, HttpClient.HttpClient | PixAccounts> =>
  Layer.provide(layerNoDeps, PixApiClient.layer(options))

const makeCharges = Effect.gen(function* () {
  const { send } = yield* PixApiClient.PixApiClient
  const { zone } = yield* Settings

  const find = Effect.fnUntraced(function* (account: PixAccount, kinds: ReadonlyArray<ChargeKind>, txid: DynamicTxid) {
    for (const kind of kinds) {
      const { body, status } = yield* send(account, { method: "GET", path: `/${kind}/${txid}` })
      if (status === 404) continue
      if (status >= 300) return yield* lost(`GET ${kind}: ${reasonOf(status, body).message} (${status})`)
      return Option.some({ kind, charge: yield* read(body) })
    }
    return Option.none()
  })

  const open = Effect.fnUntraced(function* (request: PixRequest, account: PixAccount) {
    const txid = txidOf(account, request)
    const encoded = yield* Effect.option(chargeRequestOf(request, account, zone))
    if (Option.isNone(encoded)) return invalidCharge
    const { body, kind } = encoded.value
    const earlier = yield* find(account, [kind], txid)
    if (Option.isSome(earlier)) return yield* opened(earlier.value.charge, request, account)
    const response = yield* send(account, { method: "PUT", path: `/${kind}/${txid}`, body })
    if (response.status < 300) return yield* opened(yield* read(response.body), request, account)
    if (response.status === 404) return yield* lost(`PUT ${kind}: not found (404)`)
    // The txid may exist now: from a concurrent request with a lost response, or as a charge of the other kind.
    const existing = yield* find(account, ["cobv", "cob"], txid)
    return Option.isSome(existing)
      ? yield* opened(existing.value.charge, request, account)
      : denied(reasonOf(response.status, response.body))
  })

  const remove = Effect.fnUntraced(function* (
    txid: DynamicTxid,
    account: PixAccount
  ): Effect.fn.Return<CancellationOutcome, ProviderError> {
    const found = yield* find(account, ["cobv", "cob"], txid)
    if (Option.isNone(found)) return notFound
    const { charge, kind } = found.value
    const ended = endingOf(charge)
    if (ended !== undefined) return ended
    const response = yield* send(account, {
      method: "PATCH",
      path: `/${kind}/${txid}`,
      body: { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" }
    })
    const isAccepted = response.status < 300
    const removedCharge = isAccepted ? yield* Effect.option(read(response.body)) : Option.none()
    const ending = Option.isSome(removedCharge) ? endingOf(removedCharge.value) : undefined
    if (ending !== undefined) return ending
    // The charge may have been paid or removed after the lookup. A response without a charge does not show that.
    const now = yield* find(account, [kind], txid)
    const since = Option.isSome(now) ? endingOf(now.value.charge) : notFound
    if (since !== undefined) return since
    return isAccepted
      ? yield* lost(`PATCH ${kind}: accepted (${response.status}), but the charge is active`)
      : denied(reasonOf(response.status, response.body))
  })

  return { open, remove }
})

const lost = (cause: string) => new ProviderError({ provider: "Pix provider", cause })

const decodeCharge = Schema.decodeUnknownEffect(Charge)

/** Fails without the body's text, which contains the payer's name. */
const read = (body: unknown) => Effect.mapError(decodeCharge(body), () => lost("the provider's charge cannot be read"))

const opened = Effect.fnUntraced(function* (
  charge: Charge,
  request: PixRequest,
  account: PixAccount
): Effect.fn.Return<PixOutcome, ProviderError> {
  if (charge.valor.original !== request.value || charge.chave !== account.key) return taken
  if (charge.status.startsWith("REMOVIDA")) return removed
  const qrCode = pixCodeOf(charge, account)
  if (Option.isNone(qrCode)) return yield* lost("the provider's charge has neither a code nor a location")
  return { _tag: "PixOpened", charge: { txid: charge.txid, qrCode: qrCode.value } }
})

/** Returns the outcome of a cancellation, or undefined if the charge is active and can be removed. */
const endingOf = ({ status }: Charge): CancellationOutcome | undefined => {
  switch (status) {
    case "ATIVA":
      return undefined
    case "CONCLUIDA":
      return denied({ code: "paid", message: "The charge was paid" })
    case "REMOVIDA_PELO_PSP":
    case "REMOVIDA_PELO_USUARIO_RECEBEDOR":
      return cancelled
  }
}

const denied = (reason: Omit<FinalDenial, "_tag">): FinalDenial => ({ _tag: "FinallyDenied", ...reason })

const cancelled: CancellationOutcome = { _tag: "Cancelled" }

const notFound = denied({ code: "notFound", message: "The provider has no charge of the transaction" })

const removed = denied({ code: "removed", message: "The charge was removed" })

const invalidCharge = denied({
  code: "invalidCharge",
  message: "API Pix needs a value above zero, a deadline, and a debtor with a CPF or CNPJ"
})

const taken = denied({
  code: "txidTaken",
  message:
    "The provider has another charge under the transaction's txid: this installation needs a txid prefix of its own"
})
