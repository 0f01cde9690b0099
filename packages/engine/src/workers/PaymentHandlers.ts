/**
 * What is done for the kinds of due work that are about a payment or its subscription.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { SvcPayId } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import { noOutcome } from "../attempts/AttemptLeases.ts"
import { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import type { LeasedWork } from "../ports/DueWork.ts"
import * as ChangePayment from "../usecases/ChangePayment.ts"
import { Payments } from "../usecases/Payments.ts"
import { PeriodicSubscriptions } from "../usecases/PeriodicSubscriptions.ts"
import { SubscriptionChanges } from "../usecases/SubscriptionChanges.ts"
import { done } from "./WorkResult.ts"
import * as Spans from "../Spans.ts"

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
    // Work about a payment has a company.
    const { dueAt, outcome } = yield* payments.sendDue(companyId!, SvcPayId.make(Number(subject)))
    // The unit that began the attempt took the row with it.
    if (outcome !== "not sent") return { _tag: "Removed", outcome } as const
    if (dueAt === undefined) return { _tag: "Done", outcome } as const
    return { _tag: "DueLater", due: { clock: "business", dueAt } } as const
  })

  const makeInstalments = Spans.fn("WorkHandlers.makeInstalments")(function* ({ companyId, subject }: LeasedWork) {
    // Work about a subscription has a company.
    const { dueAt, isTaken } = yield* periodic.makeDue(companyId!, SvcPayId.make(Number(subject)))
    if (isTaken) return { _tag: "Removed", outcome: "done" } as const
    return dueAt === undefined ? done : ({ _tag: "DueLater", due: { clock: "business", dueAt } } as const)
  })

  const cancelPayment = Spans.fn("WorkHandlers.cancelPayment")(function* ({ companyId, subject }: LeasedWork) {
    // Work about a payment has a company.
    const outcome = yield* changes.cancelPayment(companyId!, SvcPayId.make(Number(subject)))
    // The unit that began the attempt took the row with it.
    return outcome === undefined ? done : ({ _tag: "Removed", outcome } as const)
  })

  const changePayment = Spans.fn("WorkHandlers.changePayment")(function* ({ companyId, subject }: LeasedWork) {
    // Work about a payment has a company.
    const outcome = yield* change(companyId!, subject)
    if (outcome === "waits") return { _tag: "Failed", problem: "An attempt is under way for it" } as const
    // The unit that began the attempt took the row with it.
    return outcome === undefined ? done : ({ _tag: "Removed", outcome } as const)
  })

  const resolveAttempt = Spans.fn("WorkHandlers.resolveAttempt")(function* ({ companyId, subject }: LeasedWork) {
    // Work about an attempt has a company.
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
