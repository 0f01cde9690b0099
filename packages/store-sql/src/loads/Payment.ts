/**
 * The loads of an existing payment: a transaction with its attempts, its owner, the owner's customer, and the cards of both.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { cardOf } from "@parcela/core/transactions/TransactionState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { CompanyContext } from "@parcela/engine/command/LoadedCompany"
import type { PaymentArgs, PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import type * as Statement from "../sql/Statement.ts"
import * as Attempts from "../tables/Attempts.ts"
import { customers } from "../tables/Customers.ts"
import { cards, charges, refersTo, subscriptions, transactions } from "../tables/Entities.ts"
import { decodeLoad, isRequested, join, type Load, loadStatement, lockRoots, stateOf, stateOfAlias } from "./Load.ts"
import { cardColumns, cardJoins, onCards, planColumns, planJoins, plansOf } from "./RequestedEntities.ts"

/** The condition that `payment` is the payment in the request. */
const isRequestedPayment = (template: Statement.Template<PaymentArgs>): string => {
  const typeId = template.choose(({ transaction }) => transaction.typeId)
  switch (typeId) {
    case "attempt":
      return `payment.id = (SELECT transaction_id FROM attempts WHERE id = ${template.bind(idOf)})`
    case "charge":
      return `payment.charge_id = (
        SELECT id FROM charges AS of_payment
        WHERE of_payment.company_id = ${template.bind(({ companyId }) => companyId)}
          AND ${isRequested("of_payment", template.of(chargeOf))}
      )`
    default:
      return refersTo("payment", typeId, template.bind(idOf))
  }
}

const idOf = ({ transaction }: PaymentArgs): Statement.Value =>
  transaction.typeId === "charge" ? transaction.charge.id : transaction.id

const chargeOf = ({ transaction }: PaymentArgs): EntityRef => {
  if (transaction.typeId !== "charge") throw new Error("The text is that of a charge's payment")
  return transaction.charge
}

/**
 * Of the attempts, of which a payment may have any number: the pending one and the requested one.
 *
 * Each is a query of its own, because SQLite builds a table for a list of unknown values. The plus keeps planners from reading all
 * attempts of the payment, or of the company, by an index.
 */
const attempts = ({ bind, dialect }: Statement.Template<PaymentArgs>): string => {
  const one = (id: string) =>
    `SELECT * FROM attempts WHERE id = ${id} AND +company_id = company.id AND +transaction_id = payment.id`
  return `${one(dialect.fieldText("payment.data", "pendingAttempt", "attemptId"))} UNION ${one(bind(attemptOf))} ORDER BY started_at, id`
}

const attemptOf = ({ attempt, transaction }: PaymentArgs): AttemptId | null =>
  attempt ?? (transaction.typeId === "attempt" ? transaction.id : null)

const paymentColumns = (template: Statement.Template<PaymentArgs>): ReadonlyArray<string> => [
  ...["payment", "subscription", "charge", "customer", "owner_card", "card"].map(stateOfAlias),
  `${template.dialect.jsonRows(Attempts.fields("attempt"), `(${attempts(template)}) AS attempt`)} AS attempts`
]

const paymentJoins = (template: Statement.Template<PaymentArgs>): string => `
  ${join("transactions", "payment", isRequestedPayment(template))}
  LEFT JOIN subscriptions AS subscription ON subscription.id = payment.subscription_id
  LEFT JOIN charges AS charge ON charge.id = payment.charge_id
  ${join("customers", "customer", "customer.id = coalesce(subscription.customer_id, charge.customer_id)")}
  LEFT JOIN cards AS owner_card ON owner_card.id = coalesce(subscription.card_id, charge.card_id)
  LEFT JOIN cards AS card ON card.id = payment.card_id AND card.id IS DISTINCT FROM owner_card.id`

const paymentOf = (row: Statement.Row, company: CompanyContext): PaymentContext | undefined => {
  const transaction = stateOf(transactions, "payment", row)
  if (transaction === undefined) return undefined
  const { customer, guard, owner } = ownerOf(row)
  return {
    ...company,
    guard,
    owner,
    customer,
    transaction: transaction.state,
    // The owner's card is read once: most payments use it.
    card: owner.card?.id === cardOf(transaction.state) ? owner.card : stateOf(cards, "card", row)?.state,
    attempts: Result.getOrThrow(Attempts.read(row["attempts"]))
  }
}

const ownerOf = (row: Statement.Row): Pick<PaymentContext, "customer" | "guard" | "owner"> => {
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

/** Foreign keys and a check constraint forbid this. */
const withoutOwner = new StoreError({
  reason: new Corrupt({ table: "transactions", cause: new Error("A payment has no owner, or its owner no customer") })
})

/** Locks the owner of the payment: a subscription or a charge. */
const lock = lockRoots<PaymentArgs>((template) => ({
  ids: { subscriptions: "subscription_id", charges: "charge_id" },
  rows: `transactions AS payment
    WHERE payment.company_id = ${template.bind(({ companyId }) => companyId)} AND ${isRequestedPayment(template)}`
}))

/**
 * @category loads
 * @since 0.1.0
 */
export const payment: Load<"payment"> = {
  statement: loadStatement((template) => ({ columns: paymentColumns(template), joins: paymentJoins(template) })),
  lock,
  decode: decodeLoad(paymentOf)
}

/**
 * `payment`, with the cards of the request, and a payment with its new `myId`.
 *
 * @category loads
 * @since 0.1.0
 */
export const paymentEdit: Load<"paymentEdit"> = {
  statement: loadStatement((template) => {
    const card = template.of(({ card }) => card)
    return {
      columns: [...paymentColumns(template), ...cardColumns("customer.id", card), stateOfAlias("same")],
      joins: `
        ${paymentJoins(template)}
        ${cardJoins(card)}
        ${join("transactions", "same", `same.my_id = ${template.bind(({ myId }) => myId ?? null)}`)}`
    }
  }),
  lock,
  decode: decodeLoad((row, company) => {
    const loaded = paymentOf(row, company)
    if (loaded === undefined) return undefined
    const sameMyId = stateOf(transactions, "same", row)?.state
    return { ...loaded, ...onCards(row, loaded.customer), sameMyId }
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
 * The payment of a charge, with the plan of the request, and a charge with its new `myId`.
 *
 * @category loads
 * @since 0.1.0
 */
export const chargeEdit: Load<"chargeEdit"> = {
  statement: loadStatement((template) => {
    const ofPayment = template.of(ofCharge)
    const plan = template.of(({ plan }) => plan)
    return {
      columns: [...paymentColumns(ofPayment), ...planColumns(plan), stateOfAlias("same")],
      joins: `
        ${paymentJoins(ofPayment)}
        ${planJoins(plan)}
        ${join("charges", "same", `same.my_id = ${template.bind(({ myId }) => myId ?? null)}`)}`
    }
  }),
  lock: (args) => lock(ofCharge(args)),
  decode: decodeLoad((row, company) => {
    const loaded = paymentOf(row, company)
    if (loaded === undefined) return undefined
    const sameMyId = stateOf(charges, "same", row)?.state
    return { ...loaded, sameMyId, plans: plansOf(row) }
  })
}
