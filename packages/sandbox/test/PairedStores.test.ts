import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import { Companies } from "@parcela/engine/ports/Companies"
import { Sequences } from "@parcela/engine/ports/Sequences"
import { companyRestoresOf } from "@parcela/provider-simulator/StoreTransactions"
import { SimulatorStore } from "@parcela/provider-simulator/SimulatorStore"
import { pair, type StoresNotPaired } from "@parcela/sandbox/PairedStores"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import type { SandboxOptions } from "@parcela/sandbox/SandboxOptions"
import { Array as Arr, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { stores } from "./fixtures/BothDatabases.ts"
import { byCard, cards, payment } from "@parcela/test-world/Samples"
import { call, onServer, token } from "@parcela/test-world/Server"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"

const locations = { database: "test.db", simulators: "test.simulators.db" }

const paired = (isReplacement = false) =>
  Effect.flatMap(SimulatorStore, (store) => pair(store, locations, isReplacement))

const refused = Effect.map(Effect.flip(paired()), (error) => (error._tag === "StoresNotPaired" ? error.reason : error))

const add = (to: SqlClient.SqlClient, table: string, row: Readonly<Record<string, string | number>>) =>
  Effect.asVoid(to`INSERT INTO ${to(table)} ${to.insert(row)}`)

const company = Effect.gen(function* () {
  const createdAt = MachineTime.make(0)
  return (yield* (yield* Companies).insert({ name: "Padaria", scopes: [], allowedAddresses: [], createdAt })).id
})

/** Inserts a request for a payment into the providers' store. */
const recordRequest = Effect.fnUntraced(function* (company_id: number, transaction_id: number) {
  const line = { provider: "p", kind: "k", effect: "none", is_repeat: 0, received_at: 0 }
  yield* add(yield* SimulatorStore, "ledger", { ...line, company_id, transaction_id })
})

for (const [name, store] of Object.entries(stores)) {
  const onStore = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.provide(test, store, { local: true })

  describe(`a database and its providers' store (${name})`, () => {
    it.effect("are a pair from their first start on, also after an interrupted start", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* paired()
        yield* sql`UPDATE database_identity SET is_shared = 0`
        yield* paired()
        const [{ isShared } = { isShared: 0 }] = yield* sql<{ isShared: number }>`
          SELECT is_shared AS "isShared" FROM database_identity`
        assert.strictEqual(isShared, 1)
      }).pipe(onStore)
    )

    it.effect("are no pair when one of them is new; the providers' store is replaced if this is allowed", () =>
      Effect.gen(function* () {
        const [sql, providers] = [yield* SqlClient.SqlClient, yield* SimulatorStore]
        yield* paired()
        yield* recordRequest(yield* company, yield* Sequences.use(({ next }) => next("transaction")))
        const card = { company_id: 1, scenario: "s", mask: "m", brand: "b", expires_at: "2099-12", created_at: 0 }
        yield* add(providers, "cards", { token: "t", ...card })
        yield* sql`UPDATE database_identity SET identity = 'another one', is_shared = 0`
        assert.strictEqual(yield* refused, "DatabaseReplaced")
        yield* paired(true)
        assert.deepStrictEqual(yield* providers`SELECT 1 FROM ledger`, [])
        assert.lengthOf(yield* providers`SELECT 1 FROM cards`, 1)
        yield* paired()

        yield* providers`DELETE FROM served_database`
        assert.strictEqual(yield* refused, "StoreReplaced")
        yield* paired(true)
        yield* paired()
      }).pipe(onStore)
    )

    it.effect("are no pair when the database would reuse a number that the providers have", () =>
      Effect.gen(function* () {
        const companyId = yield* company
        yield* paired()
        yield* recordRequest(companyId, 100)
        assert.strictEqual(yield* refused, "DatabaseOlder")
        // Numbers are taken in blocks of a thousand.
        yield* Sequences.use(({ next }) => next("transaction"))
        yield* paired()
        yield* recordRequest(companyId, 1_001)
        assert.strictEqual(yield* refused, "DatabaseOlder")
        yield* paired(true)
        yield* recordRequest(companyId + 1, 1)
        assert.strictEqual(yield* refused, "DatabaseOlder")
      }).pipe(onStore)
    )

    it.effect(
      "are no pair when the database would reuse the number of a boleto or Pix, or of the last thousand other requests",
      () =>
        Effect.gen(function* () {
          const providers = yield* SimulatorStore
          const company_id = yield* company
          yield* paired()
          yield* recordRequest(company_id, 100)
          const later = { provider: "p", kind: "k", effect: "none", is_repeat: 0, received_at: 0 }
          yield* providers`INSERT INTO ledger ${providers.insert(Arr.makeBy(999, () => later))}`
          assert.strictEqual(yield* refused, "DatabaseOlder")
          yield* add(providers, "ledger", later)
          yield* paired()
          const made = {
            company_id,
            transaction_id: 100,
            value: 1,
            due_date: "2026-09-21",
            terms: "{}",
            opened_at: 0,
            created_at: 0
          }
          const boleto = { ...made, barcode: "b", bank_line: "l", bank_agency: "1", bank_account: "1" }
          const pix = { ...made, txid: "t", location: "l", qr_code: "q" }
          for (const [table, row] of [
            ["boletos", boleto],
            ["pix_charges", pix]
          ] as const) {
            yield* add(providers, table, row)
            assert.strictEqual(yield* refused, "DatabaseOlder")
            yield* providers`DELETE FROM ${providers(table)}`
          }
          yield* paired()
        }).pipe(onStore)
    )

    it.effect("are no pair when the providers restored a company more often, unless a restore is pending", () =>
      Effect.gen(function* () {
        const [sql, providers] = [yield* SqlClient.SqlClient, yield* SimulatorStore]
        const company_id = yield* company
        yield* paired()
        yield* add(providers, "company_restores", { company_id, restores: 1 })
        assert.strictEqual(yield* refused, "DatabaseOlder")
        yield* add(sql, "company_restores", { company_id, begun_at: 0 })
        yield* paired()
      }).pipe(onStore)
    )

    it.effect("are a pair after the providers' store is replaced: it has the older database's number of restores", () =>
      Effect.gen(function* () {
        const [sql, providers] = [yield* SqlClient.SqlClient, yield* SimulatorStore]
        const [never, once] = [yield* company, yield* company]
        yield* paired()
        for (const company_id of [never, once]) yield* add(providers, "company_restores", { company_id, restores: 3 })
        yield* sql`UPDATE companies SET restores = 1 WHERE id = ${once}`
        yield* paired(true)
        const { check } = companyRestoresOf(providers)
        yield* providers.withTransaction(Effect.andThen(check(never, 0), check(once, 1)))
        const refusals = yield* providers.withTransaction(
          Effect.all([Effect.flip(check(never, 3)), Effect.flip(check(once, 3))])
        )
        assert.deepStrictEqual(
          refusals.map(({ _tag }) => _tag),
          ["RestoredSince", "RestoredSince"]
        )
      }).pipe(onStore)
    )

    it.effect("are used when the store is older: its number of restores is raised to the database's", () =>
      Effect.gen(function* () {
        const [sql, providers] = [yield* SqlClient.SqlClient, yield* SimulatorStore]
        const id = yield* company
        yield* paired()
        yield* sql`UPDATE companies SET restores = 3 WHERE id = ${id}`
        yield* paired()
        const rows = yield* providers<{ restores: number }>`SELECT restores FROM company_restores`
        assert.deepStrictEqual(
          rows.map(({ restores }) => Number(restores)),
          [3]
        )
      }).pipe(onStore)
    )
  })
}

