/**
 * What creating a subscription rests on: the customers and cards that the request may mean, and a subscription with the
 * same `myId`.
 *
 * @since 0.1.0
 */
import { subscriptions } from "../tables/Subscriptions.ts"
import { instalmentColumns, instalmentJoins, instalmentsOf } from "./FoundInstalments.ts"
import { payerColumns, payerIn, payerJoins, payerTurn } from "./FoundPayer.ts"
import { planColumns, planJoins, plansOf } from "./FoundPlans.ts"
import { type Load, loading, reading, stateColumns, stateOf } from "./Load.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const newSubscription: Load<"newSubscription"> = {
  statement: loading((ask) => {
    const card = ask.of(({ card }) => card)
    const instalments = ask.of(({ instalments }) => instalments)
    const customer = ask.of(({ customer }) => customer)
    const plan = ask.of(({ plan }) => plan)
    return {
      columns: [
        ...payerColumns(customer, card),
        ...instalmentColumns(instalments),
        ...planColumns(plan),
        stateColumns("same")
      ],
      joins: `
        ${payerJoins(customer, card)}
        ${instalmentJoins(instalments)}
        ${planJoins(plan)}
        LEFT JOIN subscriptions AS same
          ON same.company_id = company.id AND same.my_id = ${ask.bind(({ myId }) => myId)}`
    }
  }),

  turn: payerTurn,

  read: reading((row, company) => {
    const { cards, customers, versions } = payerIn(row)
    const sameMyId = stateOf(subscriptions, "same", row)?.state
    return { ...company, customers, versions, cards, sameMyId, instalments: instalmentsOf(row), plans: plansOf(row) }
  })
}
