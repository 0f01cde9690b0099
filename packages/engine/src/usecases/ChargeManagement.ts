/**
 * The use cases of charges, as one service. A charge has one payment, and what is asked of the charge is asked of that.
 *
 * @since 0.1.0
 */
import { deactivate } from "@parcela/core/charges/ChargeDecider"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ReverseTransaction } from "@parcela/core/transactions/ReverseTransaction"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import { Commands, withoutKey } from "../commands/Command.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import { type Decided, nothingToWrite } from "../commands/Decided.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import type { Sequences } from "../ports/Sequences.ts"
import type { StoreError } from "../ports/StoreError.ts"
import type { CardVaulting } from "./CardVaulting.ts"
import * as CreateCharge from "./CreateCharge.ts"
import * as EditCharge from "./EditCharge.ts"
import { noCharge } from "./Missing.ts"
import { changing } from "./PaymentDecisions.ts"
import type { PaymentKey } from "./PaymentKey.ts"
import * as ProviderCommands from "./ProviderCommands.ts"

type Asked<Name extends keyof ProviderCommands.ProviderCommands> = ReturnType<ProviderCommands.ProviderCommands[Name]>

/**
 * A command on the payment of a charge, which it names.
 *
 * @category models
 * @since 0.1.0
 */
export type ChargeCommand<Name extends keyof ProviderCommands.ProviderCommands> = (
  companyId: CompanyId,
  charge: EntityRef,
  key?: PaymentKey
) => Asked<Name>

/**
 * @category services
 * @since 0.1.0
 */
export class ChargeManagement extends Context.Service<
  ChargeManagement,
  {
    readonly create: CreateCharge.CreateCharge
    readonly edit: EditCharge.EditCharge
    readonly retry: ChargeCommand<"retry">
    readonly capture: ChargeCommand<"capture">
    readonly reverse: (
      companyId: CompanyId,
      charge: EntityRef,
      command: ReverseTransaction,
      key?: PaymentKey
    ) => Asked<"reverse">
    /** Cancels a charge with its payment; a boleto or a Pix is withdrawn at its provider first. */
    readonly cancel: ChargeCommand<"cancel">
    /** Sets a charge aside whose card did not come. One that comes after all activates it. */
    readonly deactivate: (
      companyId: CompanyId,
      charge: EntityRef
    ) => Effect.Effect<ChargeState, RefusalsOf<typeof deactivate | typeof noCharge> | StoreError>
  }
>()("@parcela/engine/usecases/ChargeManagement") {
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
        edit: yield* EditCharge.make,
        retry: (companyId, charge, key) => payments.retry(companyId, paymentOf(charge), key),
        capture: (companyId, charge, key) => payments.capture(companyId, paymentOf(charge), key),
        reverse: (companyId, charge, command, key) => payments.reverse(companyId, paymentOf(charge), command, key),
        cancel: (companyId, charge, key) => payments.cancel(companyId, paymentOf(charge), key),
        deactivate: Effect.fn("Charges.deactivate")((companyId, charge) =>
          withoutKey(
            commands.run({
              load: "payment",
              args: { companyId, transaction: paymentOf(charge) },
              decide: setAside,
              missing: () => noCharge(charge)
            })
          )
        )
      })
    })
  )
}

/** It knows what it wrote, as a commit whose reply was lost runs it again: one that is set aside stays so. */
const setAside = (
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
