/**
 * What adding a payment rests on: the subscription with its customer and card, a payment with the same `myId`, and the
 * cards that the request may mean.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { transactions } from "../tables/Transactions.ts"
import {
  cardColumns,
  cardJoins,
  type Load,
  loading,
  onCards,
  reading,
  refersTo,
  stateColumns,
  stateOf
} from "./Load.ts"
import * as Statement from "./Statement.ts"
import { subscriberColumns, subscriberJoins, subscriberOf } from "./Subscriber.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const newPayment: Load<"newPayment"> = {
  statement: (dialect, { card, companyId, myId, subscription }, key) =>
    loading(dialect, companyId, key, (bind) => ({
      columns: [
        cardColumns(dialect, "subscription.customer_id", card, bind),
        ...subscriberColumns,
        stateColumns("same")
      ],
      joins: `
        ${cardJoins(card, bind)}
        LEFT JOIN subscriptions AS subscription
          ON subscription.company_id = company.id AND ${refersTo("subscription", subscription, bind)}
        ${subscriberJoins}
        LEFT JOIN transactions AS same ON same.company_id = company.id AND same.my_id = ${bind(myId)}`
    })),

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
      const sameMyId = (yield* stateOf(transactions, "same", row))?.state
      return { ...company, ...subscriber, ...(yield* onCards(row, subscriber.customer)), sameMyId }
    })
  )
}
