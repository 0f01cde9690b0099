import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Commands } from "@parcela/engine/commands/Command"
import type { CommandStore } from "@parcela/engine/ports/CommandStore"
import { DeliverySignal } from "@parcela/engine/workers/DeliverySignal"
import { LeaseOwner } from "@parcela/engine/workers/LeaseOwner"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrator from "effect/sql/Migrator"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Migrations from "../../src/Migrations.ts"
import { first } from "../../src/migrations/0001_first.ts"
import * as PostgresClient from "../../src/postgres/PostgresClient.ts"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as DatabaseMigrator from "../../src/DatabaseMigrator.ts"
import * as StoreSql from "../../src/StoreSql.ts"
import { temporaryFile } from "@parcela/testing/TemporaryFile"

const fingerprints = Array.from({ length: 300 }, (_, index) => index.toString(16).padStart(64, "0123456789abcdef"))

const company = JSON.stringify({ name: "Padaria", scopes: [], allowedAddresses: [], createdAt: 1_790_000_000_000 })

/** A database of the first version, with keys with a response, that only wrote, and that were given back. */
const old = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* DatabaseMigrator.run({ loader: Migrator.fromRecord({ "0001_first": first }), table: Migrations.table })
  yield* sql`INSERT INTO companies (data) VALUES (${company})`
  for (const [index, fingerprint] of fingerprints.entries()) {
    yield* sql`INSERT INTO idempotency_keys ${sql.insert({
      company_id: 1,
      idempotency_key: `key ${index}`,
      fingerprint,
      claimed_until: 60_000,
      subject: index % 3 === 0 ? null : `transaction:${index + 1}`,
      answer_status: index % 3 === 1 ? 200 : null,
      answer_body: index % 3 === 1 ? `{"answer":${index},"text":"${"x".repeat(index)}"}` : null,
      created_at: 0
    })}`
  }
  // Refusals gave their keys back: rows that were deleted lie in free space.
  yield* sql`DELETE FROM idempotency_keys WHERE idempotency_key LIKE '%7'`
})

/** What a command that writes nothing comes to under a key. */
const at = Effect.fnUntraced(function* (key: string, fingerprint: string) {
  const companyId = CompanyId.make(1)
  const commands = yield* Commands
  return yield* commands.run({
    load: "company",
    args: { companyId },
    key: { _tag: "Store", name: { companyId, key, fingerprint }, respond: () => undefined },
    decide: () => Result.succeed({ value: "fresh", guards: [], changes: [], events: [] }),
    missing: () => assert.fail("The company is not there")
  })
})

const commandsOver = <A, E>(store: Layer.Layer<A | CommandStore | SqlClient.SqlClient, E>) =>
  Commands.layer.pipe(
    Layer.provide([DeliverySignal.layer, Layer.succeed(LeaseOwner, "test")]),
    Layer.provideMerge(store)
  )

const bytesBeside = (filename: string) =>
  readdirSync(dirname(filename)).map((name) => readFileSync(join(dirname(filename), name)))

/** What keys of before come to: a stored response, what was written under them, or nothing. */
const assertKeys = Effect.gen(function* () {
  const response = { status: 200, body: `{"answer":1,"text":"x"}` }
  assert.deepStrictEqual(yield* at("key 1", "new"), { _tag: "Replayed", response })
  assert.deepStrictEqual(yield* at("key 1", "new"), { _tag: "Replayed", response })
  assert.strictEqual((yield* Effect.flip(at("key 1", "another")))._tag, "KeyReused")
  assert.deepStrictEqual(yield* at("key 2", "new"), { _tag: "Resumed", subject: "transaction:3" })
  assert.deepStrictEqual(yield* at("key 3", "new"), { _tag: "Done", value: "fresh" }, "nothing was written under it")
})

describe("migration 0003", () => {
  it.effect(
    "leaves no fingerprint in the file, and what was written under an old key is shown, not written again",
    () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        yield* Effect.provide(old, NodeSqliteClient.layer({ filename }), { local: true })
        const found = () =>
          fingerprints.filter((fingerprint) => bytesBeside(filename).some((bytes) => bytes.includes(fingerprint)))
        assert.isAbove(found().length, 200, "the old file holds them, those of deleted rows too")

        yield* Effect.provide(assertKeys, commandsOver(StoreSql.layerSqlite({ filename })), { local: true })

        assert.deepStrictEqual(found(), [])
      })
  )

  it.effect("leaves no fingerprint in PostgreSQL's tables either", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* newDatabase)
      yield* Effect.provide(old, PostgresClient.layer({ url }), { local: true })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ fingerprint: string }>`SELECT fingerprint FROM idempotency_keys`
        assert.isAbove(rows.length, 100)
        assert.deepStrictEqual([...new Set(rows.map(({ fingerprint }) => fingerprint))], [""])
        const kept = yield* sql`SELECT tablename FROM pg_tables WHERE tablename = 'kept_keys'`
        assert.deepStrictEqual(kept, [], "the table that they were moved through is gone")
        yield* assertKeys
      }).pipe(Effect.provide(commandsOver(StoreSql.layerPostgres({ url })), { local: true }))
    })
  )
})
