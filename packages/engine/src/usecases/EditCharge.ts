/**
 * Use case: edit a charge, with its payment (public use, `PUT /charges/{id}/{typeId}`).
 *
 * @since 0.1.0
 */
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import { editCharge, type EditCharge as EditChargeCommand } from "@parcela/core/charges/EditCharge"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { dateAt } from "@parcela/core/time/WallClock"
import type { EditPayment } from "@parcela/core/transactions/EditPayment"
import { edit, isUnderWay } from "@parcela/core/transactions/TransactionEdit"
import { underWayOf } from "@parcela/core/transactions/TransactionState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import { Commands } from "../commands/Command.ts"
import type { CommandOutcome } from "../commands/CommandOutcome.ts"
import { subjectOf } from "../commands/KeySubject.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import type { Change, Decided } from "../commands/WriteSet.ts"
import type { PaymentContext } from "../ports/CommandStore.ts"
import type { ChargeEditContext } from "../ports/PayerContext.ts"
import { Settings } from "../Settings.ts"
import { beginning } from "./EditPayment.ts"
import { noCharge } from "./Missing.ts"
import { asItStands, begunBefore, changing, type PaymentLeft } from "./PaymentDecisions.ts"
import { type PaymentKey, storingPayment } from "./PaymentKey.ts"
import { type AwaitingFailure, makeAwaitOutcome } from "./ProviderCommands.ts"

/**
 * Edits a charge. What is due by it is taken to its provider before it returns; an outcome that is unknown is none.
 *
 * @category models
 * @since 0.1.0
 */
export type EditCharge = (
  companyId: CompanyId,
  charge: EntityRef,
  command: EditChargeCommand,
  key?: PaymentKey
) => Effect.Effect<CommandOutcome<PaymentContext>, RefusalsOf<typeof decide | typeof noCharge> | AwaitingFailure>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<EditCharge, never, Commands | PaymentAttempts | Secrets> = Effect.gen(function* () {
  const awaitOutcome = yield* makeAwaitOutcome
  const commands = yield* Commands
  const { zone } = yield* Settings

  return Effect.fn("Charges.edit")((companyId, charge, command, key) =>
    awaitOutcome(
      companyId,
      (attemptId) =>
        commands.run({
          load: "chargeEdit",
          args: { companyId, charge, myId: command.myId, plan: command },
          key: storingPayment(key),
          decide: decide(command, attemptId, zone),
          missing: () => noCharge(charge)
        }),
      key
    )
  )
})

/** What an edit of the charge says of its payment. */
const ofPayment = ({ payday, payedOutsideSvcPay, value }: EditChargeCommand): EditPayment => ({
  ...(payday === undefined ? {} : { payday }),
  ...(payedOutsideSvcPay === undefined ? {} : { payedOutsideSvcPay }),
  ...(value === undefined ? {} : { value })
})

const decide =
  (command: EditChargeCommand, attemptId: AttemptId, zone: DateTime.TimeZone) =>
  (
    found: ChargeEditContext,
    at: Times
  ): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof editCharge | typeof edit | typeof beginning>> =>
    Result.gen(function* () {
      const { plans, sameMyId, ...payment } = found
      const { owner, transaction } = payment
      if (owner._tag !== "Charge") throw new Error(`Transaction ${transaction.id} belongs to no charge`)
      const before = begunBefore(payment, attemptId)
      if (before !== undefined) return before
      const now = at.business
      const today = dateAt(now, zone)
      const context = { sameMyId: undefined, cardId: undefined, today, now }
      const way = underWayOf(transaction)
      const stands = asItStands(payment, subjectOf("transaction", transaction.id, way?.attemptId))
      if (isUnderWay(transaction, ofPayment(command), context)) return stands
      const charge = yield* editCharge(owner.charge, command, { sameMyId, plans, now })
      const edited = yield* edit(transaction, ofPayment(command), context)
      const begun = yield* beginning(edited, { attemptId, startedAt: at.machine }, today, payment, now)
      if (charge.next === owner.charge && begun === undefined && edited.next === transaction) return stands
      const decision = begun === undefined ? edited : { next: begun.next, events: [...edited.events, ...begun.events] }
      const left = { ...payment, owner: { ...owner, charge: charge.next } }
      return withCharge(changing(left, decision, now, begun?.attempt), owner.charge, charge.events)
    })

/** With the charge as it was before the edit, which the payment's own change does not know. */
const withCharge = (
  decided: Decided<PaymentLeft>,
  before: ChargeState,
  events: ReadonlyArray<BillingEvent>
): Decided<PaymentLeft> => {
  const { owner } = decided.value.payment
  const changes: ReadonlyArray<Change> =
    owner._tag === "Charge" && owner.charge !== before ? [{ table: "charges", before, next: owner.charge }] : []
  return {
    ...decided,
    changes: [...changes, ...decided.changes.filter(({ table }) => table !== "charges")],
    events: [...events, ...decided.events]
  }
}
