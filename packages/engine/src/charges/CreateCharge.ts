/**
 * Use case: create a charge (public use, `POST /charges`).
 *
 * @since 0.1.0
 */
import type { CreateCharge as CreateChargeCommand } from "@parcela/core/charges/Charge"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Effect from "effect/Effect"
import type { PaymentAttempts } from "../payments/PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { type Commands, type CommandOutcome } from "../command/Command.ts"
import type { RefusalsOf, Decided } from "../command/Decided.ts"
import { subjectOf } from "../command/IdempotencyKey.ts"
import type { PaymentContext, NewChargeContext } from "../command/LoadedPayments.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import type { CardVaulting } from "../cards/CardVaulting.ts"
import * as AddPayment from "../payments/AddPayment.ts"
import type { PaymentKey } from "../payments/AttemptRecords.ts"
import { noPayer, otherMyIdIn, type PayerOptions, payerOf, writtenPayer } from "../customers/Payer.ts"
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import * as ChargeDecider from "@parcela/core/charges/ChargeDecider"
import { dateAt } from "@parcela/core/time/Instant"
import * as Attempts from "@parcela/core/transactions/TransactionAttempts"
import { mustSend } from "@parcela/core/transactions/TransactionDeadlines"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { Times } from "../ports/WriteContext.ts"
import { createdPayment, unchangedPayment, type PaymentResult } from "../payments/PaymentDecisions.ts"
import * as Spans from "../Spans.ts"

/**
 * Creates a charge with its payment. A boleto, a Pix or a card payment that is due is sent to its provider before the
 * effect returns. If the provider's outcome is unknown, the returned payment is still open.
 *
 * @category models
 * @since 0.1.0
 */
export type CreateCharge = (
  companyId: CompanyId,
  command: CreateChargeCommand,
  key?: PaymentKey
) => Effect.Effect<
  CommandOutcome<PaymentContext>,
  RefusalsOf<typeof create | typeof noPayer> | AddPayment.NewPaymentFailure
>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<CreateCharge, never, CardVaulting | Commands | PaymentAttempts | Secrets | Sequences> =
  Effect.gen(function* () {
    const createPayment = yield* AddPayment.makeCreatePayment
    const secrets = yield* Secrets
    const sequences = yield* Sequences
    const { naming, zone } = yield* Settings
    const otherMyId = otherMyIdIn(naming)

    return Spans.fn("Charges.create")(function* (companyId, command, key) {
      const attemptId = yield* secrets.newAttemptId
      const options = {
        companyId,
        chargeId: yield* sequences.next("charge"),
        customerId: yield* sequences.next("customer"),
        payment: { id: yield* sequences.next("transaction"), myId: yield* secrets.newMyId },
        attemptId,
        otherMyId,
        zone
      }
      const { Customer: customer, myId, planMyId, planSvcPayId } = command
      return yield* createPayment({
        companyId,
        attemptId,
        card: command.PaymentMethodCreditCard?.Card,
        key,
        load: (card) => ({
          load: "newCharge",
          args: { companyId, myId, customer, card, plan: { planMyId, planSvcPayId } },
          missing: noPayer
        }),
        decide: (requested) => create(command, { ...options, requested })
      })
    })
  })

/**
 * The inputs of a new charge, generated before the database transaction.
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

/** Returns the charge if an earlier run wrote it and the reply to that run's COMMIT was lost. */
const written = (
  found: NewChargeContext,
  { chargeId, payment }: NewChargeOptions
): Decided<PaymentResult> | undefined => {
  const { sameMyId: charge, samePayment: transaction } = found
  if (charge?.id !== chargeId || transaction === undefined) return undefined
  const payer = writtenPayer(charge, found)
  return payer === undefined
    ? undefined
    : unchangedPayment(
        createdPayment(
          found,
          { _tag: "Charge", charge, card: payer.card },
          { transaction, attempts: [], customer: payer.customer }
        ),
        subjectOf("transaction", payment.id)
      )
}

/**
 * Creates a charge with its payment, and with its customer and card if they are new. Starts the attempt of the payment
 * if it is due.
 *
 * @category decisions
 * @since 0.1.0
 */
const create =
  (command: CreateChargeCommand, options: NewChargeOptions) =>
  (
    found: NewChargeContext,
    at: Times
  ): Result.Result<
    Decided<PaymentResult>,
    RefusalsOf<typeof payerOf | typeof ChargeDecider.create | typeof Attempts.send>
  > =>
    Result.gen(function* () {
      const before = written(found, options)
      if (before !== undefined) return before
      const { attemptId, chargeId: id, companyId, payment, zone } = options
      const now = at.business
      const today = dateAt(now, zone)
      const { card, customer, ...payer } = yield* payerOf(command.Customer, options, found, now)
      const { plans, sameMyId } = found
      const context = { companyId, id, customerId: customer.id, card, sameMyId, plans, payment, today, now }
      const made = yield* ChargeDecider.create(command, context)
      const started = mustSend(made.payment, today)
        ? yield* Attempts.send(made.payment, { attemptId, startedAt: at.machine }, now)
        : undefined
      const transaction = started?.next ?? made.payment
      const attempts = started === undefined ? [] : [started.attempt]
      const owner = { _tag: "Charge", charge: made.charge, card } as const
      const left = createdPayment(found, owner, { customer, transaction, attempts })
      return {
        value: { payment: left, attempt: started?.attempt },
        guards: payer.guards,
        changes: [
          ...payer.changes,
          { table: "charges", next: made.charge },
          { table: "transactions", next: transaction, customerId: customer.id }
        ],
        started: attempts,
        events: [...payer.events, ...made.events, ...(started?.events ?? [])],
        snapshots: left,
        subject: subjectOf("transaction", transaction.id)
      }
    })
