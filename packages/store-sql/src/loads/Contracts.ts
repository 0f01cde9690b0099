/**
 * What creating a subscription rests on: the customers and cards that the request may mean, and a subscription with the
 * same `myId`.
 *
 * @since 0.1.0
 */
import { subscriptions, charges, transactions, cards } from "../tables/Entities.ts"
import {
  instalmentColumns,
  instalmentJoins,
  instalmentsOf,
  payerColumns,
  payerIn,
  payerJoins,
  payerTurn,
  planColumns,
  planJoins,
  plansOf,
  cardColumns,
  cardJoins,
  onCards
} from "./RequestedEntities.ts"
import { type Load, loading, reading, stateColumns, stateOf, isAsked, statesOf, stateRows } from "./Load.ts"
import { nextStatuses, TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import type { Args } from "@parcela/engine/command/Loads"
import type { CompanyContext } from "@parcela/engine/command/LoadedCompany"
import { owed } from "../tables/Customers.ts"
import type * as Statement from "../sql/Statement.ts"
import { subscriberColumns, subscriberJoins, subscriberOf, turnOfSubscription } from "./NewPayments.ts"

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

/** The statuses in which a payment may still be ended with its contract. */
const isOpen = `status IN (${TransactionStatus.literals
  .filter((status) => nextStatuses(status, "cancelContract").length > 0)
  .map((status) => `'${status}'`)
  .join(", ")})`

type PaymentArgs = Args<"subscriptionPayments">

/** Among so many payments that a customer owes, those of one subscription are looked for. */
const mostOwed = 200

/**
 * The next open payments of a subscription, which are owed by its customer: found among what that one owes, however many payments of
 * the subscription are over; and where that is much, among all of the subscription, where many are open then. No index has both.
 */
const openPayments = ({ bind, dialect }: Statement.Asking<PaymentArgs>): string => {
  const limit = bind(({ limit }) => limit)
  const isNext = `id > ${bind(({ after }) => after)} AND ${isOpen}`
  const owedBy = (customer: string) =>
    `transactions ${dialect.indexedBy("transactions_owed_by")}
      WHERE company_id = company.id AND customer_id = ${customer} AND ${owed("transactions")}`
  const isMuch = `(SELECT count(*) FROM (SELECT 1 FROM ${owedBy("subscription.customer_id")} LIMIT ${mostOwed + 1}) AS counted)
    > ${mostOwed}`
  // Nothing equals null: one of the two finds nothing, without a look at a row.
  return `FROM transactions WHERE id IN (SELECT id FROM (
      SELECT id FROM ${owedBy(`CASE WHEN ${isMuch} THEN NULL ELSE subscription.customer_id END`)}
        AND subscription_id = subscription.id AND ${isNext}
      UNION ALL SELECT id FROM (SELECT id FROM transactions
        WHERE company_id = company.id AND subscription_id = CASE WHEN ${isMuch} THEN subscription.id END AND ${isNext}
        ORDER BY id LIMIT ${limit}) AS listed
    ) AS found ORDER BY id LIMIT ${limit}) ORDER BY id`
}

const paymentColumns = (ask: Statement.Asking<PaymentArgs>): ReadonlyArray<string> => {
  const { dialect } = ask
  const payments = openPayments(ask)
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

const paymentJoins = (ask: Statement.Asking<PaymentArgs>): string => `
  LEFT JOIN subscriptions AS subscription ON subscription.company_id = company.id
    AND ${isAsked(
      "subscription",
      ask.of(({ subscription }) => subscription)
    )}
  ${subscriberJoins}`

const paymentsOf = (row: Statement.Row, company: CompanyContext) => {
  const subscriber = subscriberOf(row)
  if (subscriber === undefined) return undefined
  return {
    ...company,
    ...subscriber,
    payments: statesOf(transactions, row["payments"]),
    paymentCards: statesOf(cards, row["payment_cards"])
  }
}

/**
 * @category loads
 * @since 0.1.0
 */
export const subscriptionPayments: Load<"subscriptionPayments"> = {
  statement: loading((ask) => ({ columns: paymentColumns(ask), joins: paymentJoins(ask) })),
  turn: turnOfSubscription,
  read: reading(paymentsOf)
}

/**
 * With what the edit may mean beside: a subscription of its `myId`, cards and plans.
 *
 * @category loads
 * @since 0.1.0
 */
export const subscriptionEdit: Load<"subscriptionEdit"> = {
  statement: loading((ask) => {
    const card = ask.of(({ card }) => card)
    const plan = ask.of(({ plan }) => plan)
    return {
      columns: [
        ...paymentColumns(ask),
        ...cardColumns("subscription.customer_id", card),
        ...planColumns(plan),
        stateColumns("same")
      ],
      joins: `
        ${paymentJoins(ask)}
        ${cardJoins(card)}
        ${planJoins(plan)}
        LEFT JOIN subscriptions AS same
          ON same.company_id = company.id AND same.my_id = ${ask.bind(({ myId }) => myId ?? null)}`
    }
  }),
  turn: turnOfSubscription,
  read: reading((row, company) => {
    const found = paymentsOf(row, company)
    if (found === undefined) return undefined
    return {
      ...found,
      ...onCards(row, found.customer),
      sameMyId: stateOf(subscriptions, "same", row)?.state,
      plans: plansOf(row)
    }
  })
}
