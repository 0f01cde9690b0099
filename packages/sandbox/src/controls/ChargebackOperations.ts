/**
 * Disputes of card payments, over HTTP. The simulated operator reports disputes as any operator's adapter does.
 *
 * @since 0.1.0
 */
import { referencesOf } from "@parcela/core/transactions/TransactionState"
import { dispute } from "@parcela/core/transactions/TransactionReversal"
import { byMyId, bySvcPayId } from "@parcela/core/values/Identifier"
import type { Charges } from "@parcela/engine/ports/Charges"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { ClockManagement } from "@parcela/engine/clock/Clocks"
import { ReceiveChargebacks } from "@parcela/engine/payments/IncomingPayments"
import type { Operations } from "@parcela/http/Operation"
import { disputeOf } from "@parcela/provider-simulator/SimulatedChargebacks"
import { BadRequest, GatewayTimeout, NotFound } from "@parcela/transport/ApiError"
import type { ChargebacksGroup } from "@parcela/transport/sandbox/CardControls"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as NamedTransaction from "../NamedTransaction.ts"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import { companyIdOf } from "./Company.ts"

const made = "The dispute was made, but the status of the transaction could not be read: repeat the request to get it"

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<
  Operations<typeof ChargebacksGroup>,
  never,
  Charges | ClockManagement | ReceiveChargebacks | SandboxCompanies | Transactions
> = Effect.gen(function* () {
  const clocks = yield* ClockManagement
  const companies = yield* SandboxCompanies
  const named = yield* NamedTransaction.make
  const { receive } = yield* ReceiveChargebacks
  const transactions = yield* Transactions

  return {
    "chargebacks.open": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const transaction = yield* named(companyId, byMyId(request.payload.myId))
      const clock = yield* clocks.show(companyId)
      if (Option.isNone(clock)) return yield* new NotFound({ message: "There is no such company" })
      // An earlier denied attempt has a reference of its own; the last reference is the captured one.
      const reference = referencesOf(transaction).findLast(({ kind }) => kind === "tid")
      if (reference === undefined) {
        return yield* new BadRequest({ message: "The card operator knows no charge of this transaction" })
      }
      const disputed = disputeOf(companyId, reference.value)
      // An operator reports a dispute only for a captured amount.
      yield* Effect.fromResult(dispute(transaction, disputed.id, clock.value.business))
      yield* receive(disputed)
      const after = yield* Effect.catchTag(transactions.find(companyId, bySvcPayId(transaction.id)), "StoreError", () =>
        Effect.fail(new GatewayTimeout({ message: made }))
      )
      return { status: Option.getOrElse(after, () => transaction).status }
    })
  }
})
