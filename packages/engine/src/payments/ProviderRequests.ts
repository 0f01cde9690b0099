/**
 * The requests to providers for attempts. The kind of the attempt selects the request; the status of the payment does
 * not.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { AttemptOutcome } from "@parcela/core/attempts/AttemptOutcome"
import { type BusinessTime, businessTimeOf, type MachineTime } from "@parcela/core/time/Instant"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { BoletoBank } from "../ports/BoletoBank.ts"
import { CardOperator, type Charge } from "../ports/CardOperator.ts"
import { machineNow } from "../ports/WriteContext.ts"
import { makeProviderTimeout, ProviderError, type ProviderTimeout } from "../ports/ProviderError.ts"
import { PixProvider } from "../ports/PixProvider.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { openPaymentsOf, termsOf } from "./PaymentDecisions.ts"
import { Settings } from "../Settings.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class ProviderRequests extends Context.Service<
  ProviderRequests,
  {
    /**
     * Sends the request of the attempt, with the attempt's id as idempotency key. After a failure the outcome is
     * unknown.
     */
    readonly send: (attempt: Attempt, payment: PaymentContext) => Effect.Effect<AttemptOutcome, ProviderError>
    /**
     * Asks the provider for the outcome of the attempt. Sends the request again only if the provider never received it.
     * A charge that its owner no longer permits is abandoned, after the time in which a request may still arrive.
     */
    readonly resume: (attempt: Attempt, payment: PaymentContext) => Effect.Effect<AttemptOutcome, ProviderError>
  }
>()("@parcela/engine/payments/ProviderRequests") {
  static readonly layer: Layer.Layer<ProviderRequests, never, BoletoBank | CardOperator | PixProvider> = Layer.effect(
    ProviderRequests,
    Effect.gen(function* () {
      const operator = yield* CardOperator
      const { attemptTimeout } = yield* Settings
      const inTime = yield* makeProviderTimeout
      const request = yield* makeRequest(inTime)
      const lookup = ({ companyId, id: attemptId }: Attempt, payment: PaymentContext) =>
        inTime("card operator", operator.lookup({ attemptId, companyId, ...restoresOf(payment) }))
      return ProviderRequests.of({
        send: (attempt, payment) =>
          isLookedUp(attempt)
            ? Effect.catchTag(request(attempt, payment), "ProviderError", (lost) =>
                // The response is lost, but money may have moved. Read the outcome before any other request.
                Effect.flatMap(
                  lookup(attempt, payment),
                  Option.match({ onNone: () => Effect.fail(lost), onSome: Effect.succeed })
                )
              )
            : request(attempt, payment),
        resume: (attempt, payment) =>
          isLookedUp(attempt)
            ? Effect.flatMap(
                lookup(attempt, payment),
                Option.match({
                  onNone: () =>
                    isWanted(attempt, payment)
                      ? request(attempt, payment)
                      : abandoned(attempt, payment, attemptTimeout),
                  onSome: Effect.succeed<AttemptOutcome>
                })
              )
            : request(attempt, payment)
      })
    })
  )
}

// The other requests are idempotent at the provider. A charge or a capture needs a lookup first.
const isLookedUp = ({ kind }: Attempt) => kind === "charge" || kind === "capture"

/**
 * True if the request is still permitted. The company requested the capture, so a capture is permitted in any state of
 * the owner.
 */
const isWanted = ({ kind }: Attempt, { owner }: PaymentContext) => kind !== "charge" || openPaymentsOf(owner) === "sent"

/**
 * Abandons a charge that the provider has not received. Fails while a request may still be in transit.
 *
 * No request starts after the change of the owner. A running one ends within the timeouts of a lookup and a request.
 * The machine clock measures this time, because a company's clock may be moved by a year. A charge is not cancelled
 * during an attempt of its payment.
 */
