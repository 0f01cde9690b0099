/**
 * A transaction with its attempts, its owner and its owner's customer, and the cards of both; and what an edit of it
 * asks for besides.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { CompanyContext, PaymentContext, PaymentRef } from "@parcela/engine/ports/CommandStore"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import * as Attempts from "../tables/Attempts.ts"
import { cards } from "../tables/Cards.ts"
import { charges } from "../tables/Charges.ts"
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
  stateOf
} from "./Load.ts"
import { ownerColumns, ownerJoins, ownerOf } from "./Owner.ts"
import * as Statement from "./Statement.ts"
import type { Row } from "./Statement.ts"

const paymentIs = (ref: PaymentRef, companyId: CompanyId, bind: Bind): string => {
  switch (ref.typeId) {
    case "attempt":
      return `payment.id = (SELECT transaction_id FROM attempts WHERE id = ${bind(ref.id)})`
    case "charge":
      return `payment.charge_id = (
        SELECT id FROM charges AS of_payment
        WHERE of_payment.company_id = ${bind(companyId)} AND ${refersTo("of_payment", ref.charge, bind)}
      )`
    default:
      return refersTo("payment", ref, bind)
  }
}

/** Of a payment's attempts, which may be any number: a load brings so many of the last ones. */
const mostAttempts = 3

/** The last attempts, the one that is under way, and the one that is asked for. */
const attemptIds = (dialect: Dialect, attempt: AttemptId | undefined, bind: Bind): string => `
  SELECT id FROM (
    SELECT id FROM attempts WHERE company_id = company.id AND transaction_id = payment.id
    ORDER BY started_at DESC, id DESC LIMIT ${mostAttempts}
  ) AS last_ones
  UNION ALL SELECT ${dialect.fieldText("payment.data", "underWay", "attemptId")}
  UNION ALL SELECT id FROM attempts
    WHERE id = ${bind(attempt ?? null)} AND company_id = company.id AND transaction_id = payment.id`

const paymentColumns = (dialect: Dialect, bind: Bind, attempt?: AttemptId): ReadonlyArray<string> => [
  stateColumns("payment"),
  ...ownerColumns,
  stateColumns("card"),
  `${dialect.jsonRows(
    Attempts.fields("tried"),
    `(SELECT * FROM attempts WHERE id IN (${attemptIds(dialect, attempt, bind)}) ORDER BY started_at, id) AS tried`
  )} AS attempts`
]

const paymentJoins = (ref: PaymentRef, companyId: CompanyId, bind: Bind): string => `
  LEFT JOIN transactions AS payment ON payment.company_id = company.id AND ${paymentIs(ref, companyId, bind)}
  ${ownerJoins}
  LEFT JOIN cards AS card ON card.id = payment.card_id`

const paymentOf = (row: Row, company: CompanyContext): Result.Result<PaymentContext | undefined, StoreError> =>
  Result.gen(function* () {
    const transaction = yield* stateOf(transactions, "payment", row)
    if (transaction === undefined) return undefined
    return {
      ...company,
      ...(yield* ownerOf(row)),
      transaction: transaction.state,
      card: (yield* stateOf(cards, "card", row))?.state,
      attempts: yield* Attempts.read(row["attempts"])
    }
  })

/** Of the payment's owner, whichever it has. */
const turn: Load<"payment">["turn"] = (dialect, { companyId, transaction }) =>
  Statement.make(
    dialect,
    (bind) => `
      SELECT ${dialect.turnOf("subscriptions", "subscription_id")} AS subscription,
        ${dialect.turnOf("charges", "charge_id")} AS charge
      FROM transactions AS payment
      WHERE payment.company_id = ${bind(companyId)} AND ${paymentIs(transaction, companyId, bind)}
    `
  )

/**
 * @category loads
 * @since 0.1.0
 */
export const payment: Load<"payment"> = {
  statement: (dialect, { attempt, companyId, transaction }, key) =>
    loading(dialect, companyId, key, (bind) => ({
      columns: paymentColumns(
        dialect,
        bind,
        attempt ?? (transaction.typeId === "attempt" ? transaction.id : undefined)
      ),
      joins: paymentJoins(transaction, companyId, bind)
    })),
  turn,
  read: reading(paymentOf)
}

/**
 * @category loads
 * @since 0.1.0
 */
export const paymentEdit: Load<"paymentEdit"> = {
  statement: (dialect, { card, companyId, myId, transaction }, key) =>
    loading(dialect, companyId, key, (bind) => ({
      columns: [
        ...paymentColumns(dialect, bind),
        cardColumns(dialect, "customer.id", card, bind),
        stateColumns("same")
      ],
      joins: `
        ${paymentJoins(transaction, companyId, bind)}
        ${cardJoins(card, bind)}
        LEFT JOIN transactions AS same ON same.company_id = company.id AND same.my_id = ${bind(myId ?? null)}`
    })),
  turn,
  read: reading((row, company) =>
    Result.gen(function* () {
      const found = yield* paymentOf(row, company)
      if (found === undefined) return undefined
      const sameMyId = (yield* stateOf(transactions, "same", row))?.state
      return { ...found, ...(yield* onCards(row, found.customer)), sameMyId }
    })
  )
}

const ofCharge = (charge: EntityRef) => ({ typeId: "charge", charge }) as const

/**
 * @category loads
 * @since 0.1.0
 */
export const chargeEdit: Load<"chargeEdit"> = {
  statement: (dialect, { charge, companyId, myId, plan }, key) =>
    loading(dialect, companyId, key, (bind) => ({
      columns: [...paymentColumns(dialect, bind), ...planColumns, stateColumns("same")],
      joins: `
        ${paymentJoins(ofCharge(charge), companyId, bind)}
        ${planJoins(plan, bind)}
        LEFT JOIN charges AS same ON same.company_id = company.id AND same.my_id = ${bind(myId ?? null)}`
    })),
  turn: (dialect, { charge, companyId }) => turn(dialect, { companyId, transaction: ofCharge(charge) }),
  read: reading((row, company) =>
    Result.gen(function* () {
      const found = yield* paymentOf(row, company)
      if (found === undefined) return undefined
      const sameMyId = (yield* stateOf(charges, "same", row))?.state
      return { ...found, sameMyId, plans: yield* plansOf(row) }
    })
  )
}
