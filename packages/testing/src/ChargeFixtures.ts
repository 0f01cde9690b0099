/**
 * Charges that suites of the store's ports start from.
 *
 * @since 0.1.0
 */
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { bySvcPayId, MyId } from "@parcela/core/values/Identifier"
import { Sequences } from "@parcela/engine/ports/Sequences"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import * as Effect from "effect/Effect"
import { keptCard, keptCompany, keptCustomer, minute, newTransaction } from "./StoreFixtures.ts"
import { writeChange } from "./StoreWrites.ts"

/**
 * A charge that is not kept yet, of a customer that is.
 *
 * @category new
 * @since 0.1.0
 */
export const newCharge = Effect.fnUntraced(function* (
  companyId: CompanyId,
  changes: Partial<ChargeState> = {}
): Effect.fn.Return<ChargeState, unknown, StorePorts> {
  const sequences = yield* Sequences
  const id = yield* sequences.next("charge")
  return {
    id,
    companyId,
    myId: MyId.make(`charge ${id}`),
    customerId: changes.customerId ?? (yield* keptCustomer(companyId)).id,
    status: "active",
    mainPaymentMethodId: "creditcard",
    value: Cents.make(12_990),
    createdAt: minute(0),
    updatedAt: minute(0),
    ...changes
  }
})

/**
 * @category kept
 * @since 0.1.0
 */
export const keptCharge = Effect.fnUntraced(function* (companyId: CompanyId, changes: Partial<ChargeState> = {}) {
  const charge = yield* newCharge(companyId, changes)
  yield* writeChange({ table: "charges", next: charge })
  return charge
})

/**
 * A card payment of a charge.
 *
 * @category kept
 * @since 0.1.0
 */
export const keptChargePayment = Effect.gen(function* () {
  const company = yield* keptCompany
  const customer = yield* keptCustomer(company.id)
  const card = yield* keptCard(company.id, { customerId: customer.id })
  const charge = yield* keptCharge(company.id, { customerId: customer.id, cardId: card.id })
  const opened = yield* newTransaction(company.id, { owner: { _tag: "Charge", id: charge.id }, cardId: card.id })
  yield* writeChange({ table: "transactions", next: opened, customerId: customer.id })
  const args = { companyId: company.id, transaction: bySvcPayId(opened.id) }
  return { args, card, charge, company, customer, opened }
})
