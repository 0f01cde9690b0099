/**
 * The service that contains the use cases of charges. A charge has exactly one payment, and most commands on a charge
 * run on its payment.
 *
 * @since 0.1.0
 */
import { deactivate, editCharge } from "@parcela/core/charges/ChargeDecider"
import type { EditCharge as EditChargeCommand } from "@parcela/core/charges/Charge"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ReverseTransaction, EditPayment } from "@parcela/core/transactions/PaymentRequests"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { PaymentAttempts } from "../payments/PaymentAttempts.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import { Commands, withoutKey, type CommandOutcome } from "../command/Command.ts"
import { type RefusalsOf, type Decided, nothingToWrite } from "../command/Decided.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { PaymentContext, ChargeEditContext } from "../command/LoadedPayments.ts"
import type { Sequences } from "../ports/Sequences.ts"
import type { StoreError } from "../ports/StoreError.ts"
import type { CardVaulting } from "../cards/CardVaulting.ts"
import * as CreateCharge from "./CreateCharge.ts"
import { noCharge } from "../command/Missing.ts"
import { changing, startedBefore, type PaymentResult } from "../payments/PaymentDecisions.ts"
import { type PaymentKey, storingPayment } from "../payments/AttemptRecords.ts"
import * as ProviderCommands from "../payments/ProviderCommands.ts"
import { type AwaitingFailure, makeAwaitOutcome } from "../payments/ProviderCommands.ts"
import type * as DateTime from "effect/DateTime"
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import { Settings } from "../Settings.ts"
import { decideEdit, type PaymentEditRefusal } from "../payments/EditPayment.ts"
import * as SendPayment from "../payments/SendPayment.ts"
import * as Spans from "../Spans.ts"

type CommandEffect<Name extends keyof ProviderCommands.ProviderCommands> = ReturnType<
  ProviderCommands.ProviderCommands[Name]
>

/**
 * A command on the payment of a charge.
 *
 * @category models
 * @since 0.1.0
 */
export type ChargeCommand<Name extends keyof ProviderCommands.ProviderCommands> = (
  companyId: CompanyId,
  charge: EntityRef,
  key?: PaymentKey
) => CommandEffect<Name>

/**
 * @category services
 * @since 0.1.0
 */
export class ChargeManagement extends Context.Service<
  ChargeManagement,
  {
    readonly create: CreateCharge.CreateCharge
    readonly edit: EditCharge
    readonly retry: ChargeCommand<"retry">
    readonly capture: ChargeCommand<"capture">
    readonly reverse: (
      companyId: CompanyId,
      charge: EntityRef,
      command: ReverseTransaction,
      key?: PaymentKey
    ) => CommandEffect<"reverse">
    /** Cancels a charge with its payment. The provider withdraws a boleto or a Pix first. */
    readonly cancel: ChargeCommand<"cancel">
    /** Deactivates a charge that waits for its card. A card that arrives later activates the charge again. */
    readonly deactivate: (
      companyId: CompanyId,
      charge: EntityRef
    ) => Effect.Effect<ChargeState, RefusalsOf<typeof deactivate | typeof noCharge> | StoreError>
  }
>()("@parcela/engine/charges/ChargeManagement") {
  static readonly layer: Layer.Layer<
    ChargeManagement,
    never,
    CardVaulting | Commands | PaymentAttempts | Secrets | Sequences
  > = Layer.effect(
    ChargeManagement,
    Effect.gen(function* () {
      const commands = yield* Commands
      const payments = yield* ProviderCommands.make
      return ChargeManagement.of({
        create: yield* CreateCharge.make,
        edit: yield* make,
        retry: (companyId, charge, key) => payments.retry(companyId, paymentOf(charge), key),
        capture: (companyId, charge, key) => payments.capture(companyId, paymentOf(charge), key),
        reverse: (companyId, charge, command, key) => payments.reverse(companyId, paymentOf(charge), command, key),
        cancel: (companyId, charge, key) => payments.cancel(companyId, paymentOf(charge), key),
        deactivate: Spans.fn("Charges.deactivate")((companyId, charge) =>
          withoutKey(
            commands.run({
              load: "payment",
              args: { companyId, transaction: paymentOf(charge) },
              decide: decideDeactivation,
              missing: () => noCharge(charge)
            })
          )
        )
      })
    })
  )
}

/**
 * Deactivates a charge. Idempotent: if the reply to the commit is lost, the command runs again and finds the charge
 * inactive.
 */
const decideDeactivation = (
  found: PaymentContext,
  at: Times
): Result.Result<Decided<ChargeState>, RefusalsOf<typeof deactivate>> => {
  const charge = chargeOf(found)
  if (charge.status === "inactive") return Result.succeed(nothingToWrite(charge))
  return Result.map(deactivate(charge, at.business), (decision) => {
    const { value, ...written } = changing(
      found,
      { next: found.transaction, events: [] },
      at.business,
      undefined,
      decision
    )
    return { ...written, value: chargeOf(value.payment) }
  })
}

const chargeOf = ({ owner, transaction }: PaymentContext): ChargeState => {
  if (owner._tag !== "Charge") throw new Error(`Transaction ${transaction.id} belongs to no charge`)
  return owner.charge
}

const paymentOf = (charge: EntityRef) => ({ typeId: "charge", charge }) as const

/**
 * Edits a charge. An attempt that the edit starts is sent to its provider before the effect returns. If its outcome is
 * unknown, the effect fails with `OutcomeUnknown`.
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
const make: Effect.Effect<EditCharge, never, Commands | PaymentAttempts | Secrets | Sequences> = Effect.gen(
  function* () {
    const awaitOutcome = yield* makeAwaitOutcome
    const registerAgain = yield* SendPayment.makeRegisterAgain
    const commands = yield* Commands
    const { zone } = yield* Settings

    return Spans.fn("Charges.edit")(function* (companyId, charge, command, key) {
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
      return yield* registerAgain(companyId, edited, key)
    })
  }
)

/** Returns the part of an edit that concerns the payment. */
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
  ): Result.Result<Decided<PaymentResult>, PaymentEditRefusal | RefusalsOf<typeof editCharge>> => {
    const { plans, sameMyId, ...payment } = found
    const { owner, transaction } = payment
    if (owner._tag !== "Charge") throw new Error(`Transaction ${transaction.id} belongs to no charge`)
    const before = startedBefore(payment, attemptId)
    if (before !== undefined) return Result.succeed(before)
    const charge = editCharge(owner.charge, command, { sameMyId, plans, now: at.business })
    const { mainPaymentMethodId } = command
    const { cardId, creditCard } = owner.charge
    return decideEdit(payment, ofPayment(command), {
      attemptId,
      at,
      cardId: undefined,
      charge,
      sameMyId: undefined,
      terms: mainPaymentMethodId && { mainPaymentMethodId, cardId, creditCard },
      zone
    })
  }
