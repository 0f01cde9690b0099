/** Rows that released programs wrote, migrated and read through the ports: see `golden/README.md`. */
import { assert, describe, it } from "@effect/vitest"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { TransactionState } from "@parcela/core/transactions/TransactionState"
import { ReferenceKind, referencesOf } from "@parcela/core/transactions/TransactionReference"
import { Companies } from "@parcela/engine/ports/Companies"
import { Journal } from "@parcela/engine/ports/Journal"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { look } from "@parcela/testing/CommandStoreFixtures"
import { writeTransaction } from "@parcela/testing/StoreWrites"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as PostgresCommandStore from "../src/commands/PostgresCommandStore.ts"
import * as SqliteCommandStore from "../src/commands/SqliteCommandStore.ts"
import * as PostgresClient from "../src/postgres/PostgresClient.ts"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as StoreSql from "../src/StoreSql.ts"
import { transactionUpcasts } from "../src/internal/TransactionUpcasts.ts"
import * as VersionedState from "../src/internal/VersionedState.ts"
import { folder, insert, json, migrate, type Rows } from "./fixtures/GoldenRows.ts"

const clients = {
  SQLite: Layer.provideMerge(SqliteCommandStore.layerNoDeps, NodeSqliteClient.layer({ filename: ":memory:" })),
  PostgreSQL: Layer.provideMerge(
    PostgresCommandStore.layerNoDeps,
    Layer.unwrap(Effect.map(Effect.orDie(newDatabase), (url) => PostgresClient.layer({ url: Redacted.make(url) })))
  )
}

/** What a creation is given of a customer or a card. */
const creation = Effect.fnUntraced(function* (asked: { readonly customer?: object; readonly card?: object }) {
  const args = { companyId: CompanyId.make(1), myId: MyId.make("none"), customer: {}, ...asked }
  return (yield* look("newSubscription", args)).found!
})

/** All that the ports tell of the rows. */
const read = Effect.fnUntraced(function* (tables: Rows) {
  const company = CompanyId.make(1)
  const ids = (table: string) => (tables[table] ?? []).map(({ id }) => SvcPayId.make(Number(id)))
  const all = { startAt: 0, limit: 100, order: [] } as const
  const transactions = yield* Transactions
  const states = (yield* transactions.list(company, {}, all)).map(({ transaction }) => transaction)
  for (const state of states) {
    for (const reference of referencesOf(state)) {
      assert.deepStrictEqual(yield* transactions.findByReference(reference), [state])
    }
  }
  return {
    company: yield* Companies.use((port) => port.find(company)),
    customers: yield* Effect.forEach(ids("customers"), (svcPayId) =>
      Effect.map(creation({ customer: { svcPayId } }), ({ customers }) => customers.bySvcPayId)
    ),
    cards: yield* Effect.forEach(ids("cards"), (svcPayId) =>
      Effect.map(creation({ card: { svcPayId } }), ({ cards }) => cards.bySvcPayId)
    ),
    subscriptions: (yield* Subscriptions.use((port) => port.list(company, {}, all))).map(
      ({ subscription }) => subscription
    ),
    transactions: states,
    attempts: yield* Effect.forEach(tables["attempts"] ?? [], ({ id }) => {
      const transaction = { typeId: "attempt", id: AttemptId.make(String(id)) } as const
      return Effect.map(look("payment", { companyId: company, transaction }), ({ found }) =>
        Option.fromUndefinedOr(found?.attempts.find((attempt) => attempt.id === transaction.id))
      )
    }),
    journal: yield* Journal.use((port) => port.latest(company, 1_000)),
    endpoints: yield* WebhookEndpoints.use((port) => port.ofCompany(company))
  }
})

describe.each(Object.entries(clients))("golden rows on %s", (_, client) => {
  it.effect.each([
    ["state version 1, migration 9", "state-version-1.json", 9],
    ["state version 2, migration 12", "state-version-2.json", 12],
    ["migration 19, with attempts of all kinds", "migration-19.json", 19],
    ["state version 4, migration 34", "state-version-4.json", 34]
  ] as const)("of %s are read as whole states, and can be changed", ([, file, last]) =>
    Effect.gen(function* () {
      const tables = json(file) as Rows
      yield* migrate(last)
      yield* insert(tables)
      yield* migrate(Infinity)
      const kinds = yield* SqlClient.SqlClient.use((sql) => sql`SELECT DISTINCT kind FROM external_references`)
      assert.includeMembers(
        [...ReferenceKind.literals],
        kinds.map(({ kind }) => String(kind))
      )
      yield* Effect.gen(function* () {
        const found = JSON.parse(JSON.stringify(yield* read(tables))) as unknown
        const expected = file.replace(".json", ".read.json")
        if (process.env["PARCELA_GOLDEN"] === "write") {
          writeFileSync(join(folder, expected), `${JSON.stringify(found, undefined, 2)}\n`)
        }
        assert.deepStrictEqual(found, json(expected))
        const transactions = yield* Transactions
        const before = Option.getOrThrow(yield* transactions.find(CompanyId.make(1), bySvcPayId(SvcPayId.make(1))))
        const changed = { ...before, installment: 9 }
        yield* writeTransaction(changed, before)
        assert.deepStrictEqual(
          yield* transactions.find(CompanyId.make(1), bySvcPayId(SvcPayId.make(1))),
          Option.some(changed)
        )
      }).pipe(Effect.provide(StoreSql.layerNoDeps))
    }).pipe(Effect.provide(client, { local: true }))
  )
})

describe("a program that knows state version 3 of transactions", () => {
  const options = { table: "transactions", schema: TransactionState }
  const { transactions = [] } = json("state-version-4.json") as Rows

  it.effect("reads none of version 4: it would drop what stands in it of registrations", () =>
    Effect.gen(function* () {
      const earlier = VersionedState.make({ ...options, upcasts: transactionUpcasts.slice(0, 2) })
      assert.isNotEmpty(transactions)
      for (const row of transactions) {
        const { reason } = yield* Effect.flip(Effect.fromResult(earlier.decode(row)))
        assert.deepInclude(reason, { _tag: "WrittenByNewer", table: "transactions", found: 4, known: 3 })
      }
    })
  )
})
