import { assert, describe, it } from "@effect/vitest"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { keptPayment, look, writes } from "@parcela/testing/CommandStoreFixtures"
import * as CommandStoreSuite from "@parcela/testing/CommandStoreSuite"
import { emptyDatabase } from "@parcela/tooling-postgres/Database"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Effect, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import * as StoreSql from "../src/StoreSql.ts"

forEachStore(CommandStoreSuite.suite)

// One process has a SQLite file: there is no second store on it.
CommandStoreSuite.suiteOfTwo(
  "PostgreSQL",
  Effect.map(Effect.orDie(emptyDatabase), (url) => {
    const open = () => StoreSql.layerPostgres({ url: Redacted.make(url) })
    return { first: open(), second: open() }
  })
)

forEachStore((name, layer) =>
  describe(`a guard (${name})`, () => {
    it.effect("holds back a write on a row that a statement outside of the command store has changed since", () =>
      Effect.gen(function* () {
        const store = yield* CommandStore
        const sql = yield* SqlClient.SqlClient
        const make = yield* writes
        const { args, companyId, subscription } = yield* keptPayment
        const stale = (yield* look("payment", args)).found!
        yield* sql`UPDATE subscriptions SET version = version + 1 WHERE id = ${subscription.id}`
        const decidedOn: Array<number> = []
        yield* store.run({
          load: "payment",
          args,
          decide: (loaded) => {
            const found = decidedOn.length === 0 ? stale : loaded.found!
            decidedOn.push(found.guard.version)
            const next = { ...subscription, payments: subscription.payments + decidedOn.length }
            const change = { table: "subscriptions", before: subscription, next } as const
            return Result.succeed({
              value: undefined,
              writes: make({ guards: [found.guard], changes: [change] }, found)
            })
          }
        })
        assert.deepStrictEqual(decidedOn, [stale.guard.version, stale.guard.version + 1])
        const kept = yield* Subscriptions.use((all) => all.find(companyId, bySvcPayId(subscription.id)))
        assert.strictEqual(Option.getOrThrow(kept).payments, subscription.payments + 2)
      }).pipe(Effect.provide(layer, { local: true }))
    )
  })
)
