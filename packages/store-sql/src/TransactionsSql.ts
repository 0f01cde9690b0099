/**
 * Transactions in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { TransactionList } from "@parcela/core/lists/EntityLists"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import {
  documentKeyOf,
  kindOfAttempts,
  type ReferenceKind,
  type TransactionReference,
  type TransactionState
} from "@parcela/core/transactions/TransactionState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import { type ListedTransaction, Transactions } from "@parcela/engine/ports/Transactions"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import { transactionColumns } from "./lists/EntityColumns.ts"
import * as EntityRows from "./lists/EntityRows.ts"
import { listSql } from "./lists/ListSql.ts"
import * as References from "./lists/References.ts"
import { type Builder, placeholders } from "./sql/Statement.ts"
import { customers } from "./tables/Customers.ts"
import { cards, charges, subscriptions, transactions } from "./tables/Entities.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Transactions, never, SqlClient.SqlClient> = Layer.effect(
  Transactions,
  Effect.gen(function* () {
    const { find, select, selectReferring } = yield* EntityRows.make({ port: "Transactions", table: transactions })
    const selectWithCard = (statement: EntityRows.Select) =>
      selectReferring(EntityRows.queryOf(statement), withCard, (transaction, { card }) =>
        Result.succeed({ transaction, card })
      )

    return Transactions.of({
      find,

      findByDocument: Spans.fn("Transactions.findByDocument")(function* (svcPayId: SvcPayId, documentKey: string) {
        const [state] = yield* select(
          (columns, { bind }) => `SELECT ${columns} FROM transactions WHERE id = ${bind(svcPayId)}`
        )
        return state !== undefined && documentKeyOf(state) === documentKey ? Option.some(state) : Option.none()
      }),

      findByReference: Spans.fn("Transactions.findByReference")(function* (reference: TransactionReference) {
        return yield* select(
          (columns, builder) => `SELECT ${columns} FROM transactions WHERE id IN (
            SELECT transaction_id FROM external_references
            WHERE kind = ${builder.bind(reference.kind)} AND value = ${builder.bind(reference.value)}
            ${ofAttempts(reference, builder)}
          ) ORDER BY id`
        )
      }),

      list: Spans.fn("Transactions.list")(
        (companyId: CompanyId, filter: FilterOf<TransactionList>, page: PageOf<TransactionList>) =>
          selectReferring(listSql(transactionColumns, companyId, { filter, page }), listReferences, listedOf)
      ),

      ofIds: Spans.fn("Transactions.ofIds")(function* (
        companyIds: ReadonlyArray<CompanyId>,
        ids: ReadonlyArray<SvcPayId>
      ) {
        if (ids.length === 0) return []
        return yield* select(
          (columns, builder) => `SELECT ${columns} FROM transactions
            WHERE company_id IN ${placeholders(builder, companyIds)} AND id IN ${placeholders(builder, ids)} ORDER BY id`
        )
      }),

      ofCharges: Spans.fn("Transactions.ofCharges")(function* (
        companyId: CompanyId,
        chargeIds: ReadonlyArray<SvcPayId>
      ) {
        if (chargeIds.length === 0) return []
        return yield* selectWithCard(
          (columns, builder) => `SELECT ${columns} FROM transactions
            WHERE company_id = ${builder.bind(companyId)} AND charge_id IN ${placeholders(builder, chargeIds)} ORDER BY id`
        )
      }),

      latestOfSubscriptions: Spans.fn("Transactions.latestOfSubscriptions")(function* (
        companyId: CompanyId,
        subscriptionIds: ReadonlyArray<SvcPayId>,
        perSubscription: number
      ) {
        if (subscriptionIds.length === 0) return []
        return yield* selectWithCard(latestSql(companyId, subscriptionIds, perSubscription))
      })
    })
  })
)

const providers = new Map<ReferenceKind, string>(
  Object.entries(kindOfAttempts).map(([provider, kind]) => [kind, provider])
)

/** The transactions of the attempts with a provider's reference. The index `attempts_reference` has references of up to 255 characters. */
const ofAttempts = ({ kind, value }: TransactionReference, { bind }: Builder): string => {
  const provider = providers.get(kind)
  return provider === undefined
    ? ""
    : `UNION ALL SELECT transaction_id FROM attempts
       WHERE reference = ${bind(value)} AND length(reference) <= 255 AND provider = ${bind(provider)}`
}

const card = { table: cards, by: "card_id" } as const

const withCard = References.to({ card })

const listTables = {
  card,
  subscription: { table: subscriptions, by: "subscription_id" },
  charge: { table: charges, by: "charge_id" },
  customer: { table: customers, by: "customer_id" }
} as const

const listReferences = References.to(listTables)

const listedOf = (
  transaction: TransactionState,
  { card, charge, customer, subscription }: References.Found<typeof listTables>
): Result.Result<ListedTransaction, StoreError> => {
  if (customer === undefined) return Result.fail(withoutOwner)
  const found = { transaction, card, customer }
  if (subscription !== undefined) return Result.succeed({ ...found, owner: { _tag: "Subscription", subscription } })
  return charge === undefined
    ? Result.fail(withoutOwner)
    : Result.succeed({ ...found, owner: { _tag: "Charge", charge } })
}

const withoutOwner = new StoreError({
  reason: new Corrupt({ table: "transactions", cause: new Error("A transaction has no owner, or no customer") })
})

/** Reads one end of an index for each subscription. A window function would read all payments of each. */
const latestSql =
  (companyId: CompanyId, subscriptionIds: ReadonlyArray<SvcPayId>, perSubscription: number): EntityRows.Select =>
  (columns, { bind }) => {
    const company = bind(companyId)
    const most = bind(perSubscription)
    const latest = subscriptionIds.map(
      (id) => `SELECT id FROM (
        SELECT id FROM transactions WHERE company_id = ${company} AND subscription_id = ${bind(id)}
        ORDER BY id DESC LIMIT ${most}
      ) AS latest`
    )
    return `SELECT ${columns} FROM transactions
      WHERE company_id = ${company} AND id IN (${latest.join(" UNION ALL ")}) ORDER BY id`
  }
