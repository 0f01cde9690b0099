import { assert, describe, it } from "@effect/vitest"
import { EpochMillis } from "@parcela/core/EpochMillis"
import * as InboxSuite from "@parcela/testing/InboxSuite"
import { Inbox } from "@parcela/webhooks/Inbox"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as InboxSql from "../src/InboxSql.ts"
import * as NodeSqliteClient from "../src/sqlite/NodeSqliteClient.ts"
import { temporaryFile } from "./sqlite/fixtures/TemporaryFile.ts"

const over = (filename: string) => Layer.provide(InboxSql.layer, NodeSqliteClient.layer({ filename }))

InboxSuite.suite("SQLite file", { storage: Effect.map(temporaryFile, over), durable: true })

const entry = { webhookId: "1", event: "company.cashOut", receivedAt: EpochMillis.make(1_785_585_600_000), body: "{}" }
const claim = Inbox.use((inbox) => inbox.claim(entry))

describe("InboxSql", () => {
  it.effect("lets one of two processes at one file have an id", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const inboxes = [yield* Layer.build(Layer.fresh(over(filename))), yield* Layer.build(Layer.fresh(over(filename)))]
      const won = yield* Effect.forEach(inboxes, (context) => Effect.provide(claim, context), { concurrency: 2 })
      assert.deepStrictEqual(won.toSorted(), [false, true])
    })
  )

  it.effect("keeps the entry, and drops the later one of the same id", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const client = NodeSqliteClient.layer({ filename })
      yield* Effect.gen(function* () {
        yield* claim
        yield* Inbox.use((inbox) => inbox.claim({ ...entry, body: `{"other":true}` }))
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT webhook_id, event, received_at, body FROM inbox`.values, [
          ["1", "company.cashOut", 1_785_585_600_000, "{}"]
        ])
      }).pipe(Effect.provide(Layer.provideMerge(InboxSql.layer, client)))
    })
  )

  it.effect("fails with an InboxError when the table is gone", () =>
    Effect.gen(function* () {
      const client = NodeSqliteClient.layer({ filename: yield* temporaryFile })
      const error = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DROP TABLE inbox`
        return yield* Effect.flip(claim)
      }).pipe(Effect.provide(Layer.provideMerge(InboxSql.layer, client)))
      assert.strictEqual(error._tag, "InboxError")
    })
  )
})
