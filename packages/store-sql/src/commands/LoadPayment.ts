/**
 * A transaction with its attempts, its owner and its owner's customer, and the cards of both.
 *
 * @since 0.1.0
 */
import type { PaymentRef } from "@parcela/engine/ports/CommandStore"
import * as Result from "effect/Result"
import * as Attempts from "../tables/Attempts.ts"
import { cards } from "../tables/Cards.ts"
import { transactions } from "../tables/Transactions.ts"
import { type Bind, type Load, loading, reading, refersTo, stateColumns, stateOf } from "./Load.ts"
import { ownerColumns, ownerJoins, ownerOf } from "./Owner.ts"
import * as Statement from "./Statement.ts"

const paymentIs = (ref: PaymentRef, bind: Bind): string =>
  ref.typeId === "attempt"
    ? `payment.id = (SELECT transaction_id FROM attempts WHERE id = ${bind(ref.id)})`
    : refersTo("payment", ref, bind)

/**
 * @category loads
 * @since 0.1.0
 */
export const payment: Load<"payment"> = {
  statement: (dialect, { companyId, transaction }, key) =>
    loading(dialect, companyId, key, (bind) => ({
      columns: [
        stateColumns("payment"),
        ...ownerColumns,
        stateColumns("card"),
        `${dialect.jsonRows(
          Attempts.fields("tried"),
          `(SELECT * FROM attempts WHERE company_id = company.id AND transaction_id = payment.id
            ORDER BY started_at, id) AS tried`
        )} AS attempts`
      ],
      joins: `
        LEFT JOIN transactions AS payment ON payment.company_id = company.id AND ${paymentIs(transaction, bind)}
        ${ownerJoins}
        LEFT JOIN cards AS card ON card.id = payment.card_id`
    })),

  turn: (dialect, { companyId, transaction }) =>
    Statement.make(
      dialect,
      (bind) => `
        SELECT ${dialect.turnOf("subscriptions", "subscription_id")} AS subscription,
          ${dialect.turnOf("charges", "charge_id")} AS charge
        FROM transactions AS payment
        WHERE payment.company_id = ${bind(companyId)} AND ${paymentIs(transaction, bind)}
      `
    ),

  read: reading((row, company) =>
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
  )
}
