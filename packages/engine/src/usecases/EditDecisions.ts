/**
 * What editing a payment and editing a charge decide of the payment: a pure function, which a rerun calls again.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { dateAt } from "@parcela/core/time/WallClock"
import type { EditPayment } from "@parcela/core/transactions/EditPayment"
import * as Decider from "@parcela/core/transactions/TransactionDecider"
import { edit, type EditContext, type Edited, isUnderWay } from "@parcela/core/transactions/TransactionEdit"
import { beginCancellation } from "@parcela/core/transactions/TransactionEndings"
import { underWayOf } from "@parcela/core/transactions/TransactionState"
import type { Decision } from "@parcela/core/values/Decision"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { subjectOf } from "../commands/KeySubject.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import type { Decided } from "../commands/Decided.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import { openPaymentsOf, type PaymentOwner } from "../ports/PaymentOwner.ts"
import { asItStands, changing, type PaymentLeft } from "./PaymentDecisions.ts"

/**
 * What an edit of a payment is decided with.
 *
 * @category models
 * @since 0.1.0
 */
export interface EditOptions<R> extends Omit<EditContext, "now" | "today"> {
  readonly attemptId: AttemptId
  readonly at: Times
  readonly zone: DateTime.TimeZone
  /** The charge that is edited with its payment, or why it is not. */
  readonly charge: Result.Result<Decision<ChargeState> | undefined, R>
}

/**
 * What an edit of a payment refuses.
 *
 * @category errors
 * @since 0.1.0
 */
export type PaymentEditRefusal = RefusalsOf<typeof edit | typeof beginning>

/**
 * Edits, and begins the attempt that follows; joins the one under way where it is asked for what stands. Nothing is written
 * where all is as it is to be.
 *
 * @category decisions
 * @since 0.1.0
 */
export const decideEdit = <R>(
  payment: PaymentContext,
  command: EditPayment,
  { at, attemptId, cardId, sameMyId, zone, ...options }: EditOptions<R>
): Result.Result<Decided<PaymentLeft>, R | PaymentEditRefusal> =>
  Result.gen(function* () {
    const { owner, transaction } = payment
    const now = at.business
    const today = dateAt(now, zone)
    const context = { sameMyId, cardId, today, now }
    const way = underWayOf(transaction)
    const stands = asItStands(payment, subjectOf("transaction", transaction.id, way?.attemptId))
    if (isUnderWay(transaction, command, context)) return stands
    const charge = yield* options.charge
    const edited = yield* edit(transaction, command, context)
    const begun = yield* beginning(edited, { attemptId, startedAt: at.machine }, today, owner, now)
    const isChargeSame = charge === undefined || charge.events.length === 0
    if (isChargeSame && begun === undefined && edited.next === transaction) return stands
    const decision = begun === undefined ? edited : { next: begun.next, events: [...edited.events, ...begun.events] }
    return changing(payment, decision, now, begun?.attempt, charge)
  })

/** The attempt that an edit asks for, or that the payment wants by now. */
const beginning = (
  edited: Edited,
  attempt: Decider.NewAttempt,
  today: LocalDate,
  owner: PaymentOwner,
  now: BusinessTime
): Result.Result<
  Decider.Begun | undefined,
  RefusalsOf<typeof Decider.retry | typeof beginCancellation | typeof Decider.send>
> => {
  const { next } = edited
  switch (edited.asks) {
    case "charge":
      return Decider.retry(next, attempt, now)
    case "withdraw":
      return beginCancellation(next, attempt, now, edited.withdrawn)
    case "nothing":
      return edited.events.length > 0 && Decider.wantsAttempt(next, today, openPaymentsOf(owner))
        ? Decider.send(next, attempt, now)
        : Result.succeed(undefined)
  }
}
