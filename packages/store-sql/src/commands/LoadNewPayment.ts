/**
 * What adding a payment rests on: the subscription with its customer and card, a payment with the same `myId`, and the
 * cards that the request may mean.
 *
 * @since 0.1.0
 */
import { transactions } from "../tables/Transactions.ts"
import { cardColumns, cardJoins, isAsked, type Load, loading, onCards, reading, stateColumns, stateOf } from "./Load.ts"
import { subscriberColumns, subscriberJoins, subscriberOf, turnOfSubscription } from "./Subscriber.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const newPayment: Load<"newPayment"> = {
  statement: loading((ask) => {
    const card = ask.of(({ card }) => card)
    return {
      columns: [...cardColumns("subscription.customer_id", card), ...subscriberColumns, stateColumns("same")],
      joins: `
        ${cardJoins(card)}
        LEFT JOIN subscriptions AS subscription ON subscription.company_id = company.id
          AND ${isAsked(
            "subscription",
            ask.of(({ subscription }) => subscription)
          )}
        ${subscriberJoins}
        LEFT JOIN transactions AS same
          ON same.company_id = company.id AND same.my_id = ${ask.bind(({ myId }) => myId)}`
    }
  }),

  turn: turnOfSubscription,

  read: reading((row, company) => {
    const subscriber = subscriberOf(row)
    if (subscriber === undefined) return undefined
    const { customer, guard, subscription, subscriptionCard } = subscriber
    const { cards, customerGuard } = onCards(row, customer)
    const sameMyId = stateOf(transactions, "same", row)?.state
    // Field by field: an object that is put together of several takes as long as reading the states.
    return { ...company, guard, subscription, customer, subscriptionCard, customerGuard, cards, sameMyId }
  })
}
