/**
 * The cards of a customer, who is their root: what a new one rests on, and one that is there.
 *
 * @since 0.1.0
 */
import { cards } from "../tables/Cards.ts"
import { customers, owed } from "../tables/Customers.ts"
import {
  cardColumns,
  cardJoins,
  cardsOf,
  isAsked,
  type Load,
  loading,
  reading,
  stateColumns,
  stateOf,
  stateRows,
  statesOf
} from "./Load.ts"
import { joined, refOf } from "./LoadEntity.ts"
import * as Statement from "./Statement.ts"
import { turnOf } from "./Dialect.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const newCard: Load<"newCard"> = {
  statement: loading((ask) => {
    const card = ask.of(({ card }) => card)
    return {
      columns: [
        ...cardColumns("customer.id", card),
        stateColumns("customer"),
        `${stateRows(
          ask.dialect,
          `FROM cards WHERE cards.company_id = company.id AND cards.customer_id = customer.id AND is_backup = 1 ORDER BY id`
        )} AS backups`
      ],
      joins: `${cardJoins(card)} ${joined("customers", "customer", isAsked("customer", ask.of(refOf)))}`
    }
  }),
  turn: Statement.prepared(
    (ask) => `
      SELECT ${turnOf("customers", "id")} FROM customers AS customer
      WHERE company_id = ${ask.bind(({ companyId }) => companyId)} AND ${isAsked("customer", ask.of(refOf))}
    `
  ),
  read: reading((row, company) => {
    const customer = stateOf(customers, "customer", row)
    if (customer === undefined) return undefined
    return {
      ...company,
      guard: { table: "customers", id: customer.state.id, version: customer.version } as const,
      customer: customer.state,
      cards: cardsOf(row),
      backups: statesOf(cards, row["backups"])
    }
  })
}

const isPaidWith = (table: string): string => `EXISTS (
  SELECT 1 FROM ${table} WHERE ${table}.company_id = card.company_id AND ${table}.customer_id = card.customer_id
    AND ${table}.card_id = card.id AND ${table}.status IN ('active', 'waitingPayment', 'stopped')
)`

/** Of a payment that was not made, whoever its subscription is paid with. */
const isToPay = `EXISTS (
  SELECT 1 FROM transactions AS payment WHERE payment.company_id = card.company_id
    AND payment.customer_id = card.customer_id AND payment.card_id = card.id AND ${owed("payment")}
)`

/**
 * @category loads
 * @since 0.1.0
 */
export const card: Load<"card"> = {
  statement: loading((ask) => ({
    columns: [
      stateColumns("card"),
      stateColumns("customer"),
      `CASE WHEN ${isPaidWith("subscriptions")} OR ${isPaidWith("charges")} OR ${isToPay} THEN 1 ELSE 0 END AS is_in_use`
    ],
    joins: `
      ${joined("cards", "card", isAsked("card", ask.of(refOf)))}
      ${joined("customers", "customer", "customer.id = card.customer_id")}`
  })),
  turn: Statement.prepared(
    (ask) => `
      SELECT ${turnOf("customers", "customer_id")} FROM cards AS card
      WHERE company_id = ${ask.bind(({ companyId }) => companyId)} AND ${isAsked("card", ask.of(refOf))}
    `
  ),
  read: reading((row, company) => {
    const found = stateOf(cards, "card", row)
    const customer = stateOf(customers, "customer", row)
    if (found === undefined || customer === undefined) return undefined
    return {
      ...company,
      guard: { table: "customers", id: customer.state.id, version: customer.version } as const,
      entity: found.state,
      customer: customer.state,
      isInUse: Number(row["is_in_use"]) === 1
    }
  })
}
