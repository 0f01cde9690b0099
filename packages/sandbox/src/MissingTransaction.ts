/**
 * Why a control finds no transaction: often a charge was named, whose payment has a number of its own.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import { Charges } from "@parcela/engine/ports/Charges"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { NotFound } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const charges = yield* Charges
  const transactions = yield* Transactions

  return Effect.fnUntraced(function* (companyId: CompanyId, ref: EntityRef) {
    const charge = ref.typeId === "myId" ? Option.getOrUndefined(yield* charges.find(companyId, ref)) : undefined
    const payments = charge === undefined ? [] : yield* transactions.ofCharges(companyId, [charge.id])
    const [payment] = payments
    if (payment === undefined) return yield* new NotFound({ message: "The company has no such transaction" })
    return yield* new NotFound({
      message: `${ref.id} is a charge: name its payment, transaction ${payment.transaction.id}`
    })
  })
})
