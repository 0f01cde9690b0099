/**
 * A transaction with its attempts, its owner and its owner's customer, and the cards of both; and what an edit of it
 * asks for besides.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { cardOf } from "@parcela/core/transactions/TransactionState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { CompanyContext } from "@parcela/engine/command/LoadedCompany"
import type { PaymentContext, PaymentArgs } from "@parcela/engine/command/LoadedPayments"
import * as Result from "effect/Result"
import { refersTo, cards, charges, transactions, subscriptions } from "../tables/Entities.ts"
import * as Attempts from "../tables/Attempts.ts"
import { planColumns, planJoins, plansOf, cardColumns, cardJoins, onCards } from "./RequestedEntities.ts"
import { isAsked, type Load, loading, reading, stateColumns, stateOf } from "./Load.ts"
import * as Statement from "../sql/Statement.ts"
import type { Row } from "../sql/Statement.ts"
import { turnOf } from "../sql/Dialect.ts"
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import { customers } from "../tables/Customers.ts"

const paymentIs = (ask: Statement.Asking<PaymentArgs>): string => {
  const typeId = ask.choose(({ transaction }) => transaction.typeId)
  switch (typeId) {
    case "attempt":
      return `payment.id = (SELECT transaction_id FROM attempts WHERE id = ${ask.bind(idOf)})`
    case "charge":
      return `payment.charge_id = (
        SELECT id FROM charges AS of_payment
        WHERE of_payment.company_id = ${ask.bind(({ companyId }) => companyId)}
          AND ${isAsked("of_payment", ask.of(chargeOf))}
      )`
    default:
      return refersTo("payment", typeId, ask.bind(idOf))
  }
}

const idOf = ({ transaction }: PaymentArgs): Statement.Value =>
  transaction.typeId === "charge" ? transaction.charge.id : transaction.id

const chargeOf = ({ transaction }: PaymentArgs): EntityRef => {
  if (transaction.typeId !== "charge") throw new Error("The text is that of a charge's payment")
  return transaction.charge
}

/**
 * Of its attempts, which may be any number, the one that is under way and the one that is asked for: each by itself, as SQLite makes a
 * table of a list whose values it does not know before. The plus keeps planners from reading all attempts of the payment, or of the
 * company, by their index.
 */
const attempts = ({ bind, dialect }: Statement.Asking<PaymentArgs>): string => {
  const one = (id: string) =>
    `SELECT * FROM attempts WHERE id = ${id} AND +company_id = company.id AND +transaction_id = payment.id`
  return `${one(dialect.fieldText("payment.data", "pendingAttempt", "attemptId"))} UNION ${one(bind(attemptOf))} ORDER BY started_at, id`
}

const attemptOf = ({ attempt, transaction }: PaymentArgs): AttemptId | null =>
  attempt ?? (transaction.typeId === "attempt" ? transaction.id : null)

const paymentColumns = (ask: Statement.Asking<PaymentArgs>): ReadonlyArray<string> => [
  stateColumns("payment"),
  ...ownerColumns,
  stateColumns("card"),
  `${ask.dialect.jsonRows(Attempts.fields("tried"), `(${attempts(ask)}) AS tried`)} AS attempts`
]

const paymentJoins = (ask: Statement.Asking<PaymentArgs>): string => `
  LEFT JOIN transactions AS payment ON payment.company_id = company.id AND ${paymentIs(ask)}
  ${ownerJoins}
  LEFT JOIN cards AS card ON card.id = payment.card_id AND card.id IS DISTINCT FROM owner_card.id`

const paymentOf = (row: Row, company: CompanyContext): PaymentContext | undefined => {
  const transaction = stateOf(transactions, "payment", row)
  if (transaction === undefined) return undefined
  const { customer, guard, owner } = ownerOf(row)
  return {
    ...company,
    guard,
    owner,
    customer,
    transaction: transaction.state,
    // Most are paid with their owner's, which is read once.
    card: owner.card?.id === cardOf(transaction.state) ? owner.card : stateOf(cards, "card", row)?.state,
    attempts: Result.getOrThrow(Attempts.read(row["attempts"]))
  }
}

