/** Shows why the cursor of the journal is not the number of an entry alone: concurrent writers commit out of order. */
import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Journal, type JournalEntry } from "@parcela/engine/ports/Journal"
import { storedCompany, newEntry } from "./fixtures/StoreFixtures.ts"
import { writeEntries } from "@parcela/test-world/StoreWrites"
import { emptyDatabase } from "@parcela/tooling-postgres/Database"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as StoreSql from "../src/StoreSql.ts"
import * as Shapes from "../src/sql/Shapes.ts"
import { entriesOfRows, newJournalRows } from "../src/tables/Journal.ts"

const postgres = Layer.unwrap(
  Effect.map(Effect.orDie(emptyDatabase), (url) => StoreSql.layerPostgres({ url: Redacted.make(url) }))
)

/** The entries after a number, as a follower would ask who takes numbers for the order of commits. */
const numbersAfter = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string }>`SELECT id FROM journal WHERE id > ${id} ORDER BY id`
  return rows.map((row) => Number(row.id))
})

const subjects = (entries: ReadonlyArray<JournalEntry>) => entries.map(({ subject }) => subject.id)

describe("an entry that PostgreSQL inserts first and commits last", () => {
  it.effect("is lost by a cursor of numbers, and not by the journal's cursor", () =>
    Effect.gen(function* () {
      const journal = yield* Journal
      const sql = yield* SqlClient.SqlClient
      const { id: company } = yield* storedCompany
      const isWritten = yield* Deferred.make<void>()
      const mayCommit = yield* Deferred.make<void>()
      const slow = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            for (const entries of entriesOfRows([newEntry(company, SvcPayId.make(1))])) {
              yield* sql`INSERT INTO journal ${sql.insert(Shapes.recordOf(newJournalRows, entries))}`
            }
            yield* Deferred.succeed(isWritten, undefined)
            yield* Deferred.await(mayCommit)
          })
        )
      )
      yield* Deferred.await(isWritten)
      yield* writeEntries([newEntry(company, SvcPayId.make(2))])

      const [seen = 0] = yield* numbersAfter(0)
      const early = yield* journal.follow(undefined, 10)
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(slow)

      // The first entry is there now, and a cursor of numbers is past it.
      assert.strictEqual((yield* numbersAfter(0)).length, 2)
      assert.deepStrictEqual(yield* numbersAfter(seen), [])

      assert.deepStrictEqual(subjects(early.entries), [])
      let { next } = early
      const followed: Array<JournalEntry> = []
      while (followed.length < 2) {
        const step = yield* journal.follow(next, 10)
        followed.push(...step.entries)
        next = step.next
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      assert.deepStrictEqual(subjects(followed), ["1", "2"])
    }).pipe(Effect.provide(postgres))
  )
})
