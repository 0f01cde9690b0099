/**
 * A subscription with a part of its payments.
 *
 * @since 0.1.0
 */
import { nextStatuses, TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import type { Args, CompanyContext } from "@parcela/engine/ports/CommandStore"
import * as Result from "effect/Result"
import { cards } from "../tables/Cards.ts"
import { subscriptions } from "../tables/Subscriptions.ts"
import { transactions } from "../tables/Transactions.ts"
import type { Dialect } from "./Dialect.ts"
import { planColumns, planJoins, plansOf } from "./FoundPlans.ts"
import {
  type Bind,
  cardColumns,
  cardJoins,
  type Load,
  loading,
  onCards,
  reading,
  refersTo,
  stateColumns,
  stateOf,
  statesOf,
  stateRows
} from "./Load.ts"
import * as Statement from "./Statement.ts"
import { subscriberColumns, subscriberJoins, subscriberOf } from "./Subscriber.ts"

/** The statuses in which a payment may still be ended with its contract. */
const isOpen = `status IN (${TransactionStatus.literals
  .filter((status) => nextStatuses(status, "cancelContract").length > 0)
  .map((status) => `'${status}'`)
  .join(", ")})`

type PaymentArgs = Args<"subscriptionPayments">

const paymentColumns = (dialect: Dialect, { after, limit }: PaymentArgs, bind: Bind): ReadonlyArray<string> => {
  const payments = `FROM transactions
    WHERE company_id = company.id AND subscription_id = subscription.id AND id > ${bind(after)} AND ${isOpen}
    ORDER BY id LIMIT ${bind(limit)}`
  return [
    ...subscriberColumns,
    `${stateRows(dialect, payments)} AS payments`,
    `${stateRows(
      dialect,
      `FROM cards WHERE company_id = company.id
       AND id IN (SELECT card_id FROM (SELECT card_id ${payments}) AS known)`
    )} AS payment_cards`
  ]
}

const paymentJoins = ({ subscription }: PaymentArgs, bind: Bind): string => `
  LEFT JOIN subscriptions AS subscription
    ON subscription.company_id = company.id AND ${refersTo("subscription", subscription, bind)}
  ${subscriberJoins}`

const paymentsOf = (row: Statement.Row, company: CompanyContext) =>
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

const turn = (dialect: Dialect, { companyId, subscription }: PaymentArgs): Statement.Statement =>
  Statement.make(
    dialect,
    (bind) => `
      SELECT ${dialect.turnOf("subscriptions", "id")} FROM subscriptions AS root
      WHERE root.company_id = ${bind(companyId)} AND ${refersTo("root", subscription, bind)}
    `
  )

/**
 * @category loads
 * @since 0.1.0
 */
export const subscriptionPayments: Load<"subscriptionPayments"> = {
  statement: (dialect, args, key) =>
    loading(dialect, args.companyId, key, (bind) => ({
      columns: paymentColumns(dialect, args, bind),
      joins: paymentJoins(args, bind)
    })),
  turn,
  read: reading(paymentsOf)
}

/**
 * With what the edit may mean beside: a subscription of its `myId`, cards and plans.
 *
 * @category loads
 * @since 0.1.0
 */
export const subscriptionEdit: Load<"subscriptionEdit"> = {
  statement: (dialect, args, key) =>
    loading(dialect, args.companyId, key, (bind) => ({
      columns: [
        ...paymentColumns(dialect, args, bind),
        cardColumns(dialect, "subscription.customer_id", args.card, bind),
        ...planColumns,
        stateColumns("same")
      ],
      joins: `
        ${paymentJoins(args, bind)}
        ${cardJoins(args.card, bind)}
        ${planJoins(args.plan, bind)}
        LEFT JOIN subscriptions AS same ON same.company_id = company.id AND same.my_id = ${bind(args.myId ?? null)}`
    })),
  turn,
  read: reading((row, company) =>
    Result.gen(function* () {
      const found = yield* paymentsOf(row, company)
      if (found === undefined) return undefined
      return {
        ...found,
        ...(yield* onCards(row, found.customer)),
        sameMyId: (yield* stateOf(subscriptions, "same", row))?.state,
        plans: yield* plansOf(row)
      }
    })
  )
}