/** Of the payment's owner, whichever it has. */
const turn = Statement.prepared<PaymentArgs>(
  (ask) => `
    SELECT ${turnOf("subscriptions", "subscription_id")} AS subscription,
      ${turnOf("charges", "charge_id")} AS charge
    FROM transactions AS payment
    WHERE payment.company_id = ${ask.bind(({ companyId }) => companyId)} AND ${paymentIs(ask)}
  `
)

/**
 * @category loads
 * @since 0.1.0
 */
export const payment: Load<"payment"> = {
  statement: loading((ask) => ({ columns: paymentColumns(ask), joins: paymentJoins(ask) })),
  turn,
  read: reading(paymentOf)
}

/**
 * @category loads
 * @since 0.1.0
 */
export const paymentEdit: Load<"paymentEdit"> = {
  statement: loading((ask) => {
    const card = ask.of(({ card }) => card)
    return {
      columns: [...paymentColumns(ask), ...cardColumns("customer.id", card), stateColumns("same")],
      joins: `
        ${paymentJoins(ask)}
        ${cardJoins(card)}
        LEFT JOIN transactions AS same
          ON same.company_id = company.id AND same.my_id = ${ask.bind(({ myId }) => myId ?? null)}`
    }
  }),
  turn,
  read: reading((row, company) => {
    const found = paymentOf(row, company)
    if (found === undefined) return undefined
    const sameMyId = stateOf(transactions, "same", row)?.state
    return { ...found, ...onCards(row, found.customer), sameMyId }
  })
}

const ofCharge = ({
  attempt,
  charge,
  companyId
}: {
  readonly attempt?: AttemptId | undefined
  readonly charge: EntityRef
  readonly companyId: CompanyId
}): PaymentArgs => ({
  attempt,
  companyId,
  transaction: { typeId: "charge", charge }
})

/**
 * @category loads
 * @since 0.1.0
 */
export const chargeEdit: Load<"chargeEdit"> = {
  statement: loading((ask) => ({
    columns: [...paymentColumns(ask.of(ofCharge)), ...planColumns(ask.of(({ plan }) => plan)), stateColumns("same")],
    joins: `
      ${paymentJoins(ask.of(ofCharge))}
      ${planJoins(ask.of(({ plan }) => plan))}
      LEFT JOIN charges AS same
        ON same.company_id = company.id AND same.my_id = ${ask.bind(({ myId }) => myId ?? null)}`
  })),
  turn: (dialect, args) => turn(dialect, ofCharge(args)),
  read: reading((row, company) => {
    const found = paymentOf(row, company)
    if (found === undefined) return undefined
    const sameMyId = stateOf(charges, "same", row)?.state
    return { ...found, sameMyId, plans: plansOf(row) }
  })
}

const ownerColumns: ReadonlyArray<string> = ["subscription", "charge", "customer", "owner_card"].map(stateColumns)

/** Follow the join of `payment`. */
const ownerJoins = `
  LEFT JOIN subscriptions AS subscription ON subscription.id = payment.subscription_id
  LEFT JOIN charges AS charge ON charge.id = payment.charge_id
  LEFT JOIN customers AS customer
    ON customer.company_id = company.id AND customer.id = coalesce(subscription.customer_id, charge.customer_id)
  LEFT JOIN cards AS owner_card ON owner_card.id = coalesce(subscription.card_id, charge.card_id)`

const ownerOf = (row: Row): Pick<PaymentContext, "customer" | "guard" | "owner"> => {
  const subscription = stateOf(subscriptions, "subscription", row)
  const charge = stateOf(charges, "charge", row)
  const customer = stateOf(customers, "customer", row)?.state
  const card = stateOf(cards, "owner_card", row)?.state
  if (customer !== undefined && subscription !== undefined) {
    return {
      guard: { table: "subscriptions", id: subscription.state.id, version: subscription.version },
      owner: { _tag: "Subscription", subscription: subscription.state, card },
      customer
    }
  }
  if (customer !== undefined && charge !== undefined) {
    return {
      guard: { table: "charges", id: charge.state.id, version: charge.version },
      owner: { _tag: "Charge", charge: charge.state, card },
      customer
    }
  }
  throw withoutOwner
}

/** Foreign keys and a check forbid it. */
const withoutOwner = new StoreError({
  reason: new Corrupt({ table: "transactions", cause: new Error("A payment has no owner, or its owner no customer") })
})
