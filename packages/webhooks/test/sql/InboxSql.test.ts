import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import * as PostgresClient from "@parcela/store-sql/postgres/PostgresClient"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as InboxSuite from "@parcela/provider-tests/InboxSuite"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"
import { emptyDatabase } from "@parcela/tooling-postgres/Database"
import { Duration, Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Inbox, type InboxEntry } from "../../src/Inbox.ts"
import * as InboxSql from "../../src/sql/InboxSql.ts"

const over = (filename: string) => Layer.provideMerge(InboxSql.layer, NodeSqliteClient.layer({ filename }))

const databases: Record<
  string,
  Effect.Effect<Layer.Layer<SqlClient.SqlClient, SqlError.SqlError>, never, Scope.Scope>
> = {
  "SQLite file": Effect.map(temporaryFile, (filename) => NodeSqliteClient.layer({ filename })),
  PostgreSQL: Effect.map(Effect.orDie(emptyDatabase), (url) =>
    Layer.orDie(PostgresClient.layer({ url: Redacted.make(url) }))
  )
}

for (const [name, database] of Object.entries(databases)) {
  InboxSuite.suite(name, {
    storage: Effect.map(database, (client) => Layer.provide(InboxSql.layer, client)),
    durable: true,
    leasesAtOnce: name !== "PostgreSQL"
  })
}

const entry: InboxEntry = {
  sender: "shop",
  webhookId: 1,
  event: "company.cashOut",
  subject: undefined,
  receivedAt: MachineTime.make(0),
  body: "{}",
  signedAt: 0,
  signature: "v1,AA=="
}
const lease = Inbox.use((inbox) => inbox.lease({ limit: 100, duration: Duration.minutes(1) }))

describe("InboxSql", () => {
  it.effect("stores and leases a delivery once for two processes on one file", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const both = [yield* Layer.build(Layer.fresh(over(filename))), yield* Layer.build(Layer.fresh(over(filename)))]
      const inEach = <A, E>(effect: Effect.Effect<A, E, Inbox>) =>
        Effect.forEach(both, (context) => Effect.provide(effect, context), { concurrency: 2 })
      const accepted = yield* inEach(Inbox.use((inbox) => inbox.accept(entry)))
      assert.deepStrictEqual(accepted.toSorted(), ["new", "repeated"])
      assert.strictEqual((yield* inEach(lease)).flat().length, 1)
    })
  )

  it.effect("marks a delivery in the transaction of the handler's writes, or not at all", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const inbox = yield* Inbox
        yield* sql`CREATE TABLE paid (webhook_id INTEGER)`
        yield* inbox.accept(entry)
        const leased = yield* lease
        const work = Effect.andThen(sql`INSERT INTO paid VALUES (1)`, inbox.done(leased))
        yield* Effect.ignore(sql.withTransaction(Effect.andThen(work, Effect.fail("power cut"))))
        assert.deepStrictEqual(yield* sql`SELECT 1 FROM paid`.values, [])
        assert.strictEqual(yield* sql.withTransaction(work), 1)
        assert.strictEqual(yield* inbox.release, 0)
        assert.deepStrictEqual(yield* lease, [])
      }).pipe(Effect.provide(over(filename)))
    })
  )

  it.effect("uses indexes to find due deliveries and earlier deliveries of their subjects", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const plan = yield* sql<{ detail: string }>`
          EXPLAIN QUERY PLAN SELECT due.sender, due.webhook_id FROM inbox_deliveries due
          WHERE due.state = 'waiting' AND (due.due_at <= 5 OR due.due_at > 9)
            AND NOT EXISTS (
              SELECT 1 FROM inbox_deliveries other WHERE other.sender = due.sender AND other.subject = due.subject
                AND other.state = 'waiting' AND other.webhook_id <> due.webhook_id
            )
          ORDER BY due.due_at, due.webhook_id LIMIT 5
        `
        const details = plan.map(({ detail }) => detail).join("\n")
        assert.include(details, "inbox_deliveries_due")
        assert.include(details, "inbox_deliveries_subject")
        assert.notInclude(details, "TEMP B-TREE")
      }).pipe(Effect.provide(over(yield* temporaryFile)))
    })
  )

  it.effect("leases the other deliveries if a row is invalid, and ends the attempts of that row", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const webhookId of [1, 2, 3]) yield* Inbox.use((inbox) => inbox.accept({ ...entry, webhookId }))
        yield* sql`UPDATE inbox_deliveries SET received_at = 'yesterday' WHERE webhook_id = 2`
        assert.deepStrictEqual(
          (yield* lease).map(({ webhookId }) => webhookId),
          [1, 3]
        )
        assert.deepStrictEqual(yield* sql`SELECT webhook_id FROM inbox_deliveries WHERE state = 'failed'`.values, [[2]])
      }).pipe(Effect.provide(over(yield* temporaryFile)))
    })
  )

  it.effect("is created once by two processes that start together on PostgreSQL", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* emptyDatabase)
      const process = Layer.build(Layer.provideMerge(InboxSql.layer, Layer.fresh(PostgresClient.layer({ url }))))
      const [first] = yield* Effect.all([process, process, process], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* Effect.provide(lease, first), [])
    })
  )

  it.effect("fails with an InboxError if the table is missing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DROP TABLE inbox_deliveries`
        return yield* Effect.flip(Inbox.use((inbox) => inbox.accept(entry)))
      }).pipe(Effect.provide(over(yield* temporaryFile)))
      assert.strictEqual(error._tag, "InboxError")
    })
  )
})