const abandoned = Effect.fnUntraced(function* (
  { startedAt }: Attempt,
  { owner }: PaymentContext,
  attemptTimeout: Duration.Duration
) {
  const { movedAt = startedAt } = owner._tag === "Subscription" ? owner.subscription : {}
  const quiet = (yield* machineNow) - Math.max(startedAt, movedAt)
  if (quiet < 3 * Duration.toMillis(attemptTimeout)) {
    return yield* new ProviderError({ provider: "card operator", cause: "It has not received the request yet" })
  }
  return { _tag: "Abandoned" } as const
})

const requestOf = ({ companyId, id: attemptId, transactionId, value }: Attempt, at: BusinessTime) => ({
  attemptId,
  companyId,
  transactionId,
  value,
  at
})

const registrationOf = ({ transaction }: PaymentContext) =>
  "withdrawals" in transaction && transaction.withdrawals !== undefined
    ? { registration: transaction.withdrawals + 1 }
    : {}

const restoresOf = ({ restores }: PaymentContext) => (restores === 0 ? {} : { restores })

/** Returns the operator's id of the authorized or captured amount. */
const tidOf = ({ transaction }: PaymentContext) =>
  "authorization" in transaction ? transaction.authorization?.tid : undefined

/** Returns the card options of the payment. */
const chargeTermsOf = ({ transaction }: PaymentContext): Pick<Charge, "instalments" | "preAuthorize"> => {
  const { preAuthorize, qtdInstallments } = transaction.method === "creditcard" ? (transaction.creditCard ?? {}) : {}
  return {
    ...(preAuthorize === undefined ? {} : { preAuthorize }),
    ...(qtdInstallments === undefined ? {} : { instalments: qtdInstallments })
  }
}

/** Returns the function that sends the request for an attempt's kind. */
const makeRequest = Effect.fnUntraced(function* (inTime: ProviderTimeout) {
  const bank = yield* BoletoBank
  const operator = yield* CardOperator
  const pix = yield* PixProvider

  const register = (
    { provider }: Attempt,
    common: ReturnType<typeof requestOf>,
    { customer, owner, transaction }: PaymentContext
  ): Effect.Effect<AttemptOutcome, ProviderError> => {
    const request = { ...common, dueDate: transaction.payday, payer: customer }
    return provider === "pixProvider"
      ? inTime("Pix provider", pix.open({ ...request, terms: termsOf(owner).pix }))
      : inTime("boleto bank", bank.register({ ...request, terms: termsOf(owner).boleto }))
  }

  const requestAt = (
    now: MachineTime,
    attempt: Attempt,
    payment: PaymentContext
  ): Effect.Effect<AttemptOutcome, ProviderError> => {
    const common = {
      ...requestOf(attempt, businessTimeOf(now, payment.clock)),
      ...registrationOf(payment),
      ...restoresOf(payment)
    }
    const tid = tidOf(payment)
    switch (attempt.kind) {
      case "charge":
        if (payment.card === undefined) return impossible(attempt, "a card")
        return inTime(
          "card operator",
          operator.charge({ ...common, ...chargeTermsOf(payment), card: payment.card.vaultToken })
        )
      case "capture":
        if (tid === undefined) return impossible(attempt, "an authorization")
        return inTime("card operator", operator.capture({ ...common, authorizedAs: tid }))
      case "reverse":
        if (tid === undefined) return impossible(attempt, "an authorization")
        return inTime("card operator", operator.reverse({ ...common, tid }))
      case "register":
        return register(attempt, common, payment)
      case "cancel":
        return attempt.provider === "pixProvider"
          ? inTime("Pix provider", pix.cancel(common))
          : inTime("boleto bank", bank.cancel(common))
    }
  }

  return (attempt: Attempt, payment: PaymentContext) =>
    Effect.flatMap(machineNow, (now) => requestAt(now, attempt, payment))
})

const impossible = (attempt: Attempt, what: string) =>
  Effect.die(new Error(`Attempt ${attempt.id} (${attempt.kind}) needs a transaction with ${what}`))