const pays = Effect.fnUntraced(function* (myId: string) {
  const made = yield* call("POST", "/v2/subscriptions/manual", {
    token: yield* token,
    body: byCard(cards.captured, myId)
  })
  assert.strictEqual(made.status, 200)
  const path = `/v2/transactions/${myId}/myId/add`
  return (yield* call("POST", path, { token: yield* token, body: payment(myId) })).json.Transaction.status
})

const paysOn = (options: Partial<SandboxOptions>, myId: string) => pays(myId).pipe(onServer(options))

const startError = (database: string): Effect.Effect<StoresNotPaired, unknown> =>
  Effect.map(Effect.flip(Effect.asVoid(Sandbox).pipe(onServer({ database }))), (error) =>
    error._tag === "StoresNotPaired" ? error : assert.fail(error.message)
  )

const files = (file: string) => ["", "-wal", "-shm"].map((ending) => file + ending)

const remove = (file: string) => files(file).forEach((name) => rmSync(name, { force: true }))

const copy = (from: string, to: string) => {
  const database = new DatabaseSync(from)
  database.exec(`VACUUM INTO '${to}'`)
  database.close()
}

describe("a sandbox whose files do not belong together", () => {
  it.effect("does not start, names the files, and pays again after the providers' store is replaced", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      const simulators = join(dirname(database), "test.simulators.db")
      assert.strictEqual(yield* paysOn({ database }, "first"), "captured")
      const reset = call("POST", "/sandbox/companies/sandbox/reset")
      assert.strictEqual((yield* reset.pipe(onServer({ database }))).status, 200)
      remove(database)
      const { message, reason } = yield* startError(database)
      assert.strictEqual(reason, "DatabaseReplaced")
      assert.include(message, `${simulators} `)
      assert.include(message, `${database}: `)
      assert.include(message, 'PARCELA_SIMULATORS=reset (the option "simulators" in a program)')
      assert.strictEqual(yield* paysOn({ database, simulators: "reset" }, "second"), "captured")

      assert.strictEqual((yield* reset.pipe(onServer({ database }))).status, 200)
      remove(simulators)
      assert.strictEqual((yield* startError(database)).reason, "StoreReplaced")
      assert.strictEqual(yield* paysOn({ database, simulators: "reset" }, "third"), "captured")
    })
  )

  it.effect("starts on a backup in the right order, and not with an older copy of the database only", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      const [simulators, copied] = [join(dirname(database), "test.simulators.db"), `${database}.copy`]
      yield* Effect.void.pipe(onServer({ database }))
      copy(database, copied)
      assert.strictEqual(yield* paysOn({ database }, "first"), "captured")
      remove(database)
      copy(copied, database)
      assert.strictEqual((yield* startError(database)).reason, "DatabaseOlder")
      // Older by one payment, whose number is of the same block.
      remove(copied)
      const copiedBetween = Effect.gen(function* () {
        assert.strictEqual(yield* pays("begun"), "captured")
        copy(database, copied)
        assert.strictEqual(yield* pays("next"), "captured")
      })
      yield* copiedBetween.pipe(onServer({ database, simulators: "reset" }))
      remove(database)
      copy(copied, database)
      assert.strictEqual((yield* startError(database)).reason, "DatabaseOlder")

      // The providers' store first, then the database, which has been reset in between.
      assert.strictEqual(yield* paysOn({ database, simulators: "reset" }, "second"), "captured")
      const older = `${simulators}.copy`
      copy(simulators, older)
      const reset = call("POST", "/sandbox/companies/sandbox/reset")
      assert.strictEqual((yield* reset.pipe(onServer({ database }))).status, 200)
      remove(simulators)
      copy(older, simulators)
      assert.strictEqual(yield* paysOn({ database }, "third"), "captured")
    })
  )
})
