/**
 * The handlers of jobs for payments and subscriptions.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { SvcPayId } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import { noOutcome } from "../payments/AttemptRecords.ts"
import { PaymentAttempts } from "../payments/PaymentAttempts.ts"
import type { LeasedWork } from "../ports/DueWork.ts"
import * as ChangePayment from "../payments/ChangePayment.ts"
import { Payments } from "../payments/Payments.ts"
import { PeriodicSubscriptions } from "../subscriptions/PeriodicSubscriptions.ts"
import { SubscriptionChanges } from "../subscriptions/SubscriptionEditing.ts"
import { done } from "./WorkOutcome.ts"
import * as Spans from "../Spans.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import { ExpirePayment } from "../payments/ExpirePayment.ts"
import { FetchChargebacks, FetchPayments } from "../payments/FetchReports.ts"
import { ReceivePayments } from "../payments/IncomingPayments.ts"

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const attempts = yield* PaymentAttempts
  const change = yield* ChangePayment.make
  const changes = yield* SubscriptionChanges
  const payments = yield* Payments
  const periodic = yield* PeriodicSubscriptions

  const sendPayment = Spans.fn("WorkHandlers.sendPayment")(function* ({ companyId, subject }: LeasedWork) {
    // Every job of a payment has a company.
    const { dueAt, outcome } = yield* payments.sendDue(companyId!, SvcPayId.make(Number(subject)))
    // The start of the attempt also deleted this job.
    if (outcome !== "not sent") return { _tag: "Removed", outcome } as const
    if (dueAt === undefined) return { _tag: "Done", outcome } as const
    return { _tag: "DueLater", due: { clock: "business", dueAt } } as const
  })

  const makeInstalments = Spans.fn("WorkHandlers.makeInstalments")(function* ({ companyId, subject }: LeasedWork) {
    // Every job of a subscription has a company.
    const { dueAt, isTaken } = yield* periodic.makeDue(companyId!, SvcPayId.make(Number(subject)))
    if (isTaken) return { _tag: "Removed", outcome: "done" } as const
    return dueAt === undefined ? done : ({ _tag: "DueLater", due: { clock: "business", dueAt } } as const)
  })

  const cancelPayment = Spans.fn("WorkHandlers.cancelPayment")(function* ({ companyId, subject }: LeasedWork) {
    // Every job of a payment has a company.
    const outcome = yield* changes.cancelPayment(companyId!, SvcPayId.make(Number(subject)))
    // The start of the attempt also deleted this job.
    return outcome === undefined ? done : ({ _tag: "Removed", outcome } as const)
  })

  const changePayment = Spans.fn("WorkHandlers.changePayment")(function* ({ companyId, subject }: LeasedWork) {
    // Every job of a payment has a company.
    const outcome = yield* change(companyId!, subject)
    if (outcome === "waits") return { _tag: "Failed", problem: "An attempt of this payment is in progress" } as const
    // The start of the attempt also deleted this job.
    return outcome === undefined ? done : ({ _tag: "Removed", outcome } as const)
  })

  const resolveAttempt = Spans.fn("WorkHandlers.resolveAttempt")(function* ({ companyId, subject }: LeasedWork) {
    // Every job of an attempt has a company.
    const outcome = yield* attempts.resolve(companyId!, AttemptId.make(subject))
    return outcome === undefined
      ? ({ _tag: "Failed", problem: noOutcome } as const)
      : ({ _tag: "Done", outcome } as const)
  })

  return {
    "send payment": sendPayment,
    "make instalments": makeInstalments,
    "cancel payment": cancelPayment,
    "change payment": changePayment,
    "resolve attempt": resolveAttempt
  } as const
})

/** Number of failed runs, about 15 minutes, after which a payment with an unknown reference becomes unmatched. */
const maxAttemptsToMatch = 8

const unreachable = ({ message: problem }: ProviderError) => Effect.succeed({ _tag: "Failed", problem } as const)

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeIncoming = Effect.gen(function* () {
  const { expire } = yield* ExpirePayment
  const chargebacks = yield* FetchChargebacks
  const { fetch } = yield* FetchPayments
  const receipts = yield* ReceivePayments

  const applyPayment = Spans.fn("WorkHandlers.applyPayment")(function* ({ subject, failures }: LeasedWork) {
    const applied = yield* receipts.apply(Number(subject), { isLast: failures >= maxAttemptsToMatch })
    if (applied === undefined) return { _tag: "Done", outcome: "gone" } as const
    const { problem = "The report waits for its transaction", standing } = applied
    if (standing === "waiting") return { _tag: "Failed", problem } as const
    return { _tag: "Done", outcome: standing } as const
  })

  const fetchPayments = Spans.fn("WorkHandlers.fetchPayments")(
    function* ({ companyId }: LeasedWork) {
      // Every job of a payment has a company.
      const dueAt = yield* fetch(companyId!)
      return dueAt === undefined ? done : ({ _tag: "DueLater", due: { clock: "business", dueAt } } as const)
    },
    Effect.catchTag("ProviderError", unreachable)
  )

  const fetchChargeback = Spans.fn("WorkHandlers.fetchChargeback")(
    function* ({ companyId, subject: tid }: LeasedWork) {
      // Every job of a charge has a company.
      const isDisputed = yield* chargebacks.fetch({ companyId: companyId!, tid })
      return { _tag: "Done", outcome: isDisputed ? "done" : "gone" } as const
    },
    Effect.catchTag("ProviderError", unreachable)
  )

  const expirePayment = Spans.fn("WorkHandlers.expirePayment")(
    function* ({ companyId, subject }: LeasedWork) {
      // Every job of a payment has a company.
      const expired = yield* expire(companyId!, SvcPayId.make(Number(subject)))
      switch (expired._tag) {
        case "Later":
          return { _tag: "DueLater", due: { clock: "business", dueAt: expired.dueAt } } as const
        case "Waits":
          return { _tag: "Failed", problem: "A reported payment of this transaction waits to be applied" } as const
        case "Done":
          return { _tag: "Done", outcome: expired.status } as const
      }
    },
    Effect.catchTag("ProviderError", unreachable)
  )

  return {
    "apply payment": applyPayment,
    "fetch payments": fetchPayments,
    "fetch chargeback": fetchChargeback,
    "expire payment": expirePayment
  } as const
})
