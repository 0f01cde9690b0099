/**
 * The loads of new charges and subscriptions, and of the payments of a subscription.
 *
 * @since 0.1.0
 */
import { nextStatuses, TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import type { CompanyContext } from "@parcela/engine/command/LoadedCompany"
import type { Args } from "@parcela/engine/command/Loads"
import type * as Statement from "../sql/Statement.ts"
import { owed } from "../tables/Customers.ts"
import { cards, charges, subscriptions, transactions } from "../tables/Entities.ts"
import { decodeLoad, join, type Load, loadStatement, stateOf, stateOfAlias, statesAsJson, statesOf } from "./Load.ts"
import {
  isRequestedSubscription,
  lockSubscription,
  subscriberColumns,
  subscriberJoins,
  subscriberOf
} from "./NewPayments.ts"
import {
  cardColumns,
  cardJoins,
  instalmentColumns,
  instalmentJoins,
  instalmentsOf,
  lockPayer,
  onCards,
  payerColumns,
  payerJoins,
  payerOf,
  planColumns,
  planJoins,
  plansOf
} from "./RequestedEntities.ts"

/**
 * The customer, card, plan and instalments of the request, and a subscription with the same `myId`.
 *
 * @category loads
 * @since 0.1.0
 */
export const newSubscription: Load<"newSubscription"> = {
  statement: loadStatement((template) => {
    const card = template.of(({ card }) => card)
    const instalments = template.of(({ instalments }) => instalments)
    const customer = template.of(({ customer }) => customer)
    const plan = template.of(({ plan }) => plan)
    return {
      columns: [
        ...payerColumns(customer, card),
        ...instalmentColumns(instalments),
        ...planColumns(plan),
        stateOfAlias("same")
      ],
      joins: `
        ${payerJoins(customer, card)}
        ${instalmentJoins(instalments)}
        ${planJoins(plan)}
        ${join("subscriptions", "same", `same.my_id = ${template.bind(({ myId }) => myId)}`)}`
    }
  }),
  lock: lockPayer,
  decode: decodeLoad((row, company) => {
    const { cards, customers, versions } = payerOf(row)
    const sameMyId = stateOf(subscriptions, "same", row)?.state
    return { ...company, customers, versions, cards, sameMyId, instalments: instalmentsOf(row), plans: plansOf(row) }
  })
}

/**
 * The customer, card and plan of the request, and a charge with the same `myId`, with its payment.
 *
 * @category loads
 * @since 0.1.0
 */
export const newCharge: Load<"newCharge"> = {
  statement: loadStatement((template) => {
    const card = template.of(({ card }) => card)
    const customer = template.of(({ customer }) => customer)
    const plan = template.of(({ plan }) => plan)
    return {
      columns: [
        ...payerColumns(customer, card),
        ...planColumns(plan),
        stateOfAlias("same"),
        stateOfAlias("same_payment")
      ],
      joins: `
        ${payerJoins(customer, card)}
        ${planJoins(plan)}
        ${join("charges", "same", `same.my_id = ${template.bind(({ myId }) => myId)}`)}
        ${join("transactions", "same_payment", "same_payment.charge_id = same.id")}`
    }
  }),
  lock: lockPayer,
  decode: decodeLoad((row, company) => {
    const sameMyId = stateOf(charges, "same", row)?.state
    const samePayment = stateOf(transactions, "same_payment", row)?.state
    return { ...company, ...payerOf(row), sameMyId, samePayment, plans: plansOf(row) }
  })
}

/** The statuses of payments that may end with their contract. */
const isOpen = `status IN (${TransactionStatus.literals
  .filter((status) => nextStatuses(status, "cancelContract").length > 0)
  .map((status) => `'${status}'`)
  .join(", ")})`

type SubscriptionPaymentsArgs = Args<"subscriptionPayments">

/** The most payments of a customer that are searched for those of one subscription. */
const maxOwed = 200

/**
 * The next open payments of a subscription.
 *
 * No index has the open payments of a subscription. They are searched among all that the customer owes, however many payments of the
 * subscription have ended. If the customer owes more than `maxOwed`, they are searched among all payments of the subscription, of which
 * many are open then.
 */
const openPayments = ({ bind, dialect }: Statement.Template<SubscriptionPaymentsArgs>): string => {
  const limit = bind(({ limit }) => limit)
  const isNext = `id > ${bind(({ after }) => after)} AND ${isOpen}`
  const owedBy = (customer: string) =>
    `transactions ${dialect.indexedBy("transactions_owed_by")}
      WHERE company_id = company.id AND customer_id = ${customer} AND ${owed("transactions")}`
  const owesMuch = `(SELECT count(*) FROM (SELECT 1 FROM ${owedBy("subscription.customer_id")} LIMIT ${maxOwed + 1}) AS counted)
    > ${maxOwed}`
  // Nothing equals null, so one of the two queries ends without reading a row.
  return `FROM transactions WHERE id IN (SELECT id FROM (
      SELECT id FROM ${owedBy(`CASE WHEN ${owesMuch} THEN NULL ELSE subscription.customer_id END`)}
        AND subscription_id = subscription.id AND ${isNext}
      UNION ALL SELECT id FROM (SELECT id FROM transactions
        WHERE company_id = company.id AND subscription_id = CASE WHEN ${owesMuch} THEN subscription.id END AND ${isNext}
        ORDER BY id LIMIT ${limit}) AS listed
    ) AS found ORDER BY id LIMIT ${limit}) ORDER BY id`
}

const paymentsColumns = (template: Statement.Template<SubscriptionPaymentsArgs>): ReadonlyArray<string> => {
  const { dialect } = template
  const payments = openPayments(template)
  return [
    ...subscriberColumns,
    `${statesAsJson(dialect, payments)} AS payments`,
    `${statesAsJson(
      dialect,
      `FROM cards WHERE company_id = company.id
       AND id IN (SELECT card_id FROM (SELECT card_id ${payments}) AS known)`
    )} AS payment_cards`
  ]
}

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
 * A subscription with a page of its open payments.
 *
 * @category loads
 * @since 0.1.0
 */
export const subscriptionPayments: Load<"subscriptionPayments"> = {
  statement: loadStatement((template) => ({
    columns: paymentsColumns(template),
    joins: subscriberJoins(isRequestedSubscription(template))
  })),
  lock: lockSubscription,
  decode: decodeLoad(paymentsOf)
}

/**
 * `subscriptionPayments`, with the card and plan of the request, and a subscription with its new `myId`.
 *
 * @category loads
 * @since 0.1.0
 */
export const subscriptionEdit: Load<"subscriptionEdit"> = {
  statement: loadStatement((template) => {
    const card = template.of(({ card }) => card)
    const plan = template.of(({ plan }) => plan)
    return {
      columns: [
        ...paymentsColumns(template),
        ...cardColumns("subscription.customer_id", card),
        ...planColumns(plan),
        stateOfAlias("same")
      ],
      joins: `
        ${subscriberJoins(isRequestedSubscription(template))}
        ${cardJoins(card)}
        ${planJoins(plan)}
        ${join("subscriptions", "same", `same.my_id = ${template.bind(({ myId }) => myId ?? null)}`)}`
    }
  }),
  lock: lockSubscription,
  decode: decodeLoad((row, company) => {
    const loaded = paymentsOf(row, company)
    if (loaded === undefined) return undefined
    return {
      ...loaded,
      ...onCards(row, loaded.customer),
      sameMyId: stateOf(subscriptions, "same", row)?.state,
      plans: plansOf(row)
    }
  })
}
