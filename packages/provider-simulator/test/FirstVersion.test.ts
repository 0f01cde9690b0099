import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { VaultToken } from "@parcela/core/cards/CardState"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/BusinessTime"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { BoletoBank } from "@parcela/engine/ports/BoletoBank"
import { CardOperator } from "@parcela/engine/ports/CardOperator"
import { PixProvider } from "@parcela/engine/ports/PixProvider"
import * as PostgresClient from "@parcela/store-sql/postgres/PostgresClient"
import * as SiblingDatabase from "@parcela/store-sql/SiblingDatabase"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { boletoRequestOf, slipOf } from "@parcela/testing/BoletoBankSuite"
import { cardOf } from "@parcela/testing/CardOperatorSuite"
import { chargeOf, pixRequestOf } from "@parcela/testing/PixProviderSuite"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { move } from "../src/FirstVersion.ts"
import { ProviderLedger } from "../src/ProviderLedger.ts"
import * as ProviderSimulator from "../src/ProviderSimulator.ts"
import { SimulatorStore } from "../src/SimulatorStore.ts"

/** What the first version wrote into the service's database: two cards, two charges, a boleto and a Pix. */
const golden = readFileSync(new URL("./fixtures/FirstVersion.sql", import.meta.url), "utf8")

const oldTables = ["operator_cards", "operator_test_cards", "operator_charges", "operator_boletos", "operator_pix"]

const memory = NodeSqliteClient.layer({ filename: ":memory:" })
const realTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

/** The service's database, and the store beside it. */
const places = {
  SQLite: Layer.merge(memory, Layer.provide(SimulatorStore.layer, Layer.fresh(memory))),
  PostgreSQL: Layer.unwrap(
    Effect.map(newDatabase, (database) => {
      const url = Redacted.make(database)
      const beside = SiblingDatabase.layerPostgres({ url }, "simulators")
      return Layer.merge(PostgresClient.layer({ url }), Layer.provide(SimulatorStore.layer, beside))
    })
  ).pipe(Layer.provide(realTime))
}

const loaded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of golden.split("\n").filter((line) => line !== "")) yield* sql.unsafe(statement)
})

const moved = Effect.flatMap(SqlClient.SqlClient, move)

const rowsIn = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tables: ReadonlyArray<string>) {
  const counts = yield* Effect.forEach(
    tables,
    (table) => sql<{ rows: number }>`SELECT count(*) AS "rows" FROM ${sql(table)}`
  )
  return counts.map(([row]) => row?.rows)
})

const newTables = ["cards", "test_cards", "attempts", "boletos", "pix_charges", "ledger"]
const inStore = Effect.flatMap(SimulatorStore, (sql) => rowsIn(sql, newTables))
const inService = Effect.flatMap(SqlClient.SqlClient, (sql) => rowsIn(sql, oldTables))

const allMoved = [2, 1, 2, 1, 1, 4]
const company = CompanyId.make(1)

const attempt = (id: string, transaction: number) => ({
  attemptId: AttemptId.make(id),
  companyId: company,
  transactionId: SvcPayId.make(transaction),
  at: BusinessTime.make(1_790_000_000_000)
})

const denied = "01a0c450-6c00-716c-bcec-074381502455"
const captured = "01a0c450-6c00-716c-bcec-074466011f21"
const testCard = VaultToken.make("card_7b9c50e5330651286cd8000e10e5228f899f089a77062065")
const otherCard = VaultToken.make("card_a1b47808f825d44ed5edc2b3bc2930070c0d64960af791f0")
const value = Cents.make(1_990)

describe.each(["SQLite", "PostgreSQL"] as const)("a database of the first version on %s", (name) => {
  const here = Effect.provide(places[name], { local: true })
  const providers = Effect.provide(ProviderSimulator.layer(), { local: true })

  it.effect("has its cards, charges, boletos and Pix charges moved, and nothing of them left", () =>
    Effect.gen(function* () {
      yield* loaded
      yield* moved
      assert.deepStrictEqual(yield* inStore, allMoved)
      assert.instanceOf(yield* Effect.flip(inService), Error)
      yield* moved
      assert.deepStrictEqual(yield* inStore, allMoved)
    }).pipe(here)
  )

  it.effect("has cards that are charged as before, and attempts that have the outcomes of before", () =>
    Effect.gen(function* () {
      yield* loaded
      yield* moved
      yield* Effect.gen(function* () {
        const operator = yield* CardOperator
        assert.strictEqual(yield* operator.tokenize(company, cardOf("4000000000000341")), testCard)
        const first = yield* operator.charge({ ...attempt(denied, 1), card: testCard, value })
        assert.deepInclude(first, { _tag: "Denied", tid: "01M3250V007HQWYH2J0SV1RS9M", code: "51" })
        // The card was denied for this payment, and only once.
        assert.strictEqual((yield* operator.charge({ ...attempt("new", 1), card: testCard, value }))._tag, "Captured")
        assert.strictEqual((yield* operator.charge({ ...attempt("due", 9), card: otherCard, value }))._tag, "Captured")
        const found = Option.getOrThrow(yield* operator.lookup(attempt(captured, 2)))
        assert.deepInclude(found, { _tag: "Captured", authorizationCode: "383567" })
        const back = yield* operator.reverse({ ...attempt("back", 2), tid: found.tid, value })
        assert.strictEqual(back._tag, "Reversed")
      }).pipe(providers)
    }).pipe(here)
  )

  it.effect("has the same slip and the same code for what is asked for again", () =>
    Effect.gen(function* () {
      yield* loaded
      yield* moved
      yield* Effect.gen(function* () {
        const slip = slipOf(yield* BoletoBank.use((bank) => bank.register(boletoRequestOf(3))))
        assert.strictEqual(slip.barcode, "99999157600000019900010000000000300010000001")
        const charge = chargeOf(yield* PixProvider.use((provider) => provider.open(pixRequestOf(4))))
        assert.strictEqual(charge.txid, "0b7caadc3a227ad4811436e158543a5d")
        const ledger = yield* ProviderLedger.use((all) => all.list())
        assert.deepStrictEqual(
          ledger.slice(0, 4).map(({ call, effect, transactionId }) => `${call} ${transactionId}: ${effect}`),
          ["charge 1: none", "charge 2: captured", "register 3: registered", "open 4: registered"]
        )
      }).pipe(providers)
    }).pipe(here)
  )

  it.effect.each(newTables)("is moved whole after a start that broke off at %s, with each row once", (table) =>
    Effect.gen(function* () {
      const store = yield* SimulatorStore
      yield* loaded
      const before = yield* inService
      yield* store`ALTER TABLE ${store(table)} RENAME TO away`
      yield* Effect.flip(moved)
      assert.deepStrictEqual(yield* inService, before)
      yield* store`ALTER TABLE away RENAME TO ${store(table)}`
      yield* moved
      assert.deepStrictEqual(yield* inStore, allMoved)
    }).pipe(here)
  )

  it.effect("is moved whole after a start that broke off when all was copied and nothing dropped", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* loaded
      const before = yield* inService
      yield* sql`CREATE TABLE holding (id BIGINT REFERENCES operator_pix (transaction_id))`
      yield* sql`INSERT INTO holding VALUES (4)`
      yield* Effect.flip(moved)
      assert.deepStrictEqual(yield* inService, before)
      assert.deepStrictEqual(yield* inStore, allMoved)
      yield* sql`DROP TABLE holding`
      yield* moved
      assert.deepStrictEqual(yield* inStore, allMoved)
      assert.instanceOf(yield* Effect.flip(inService), Error)
    }).pipe(here)
  )
})
