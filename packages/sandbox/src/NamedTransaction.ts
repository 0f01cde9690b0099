/**
 * The transaction that a control names: by its number, by its own `myId`, or by that of the charge that it is the payment of.
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
    const found = yield* transactions.find(companyId, ref)
    if (Option.isSome(found)) return found.value
    const charge = ref.typeId === "myId" ? Option.getOrUndefined(yield* charges.find(companyId, ref)) : undefined
    const [payment] = charge === undefined ? [] : yield* transactions.ofCharges(companyId, [charge.id])
    return payment?.transaction ?? (yield* new NotFound({ message: "The company has no such transaction" }))
  })
})
