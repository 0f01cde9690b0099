/**
 * A subscription with a part of its payments.
 *
 * @since 0.1.0
 */
import { nextStatuses, TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import * as Result from "effect/Result"
import { cards } from "../tables/Cards.ts"
import { transactions } from "../tables/Transactions.ts"
import { type Load, loading, reading, refersTo, statesOf, stateRows } from "./Load.ts"
import * as Statement from "./Statement.ts"
import { subscriberColumns, subscriberJoins, subscriberOf } from "./Subscriber.ts"

/** The statuses in which a payment may still be ended with its contract. */
const isOpen = `status IN (${TransactionStatus.literals
  .filter((status) => nextStatuses(status, "cancelContract").length > 0)
  .map((status) => `'${status}'`)
  .join(", ")})`

/**
 * @category loads
 * @since 0.1.0
 */
export const subscriptionPayments: Load<"subscriptionPayments"> = {
  statement: (dialect, { after, companyId, limit, subscription }, key) =>
    loading(dialect, companyId, key, (bind) => {
      const payments = `FROM transactions
        WHERE company_id = company.id AND subscription_id = subscription.id AND id > ${bind(after)} AND ${isOpen}
        ORDER BY id LIMIT ${bind(limit)}`
      return {
        columns: [
          ...subscriberColumns,
          `${stateRows(dialect, payments)} AS payments`,
          `${stateRows(
            dialect,
            `FROM cards WHERE company_id = company.id
             AND id IN (SELECT card_id FROM (SELECT card_id ${payments}) AS known)`
          )} AS payment_cards`
        ],
        joins: `
          LEFT JOIN subscriptions AS subscription
            ON subscription.company_id = company.id AND ${refersTo("subscription", subscription, bind)}
          ${subscriberJoins}`
      }
    }),

  turn: (dialect, { companyId, subscription }) =>
    Statement.make(
      dialect,
      (bind) => `
        SELECT ${dialect.turnOf("subscriptions", "id")} FROM subscriptions AS root
        WHERE root.company_id = ${bind(companyId)} AND ${refersTo("root", subscription, bind)}
      `
    ),

  read: reading((row, company) =>
    Result.gen(function* () {
      const subscriber = yield* subscriberOf(row)
      if (subscriber === undefined) return undefined
      return {
        ...company,
        ...subscriber,
        payments: yield* statesOf(transactions, row["payments"]),
        paymentCards: yield* statesOf(cards, row["payment_cards"])
      }
    })
  )
}
