/**
 * What making instalments rests on: the subscription with its customer and card, and what is there of the instalments.
 *
 * @since 0.1.0
 */
import { instalmentColumns, instalmentJoins, instalmentsOf } from "./FoundInstalments.ts"
import { type Load, loading, reading } from "./Load.ts"
import * as Statement from "./Statement.ts"
import { subscriberColumns, subscriberJoins, subscriberOf } from "./Subscriber.ts"
import { turnOf } from "./Dialect.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const instalments: Load<"instalments"> = {
  statement: loading((ask) => {
    const query = ask.of(({ instalments }) => instalments)
    return {
      columns: [...subscriberColumns, ...instalmentColumns(query)],
      joins: `
        LEFT JOIN subscriptions AS subscription
          ON subscription.company_id = company.id AND subscription.id = ${ask.bind(({ subscriptionId }) => subscriptionId)}
        ${subscriberJoins}
        ${instalmentJoins(query)}`
    }
  }),

  turn: Statement.prepared(
    ({ bind }) => `
      SELECT ${turnOf("subscriptions", "id")} FROM subscriptions
      WHERE company_id = ${bind(({ companyId }) => companyId)} AND id = ${bind(({ subscriptionId }) => subscriptionId)}
    `
  ),

  read: reading((row, company) => {
    const subscriber = subscriberOf(row)
    if (subscriber === undefined) return undefined
    return { ...company, ...subscriber, instalments: instalmentsOf(row) }
  })
}
