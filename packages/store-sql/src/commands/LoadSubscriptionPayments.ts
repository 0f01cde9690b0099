/**
 * A subscription with a part of its payments.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { subscriptions } from "../tables/Subscriptions.ts"
import { transactions } from "../tables/Transactions.ts"
import { type Load, loading, reading, stateColumns, stateOf, statesOf, stateRows } from "./Load.ts"
import * as Statement from "./Statement.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const subscriptionPayments: Load<"subscriptionPayments"> = {
  statement: (dialect, { after, companyId, limit, subscriptionId }, key) =>
    loading(dialect, companyId, key, (bind) => ({
      columns: [
        stateColumns("subscription"),
        `${stateRows(
          dialect,
          `FROM transactions
           WHERE company_id = company.id AND subscription_id = subscription.id AND id > ${bind(after)}
           ORDER BY id LIMIT ${bind(limit)}`
        )} AS payments`
      ],
      joins: `
        LEFT JOIN subscriptions AS subscription
          ON subscription.company_id = company.id AND subscription.id = ${bind(subscriptionId)}`
    })),

  turn: (dialect, { companyId, subscriptionId }) =>
    Statement.make(
      dialect,
      (bind) => `
        SELECT ${dialect.turnOf("subscriptions", "id")} FROM subscriptions WHERE company_id = ${bind(companyId)} AND id = ${bind(subscriptionId)}
      `
    ),

  read: reading((row, company) =>
    Result.gen(function* () {
      const subscription = yield* stateOf(subscriptions, "subscription", row)
      if (subscription === undefined) return undefined
      return {
        ...company,
        guard: { table: "subscriptions", id: subscription.state.id, version: subscription.version } as const,
        subscription: subscription.state,
        payments: yield* statesOf(transactions, row["payments"])
      }
    })
  )
}
