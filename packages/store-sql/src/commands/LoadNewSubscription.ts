/**
 * What creating a subscription rests on: the customers and cards that the request may mean, and a subscription with the
 * same `myId`.
 *
 * @since 0.1.0
 */
import type { SvcPayId } from "@parcela/core/values/Identifier"
import * as Result from "effect/Result"
import { customers } from "../tables/Customers.ts"
import { subscriptions } from "../tables/Subscriptions.ts"
import { instalmentColumns, instalmentJoins, instalmentsOf } from "./FoundInstalments.ts"
import { cardColumns, cardJoins, cardsOf, type Load, loading, reading, stateColumns, stateOf } from "./Load.ts"
import * as Statement from "./Statement.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const newSubscription: Load<"newSubscription"> = {
  statement: (dialect, { card, companyId, customer, instalments, myId }, key) =>
    loading(dialect, companyId, key, (bind) => ({
      columns: [
        cardColumns(dialect, "by_id.id, by_my_id.id, by_document.id", card, bind),
        instalmentColumns(dialect, instalments, bind),
        ...["same", "by_id", "by_my_id", "by_document"].map(stateColumns)
      ],
      joins: `
        ${cardJoins(card, bind)}
        ${instalmentJoins(instalments, bind)}
        LEFT JOIN subscriptions AS same ON same.company_id = company.id AND same.my_id = ${bind(myId)}
        LEFT JOIN customers AS by_id
          ON by_id.company_id = company.id AND by_id.id = ${bind(customer.svcPayId ?? null)}
        LEFT JOIN customers AS by_my_id
          ON by_my_id.company_id = company.id AND by_my_id.my_id = ${bind(customer.myId ?? null)}
        LEFT JOIN customers AS by_document
          ON by_document.company_id = company.id AND by_document.document = ${bind(customer.document ?? null)}`
    })),

  turn: (dialect, { companyId, customer }) =>
    Statement.make(
      dialect,
      (bind) => `
        SELECT ${dialect.turnOf("customers", "id")} FROM customers
        WHERE company_id = ${bind(companyId)} AND (
          id = ${bind(customer.svcPayId ?? null)} OR my_id = ${bind(customer.myId ?? null)}
          OR document = ${bind(customer.document ?? null)}
        ) ORDER BY id
      `
    ),

  read: reading((row, company) =>
    Result.gen(function* () {
      const bySvcPayId = yield* stateOf(customers, "by_id", row)
      const byMyId = yield* stateOf(customers, "by_my_id", row)
      const byDocument = yield* stateOf(customers, "by_document", row)
      const versions = new Map<SvcPayId, number>()
      for (const found of [bySvcPayId, byMyId, byDocument]) {
        if (found !== undefined) versions.set(found.state.id, found.version)
      }
      return {
        ...company,
        sameMyId: (yield* stateOf(subscriptions, "same", row))?.state,
        customers: { bySvcPayId: bySvcPayId?.state, byMyId: byMyId?.state, byDocument: byDocument?.state },
        versions,
        cards: yield* cardsOf(row),
        instalments: yield* instalmentsOf(row)
      }
    })
  )
}
