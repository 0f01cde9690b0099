/**
 * Use case: edit a charge, with its payment (public use, `PUT /charges/{id}/{typeId}`).
 *
 * @since 0.1.0
 */
import { editCharge, type EditCharge as EditChargeCommand } from "@parcela/core/charges/EditCharge"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EditPayment } from "@parcela/core/transactions/EditPayment"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import type { Sequences } from "../ports/Sequences.ts"
import { Commands } from "../commands/Command.ts"
import type { CommandOutcome } from "../commands/CommandOutcome.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import type { Decided } from "../commands/Decided.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import type { ChargeEditContext } from "../loads/PayerContext.ts"
import { Settings } from "../Settings.ts"
import { decideEdit, type PaymentEditRefusal } from "./EditDecisions.ts"
import { noCharge } from "./Missing.ts"
import { begunBefore, type PaymentLeft } from "./PaymentDecisions.ts"
import { type PaymentKey, storingPayment } from "./PaymentKey.ts"
import { type AwaitingFailure, makeAwaitOutcome } from "./ProviderCommands.ts"
import * as RegisterAnew from "./RegisterAnew.ts"

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
export const make: Effect.Effect<EditCharge, never, Commands | PaymentAttempts | Secrets | Sequences> = Effect.gen(
  function* () {
    const awaitOutcome = yield* makeAwaitOutcome
    const registerAnew = yield* RegisterAnew.make
    const commands = yield* Commands
    const { zone } = yield* Settings

    return Effect.fn("Charges.edit")(function* (companyId, charge, command, key) {
      const edited = yield* awaitOutcome(
        companyId,
        (attemptId) =>
          commands.run({
            load: "chargeEdit",
            args: { companyId, charge, attempt: attemptId, myId: command.myId, plan: command },
            key: storingPayment(key),
            decide: decide(command, attemptId, zone),
            missing: () => noCharge(charge)
          }),
        key
      )
      return yield* registerAnew(companyId, edited, key)
    })
  }
)

/** What an edit of the charge says of its payment. */
const ofPayment = ({ additionalInfo, payday, payedOutsideSvcPay, value }: EditChargeCommand): EditPayment => ({
  ...(additionalInfo === undefined ? {} : { additionalInfo }),
  ...(payday === undefined ? {} : { payday }),
  ...(payedOutsideSvcPay === undefined ? {} : { payedOutsideSvcPay }),
  ...(value === undefined ? {} : { value })
})

const decide =
  (command: EditChargeCommand, attemptId: AttemptId, zone: DateTime.TimeZone) =>
  (
    found: ChargeEditContext,
    at: Times
  ): Result.Result<Decided<PaymentLeft>, PaymentEditRefusal | RefusalsOf<typeof editCharge>> => {
    const { plans, sameMyId, ...payment } = found
    const { owner, transaction } = payment
    if (owner._tag !== "Charge") throw new Error(`Transaction ${transaction.id} belongs to no charge`)
    const before = begunBefore(payment, attemptId)
    if (before !== undefined) return Result.succeed(before)
    const charge = editCharge(owner.charge, command, { sameMyId, plans, now: at.business })
    return decideEdit(payment, ofPayment(command), {
      attemptId,
      at,
      cardId: undefined,
      charge,
      sameMyId: undefined,
      zone
    })
  }
