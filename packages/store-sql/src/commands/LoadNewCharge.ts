/**
 * What creating a charge rests on: the customers and cards that the request may mean, and a charge with the same `myId`,
 * with its payment.
 *
 * @since 0.1.0
 */
import { charges } from "../tables/Charges.ts"
import { transactions } from "../tables/Transactions.ts"
import { payerColumns, payerIn, payerJoins, payerTurn } from "./FoundPayer.ts"
import { planColumns, planJoins, plansOf } from "./FoundPlans.ts"
import { type Load, loading, reading, stateColumns, stateOf } from "./Load.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const newCharge: Load<"newCharge"> = {
  statement: loading((ask) => {
    const card = ask.of(({ card }) => card)
    const customer = ask.of(({ customer }) => customer)
    const plan = ask.of(({ plan }) => plan)
    return {
      columns: [
        ...payerColumns(customer, card),
        ...planColumns(plan),
        stateColumns("same"),
        stateColumns("same_payment")
      ],
      joins: `
        ${payerJoins(customer, card)}
        ${planJoins(plan)}
        LEFT JOIN charges AS same ON same.company_id = company.id AND same.my_id = ${ask.bind(({ myId }) => myId)}
        LEFT JOIN transactions AS same_payment
          ON same_payment.company_id = company.id AND same_payment.charge_id = same.id`
    }
  }),

  turn: payerTurn,

  read: reading((row, company) => {
    const sameMyId = stateOf(charges, "same", row)?.state
    const samePayment = stateOf(transactions, "same_payment", row)?.state
    return { ...company, ...payerIn(row), sameMyId, samePayment, plans: plansOf(row) }
  })
}
