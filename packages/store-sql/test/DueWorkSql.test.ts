import { assert, describe, it } from "@effect/vitest"
import { Origin } from "@parcela/engine/ports/Origin"
import { DueWork, type WorkLease } from "@parcela/engine/ports/DueWork"
import { IsBackground } from "@parcela/sqlite/GroupCommit"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import * as DueWorkSuite from "@parcela/testing/DueWorkSuite"
import { minute } from "@parcela/testing/StoreFixtures"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Effect } from "effect"
import { Statement } from "effect/sql"

forEachStore((name, layer) => DueWorkSuite.suite(name, layer, { exclusive: name !== "PostgreSQL" }))

describe("work on SQLite that is put off", () => {
  it.effect("is a write that a request waits for, and nobody waits for a worker's", () =>
    Effect.gen(function* () {
      const dueWork = yield* DueWork
      const inBackground: Array<boolean> = []
      const note: Statement.Transformer = (statement) =>
        Effect.map(IsBackground, (is) => {
          inBackground.push(is)
          return statement
        })
      const lease: WorkLease = { kind: "resolve attempt", subject: "a", token: "one 1" }
      const postponing = dueWork.postpone(lease, { clock: "machine", dueAt: minute(1), waitsSince: minute(0) })
      const put = Effect.provideService(postponing, Statement.CurrentTransformer, note)
      yield* Effect.provideService(put, Origin, {
        actor: { _tag: "Client", clientId: "shop" },
        cause: { _tag: "Request" }
      })
      yield* put
      assert.deepStrictEqual(inBackground, [false, true])
    }).pipe(Effect.provide(StoreSql.layerSqlite({ filename: ":memory:" })))
  )
})
