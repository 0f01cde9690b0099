/**
 * Disputes of card payments, over HTTP: the simulated operator reports them as any operator's adapter does.
 *
 * @since 0.1.0
 */
import { referencesOf } from "@parcela/core/transactions/TransactionReference"
import { byMyId } from "@parcela/core/values/Identifier"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { ReceiveChargebacks } from "@parcela/engine/usecases/ReceiveChargebacks"
import type { Operations } from "@parcela/http/ContractRoutes"
import { BadRequest, NotFound } from "@parcela/transport/ApiError"
import type { ChargebacksGroup } from "@parcela/transport/sandbox/ChargebackControls"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import { companyIdOf } from "./Company.ts"

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<
  Operations<typeof ChargebacksGroup>,
  never,
  ReceiveChargebacks | SandboxCompanies | Transactions
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const { receive } = yield* ReceiveChargebacks
  const transactions = yield* Transactions

  return {
    "chargebacks.open": Effect.fnUntraced(function* (request) {
      const companyId = yield* companyIdOf(companies, request)
      const found = yield* transactions.find(companyId, byMyId(request.payload.myId))
      if (Option.isNone(found)) return yield* new NotFound({ message: "The company has no such transaction" })
      // A denial of before has a name of its own: the last one is what was captured.
      const reference = referencesOf(found.value).findLast(({ kind }) => kind === "tid")
      if (reference === undefined) {
        return yield* new BadRequest({ message: "The card operator knows no charge of this transaction" })
      }
      return { status: yield* receive({ companyId, reference, process: `dispute of ${reference.value}` }) }
    })
  }
})
