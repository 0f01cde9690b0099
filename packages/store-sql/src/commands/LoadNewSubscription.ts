/**
 * What creating a subscription rests on: the customers and cards that the request may mean, and a subscription with the
 * same `myId`.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
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
  statement: (dialect, { card, companyId, customer, instalments, myId, plan }, key) =>
    loading(dialect, companyId, key, (bind) => ({
      columns: [
        ...payerColumns(dialect, card, bind),
        instalmentColumns(dialect, instalments, bind),
        ...planColumns,
        stateColumns("same")
      ],
      joins: `
        ${payerJoins(customer, card, bind)}
        ${instalmentJoins(instalments, bind)}
        ${planJoins(plan, bind)}
        LEFT JOIN subscriptions AS same ON same.company_id = company.id AND same.my_id = ${bind(myId)}`
    })),

  turn: payerTurn,

  read: reading((row, company) =>
    Result.gen(function* () {
      const sameMyId = (yield* stateOf(subscriptions, "same", row))?.state
      return {
        ...company,
        ...(yield* payerIn(row)),
        sameMyId,
        instalments: yield* instalmentsOf(row),
        plans: yield* plansOf(row)
      }
    })
  )
}
