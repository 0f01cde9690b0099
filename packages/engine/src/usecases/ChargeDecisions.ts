/**
 * What creating a charge decides, over what was loaded: pure functions, which a rerun calls again.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CreateCharge } from "@parcela/core/charges/CreateCharge"
import * as NewCharge from "@parcela/core/charges/NewCharge"
import { dateAt } from "@parcela/core/time/WallClock"
import * as Decider from "@parcela/core/transactions/TransactionDecider"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { subjectOf } from "../commands/KeySubject.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import type { Decided } from "../commands/Decided.ts"
import type { NewChargeContext } from "../loads/PayerContext.ts"
import { createdPayment } from "./CreatedPayment.ts"
import { type PayerOptions, payerOf, writtenPayer } from "./Payer.ts"
import { asItStands, type PaymentLeft } from "./PaymentDecisions.ts"

/**
 * What a new charge is decided with, taken before the unit.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewChargeOptions extends PayerOptions {
  readonly chargeId: SvcPayId
  readonly payment: { readonly id: SvcPayId; readonly myId: MyId }
  readonly attemptId: AttemptId
  readonly zone: DateTime.TimeZone
}

/** The charge that an earlier run wrote, whose COMMIT had no reply. */
const written = (
  found: NewChargeContext,
  { chargeId, payment }: NewChargeOptions
): Decided<PaymentLeft> | undefined => {
  const { sameMyId: charge, samePayment: transaction } = found
  if (charge?.id !== chargeId || transaction === undefined) return undefined
  const payer = writtenPayer(charge, found)
  return payer === undefined
    ? undefined
    : asItStands(
        createdPayment(
          found,
          { _tag: "Charge", charge, card: payer.card },
          { transaction, attempts: [], customer: payer.customer }
        ),
        subjectOf("transaction", payment.id)
      )
}

/**
 * Creates a charge with its payment, its customer and its card where they are new, and begins the attempt that the
 * payment wants at once.
 *
 * @category decisions
 * @since 0.1.0
 */
export const create =
  (command: CreateCharge, options: NewChargeOptions) =>
  (
    found: NewChargeContext,
    at: Times
  ): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof payerOf | typeof NewCharge.create | typeof Decider.send>> =>
    Result.gen(function* () {
      const before = written(found, options)
      if (before !== undefined) return before
      const { attemptId, chargeId: id, companyId, payment, zone } = options
      const now = at.business
      const today = dateAt(now, zone)
      const { card, customer, ...payer } = yield* payerOf(command.Customer, options, found, now)
      const { plans, sameMyId } = found
      const context = { companyId, id, customerId: customer.id, card, sameMyId, plans, payment, today, now }
      const made = yield* NewCharge.create(command, context)
      const begun = Decider.wantsAttempt(made.payment, today)
        ? yield* Decider.send(made.payment, { attemptId, startedAt: at.machine }, now)
        : undefined
      const transaction = begun?.next ?? made.payment
      const attempts = begun === undefined ? [] : [begun.attempt]
      const owner = { _tag: "Charge", charge: made.charge, card } as const
      const left = createdPayment(found, owner, { customer, transaction, attempts })
      return {
        value: { payment: left, attempt: begun?.attempt },
        guards: payer.guards,
        changes: [
          ...payer.changes,
          { table: "charges", next: made.charge },
          { table: "transactions", next: transaction, customerId: customer.id }
        ],
        begun: attempts,
        events: [...payer.events, ...made.events, ...(begun?.events ?? [])],
        shown: left,
        subject: subjectOf("transaction", transaction.id)
      }
    })
