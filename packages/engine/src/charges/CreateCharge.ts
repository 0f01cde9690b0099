/**
 * Use case: create a charge (public use, `POST /charges`).
 *
 * @since 0.1.0
 */
import type { CreateCharge as CreateChargeCommand } from "@parcela/core/charges/CreateCharge"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Effect from "effect/Effect"
import type { PaymentAttempts } from "../payments/PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { type Commands, type CommandOutcome, type RefusalsOf, subjectOf } from "../command/Command.ts"
import type { PaymentContext, NewChargeContext } from "../command/LoadedPayments.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import type { CardVaulting } from "../cards/CardVaulting.ts"
import * as NewPayment from "../payments/NewPayment.ts"
import type { PaymentKey } from "../payments/PaymentKey.ts"
import { noPayer, otherMyIdIn, type PayerOptions, payerOf, writtenPayer } from "../customers/Payer.ts"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import * as NewCharge from "@parcela/core/charges/NewCharge"
import { dateAt } from "@parcela/core/time/WallClock"
import * as Decider from "@parcela/core/transactions/TransactionDecider"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { Times } from "../ports/Times.ts"
import type { Decided } from "../command/Decided.ts"
import { createdPayment } from "../payments/PaymentChange.ts"
import { asItStands, type PaymentLeft } from "../payments/PaymentDecisions.ts"

/**
 * Creates a charge with its payment, as its payment stands in it. A card payment that is due, a boleto and a Pix are taken
 * to their provider before it returns; when the provider's outcome is unknown, the payment is returned as it stands.
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
  RefusalsOf<typeof create | typeof noPayer> | NewPayment.NewPaymentFailure
>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<CreateCharge, never, CardVaulting | Commands | PaymentAttempts | Secrets | Sequences> =
  Effect.gen(function* () {
    const makePayment = yield* NewPayment.make
    const secrets = yield* Secrets
    const sequences = yield* Sequences
    const { naming, zone } = yield* Settings
    const otherMyId = otherMyIdIn(naming)

    return Effect.fn("Charges.create")(function* (companyId, command, key) {
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
      return yield* makePayment({
        companyId,
        attemptId,
        card: command.PaymentMethodCreditCard?.Card,
        key,
        unit: (card) => ({
          load: "newCharge",
          args: { companyId, myId, customer, card, plan: { planMyId, planSvcPayId } },
          missing: noPayer
        }),
        decide: (requested) => create(command, { ...options, requested })
      })
    })
  })

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
const create =
  (command: CreateChargeCommand, options: NewChargeOptions) =>
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
