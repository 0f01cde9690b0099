import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import { Companies } from "@parcela/engine/ports/Companies"
import { SimulatorStore } from "@parcela/provider-simulator/SimulatorStore"
import { Effect, Exit, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { CompanyStates } from "../src/CompanyStates.ts"
import { stores } from "./fixtures/BothDatabases.ts"

type Client = SqlClient.SqlClient

/** A failure of the next transaction of a client. */
type Strike = <A, E, R>(ran: Effect.Effect<A, E, R>, sql: Client) => Effect.Effect<A, E | SqlError, R>

/** The client, with what befalls its transactions, by their number. */
const struck = <C extends Client>(sql: C, strike: Strike, isStruck: (index: number) => boolean): C => {
  let index = 0
  const withTransaction: Client["withTransaction"] = (effect) =>
    Effect.suspend(() => (isStruck(index++) ? strike(effect, sql) : sql.withTransaction(effect)))
  return new Proxy(sql, {
    get: (target, key) => (key === "withTransaction" ? withTransaction : Reflect.get(target, key))
  })
}

const unreachable = Effect.suspend(() => {
  const cause = new Error("the connection was cut")
  return Effect.fail(new SqlError({ reason: new ConnectionError({ cause, message: cause.message }) }))
})

const strikes = {
  /** The process is killed. */
  killedBefore: () => Effect.die("kill -9"),
  killedAfter: (effect, sql) => Effect.andThen(sql.withTransaction(effect), Effect.die("kill -9")),
  /** The database cannot be used. */
  lost: () => unreachable,
  lostAtCommit: (effect, sql) => sql.withTransaction(Effect.andThen(effect, unreachable)),
  replyLost: (effect, sql) => Effect.andThen(sql.withTransaction(effect), unreachable)
} satisfies Record<string, Strike>

interface Struck {
  /** Befalls a transaction of the service's: the first is of the start, the next two of a take, a restore or a removal. */
  readonly main?: Strike
  readonly index?: number
  /** Befalls the first transaction of the providers. */
  readonly providers?: Strike
}

/** One who takes and restores, whose databases something befalls. */
const statesOn = ({ index = 0, main, providers }: Struck) =>
  Layer.fresh(CompanyStates.layer).pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.effect(
          SqlClient.SqlClient,
          Effect.map(SqlClient.SqlClient, (sql) => (main === undefined ? sql : struck(sql, main, (at) => at === index)))
        ),
        Layer.effect(
          SimulatorStore,
          Effect.map(SimulatorStore, (sql) =>
            providers === undefined ? sql : struck(sql, providers, (at) => at === 0)
          )
        )
      )
    )
  )

const use = <A, E>(run: (states: CompanyStates["Service"]) => Effect.Effect<A, E>) => CompanyStates.use(run)

const on = (given: Struck = {}) => Effect.provide(statesOn(given), { local: true })

const start = Effect.asVoid(CompanyStates).pipe(on())

/** A company with a row in both databases. */
const company = Effect.gen(function* () {
  const companies = yield* Companies
  const createdAt = MachineTime.make(0)
  const { id } = yield* companies.insert({ name: "Padaria", scopes: [], allowedAddresses: [], createdAt })
  yield* use((states) => states.take(id, "empty")).pipe(on())
  yield* add(id)
  return id
})

const add = Effect.fnUntraced(function* (company_id: CompanyId) {
  const [sql, providers] = [yield* SqlClient.SqlClient, yield* SimulatorStore]
  const entry = { company_id, at: 0, business_at: 0, actor: "{}", events: "[]", subjects: "[]" }
  yield* sql`INSERT INTO journal ${sql.insert(entry)}`
  const line = { provider: "p", kind: "k", company_id, effect: "none", is_repeat: 0, received_at: 0 }
  yield* providers`INSERT INTO ledger ${providers.insert(line)}`
})

/** The numbers of rows of the company here and at the providers, and the snapshots of those rows. */
const rowsOf = Effect.fnUntraced(function* (id: CompanyId) {
  const [sql, providers] = [yield* SqlClient.SqlClient, yield* SimulatorStore]
  const own = yield* sql`SELECT 1 FROM journal WHERE company_id = ${id}`
  const theirs = yield* providers`SELECT 1 FROM ledger WHERE company_id = ${id}`
  const stored = yield* providers`SELECT DISTINCT snapshot_id FROM snapshot_rows`
  const known = yield* sql`SELECT id FROM company_snapshots`
  const restores = yield* providers<{ restores: number }>`SELECT restores FROM company_restores`
  const [{ counted } = { counted: 0 }] = yield* sql<{ counted: number }>`SELECT restores AS counted FROM companies`
  return { own: own.length, theirs: theirs.length, stored: stored.length, known: known.length, restores, counted }
})

for (const [name, store] of Object.entries(stores)) {
  const onStore = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.provide(test, store, { local: true })

  describe(`an interrupted restore (${name})`, () => {
    const restoring = (id: CompanyId, given: Struck) =>
      Effect.exit(use((states) => states.restore(id, "empty")).pipe(on(given)))

    for (const [where, given, left] of [
      ["before it was noted", { main: strikes.killedBefore, index: 1 }, 1],
      ["once it was noted", { main: strikes.killedBefore, index: 2 }, 0],
      ["before the providers have it", { providers: strikes.killedBefore }, 0],
      ["between the two databases", { providers: strikes.killedAfter }, 0],
      ["once it is done", { main: strikes.killedAfter, index: 2 }, 0]
    ] as const) {
      it.effect(`is complete or absent after a kill ${where}`, () =>
        Effect.gen(function* () {
          const id = yield* company
          assert.isTrue(Exit.hasDies(yield* restoring(id, given)))
          yield* start
          const { counted, own, restores, theirs } = yield* rowsOf(id)
          assert.deepStrictEqual([own, theirs, counted], [left, left, 1 - left])
          assert.deepStrictEqual(restores, left === 1 ? [] : [{ restores: 1 }])
        }).pipe(onStore)
      )
    }

    for (const [where, given, left] of [
      ["whose providers cannot be reached leaves nothing", { providers: strikes.lost }, 1],
      ["whose providers' reply is lost is finished", { providers: strikes.replyLost }, 0],
      ["whose own commit fails is finished", { main: strikes.lostAtCommit, index: 2 }, 0]
    ] as const) {
      it.effect(where, () =>
        Effect.gen(function* () {
          const id = yield* company
          assert.isTrue(Exit.hasFails(yield* restoring(id, given)))
          const { counted, own, theirs } = yield* rowsOf(id)
          assert.deepStrictEqual([own, theirs, counted], [left, left, 1 - left])
          // Nothing is left to be done at the next start.
          yield* add(id)
          yield* start
          assert.strictEqual((yield* rowsOf(id)).own, left + 1)
        }).pipe(onStore)
      )
    }
  })

  describe(`an interrupted restore of another version (${name})`, () => {
    const exchanged = SqlClient.SqlClient.use((sql) => sql`UPDATE company_snapshots SET layout = 'another'`)
    const killed = (id: CompanyId, given: Struck) =>
      Effect.andThen(Effect.exit(use((states) => states.restore(id, "empty")).pipe(on(given))), exchanged)

    for (const [where, given, left] of [
      ["is undone, where the providers have nothing of it", { main: strikes.killedBefore, index: 2 }, 1],
      ["takes over the providers' number, where they have it", { providers: strikes.killedAfter }, 0]
    ] as const) {
      it.effect(where, () =>
        Effect.gen(function* () {
          const id = yield* company
          yield* killed(id, given)
          yield* start
          const { counted, own, restores, theirs } = yield* rowsOf(id)
          assert.deepStrictEqual([own, theirs, counted], [1, left, 1 - left])
          assert.deepStrictEqual(restores, left === 1 ? [] : [{ restores: 1 }])
          // Nothing of it is left to be done.
          yield* use((states) => states.restore(id, undefined)).pipe(on())
          assert.deepInclude(yield* rowsOf(id), { own: 0, theirs: 0, counted: 2 - left })
        }).pipe(onStore)
      )
    }

    it.effect("does not prevent a snapshot in both databases", () =>
      Effect.gen(function* () {
        const id = yield* company
        yield* Effect.gen(function* () {
          const states = yield* CompanyStates
          // By another process, while this one runs.
          yield* killed(id, { main: strikes.killedBefore, index: 2 })
          const { rows } = yield* states.take(id, "now")
          assert.strictEqual(rows, 2)
          yield* states.restore(id, undefined)
          yield* states.restore(id, "now")
        }).pipe(on())
        yield* start
        assert.deepInclude(yield* rowsOf(id), { own: 1, theirs: 1, counted: 2 })
      }).pipe(onStore)
    )
  })

  describe(`the providers' part of a snapshot (${name})`, () => {
    it.effect("is deleted after a snapshot or a deletion that was interrupted or failed", () =>
      Effect.gen(function* () {
        const id = yield* company
        const take = (snapshot: string) => use((states) => states.take(id, snapshot))
        const remove = use((states) => states.remove(id, "full"))
        yield* take("full").pipe(on())
        for (const main of [strikes.lostAtCommit, strikes.killedAfter]) {
          yield* Effect.exit(take("full").pipe(on({ main, index: 2 })))
        }
        yield* Effect.exit(remove.pipe(on({ main: strikes.killedAfter, index: 2 })))
        yield* start
        const { stored, known } = yield* rowsOf(id)
        // Nothing of the first is retained.
        assert.deepStrictEqual([stored, known], [0, 1])
        yield* take("full").pipe(on())
        assert.strictEqual((yield* rowsOf(id)).stored, 1)
      }).pipe(onStore)
    )
  })
}

describe("a failed restore that cannot be settled at once", () => {
  it.effect(
    "is settled when the database is available again, by one attempt per second for any number of requests",
    () =>
      Effect.gen(function* () {
        const id = yield* company
        let isDown = false
        let reads = 0
        let onEnded = () => {}
        const logger = Logger.make(({ message }) => String(message).includes("that failed is settled") && onEnded())
        const main: Strike = (effect, sql) =>
          Effect.suspend(() => {
            reads++
            return sql.withTransaction(Effect.tap(effect, () => (isDown ? unreachable : Effect.void)))
          })
        const flaky = Layer.effect(
          SqlClient.SqlClient,
          Effect.map(SqlClient.SqlClient, (sql) => struck(sql, main, () => true))
        )
        const down: Strike = (effect, sql) =>
          Effect.tap(sql.withTransaction(effect), () => Effect.sync(() => (isDown = true)))
        const providers = Layer.effect(
          SimulatorStore,
          Effect.map(SimulatorStore, (sql) => struck(sql, down, (at) => at === 0))
        )
        yield* Effect.gen(function* () {
          // Both databases were restored, and then the service's commit was lost: it was not made.
          const restoring = Effect.exit(use((states) => states.restore(id, "empty")))
          for (let requested = 0; requested < 5; requested++) assert.isTrue(Exit.hasFails(yield* restoring))
          reads = 0
          yield* TestClock.adjust("10 seconds")
          assert.strictEqual(reads, 10)
          assert.deepInclude(yield* rowsOf(id), { own: 1, theirs: 0, counted: 0 })
          isDown = false
          yield* TestClock.adjust("1 second")
          yield* Effect.yieldNow
          assert.deepInclude(yield* rowsOf(id), { own: 0, theirs: 0, counted: 1 })
          yield* TestClock.adjust("10 seconds")
          assert.strictEqual(reads, 11)
          // One that fails right when the last one has been ended is looked after by the same loop.
          const run = Effect.runForkWith(yield* Effect.context<CompanyStates>())
          onEnded = () => {
            if (isDown) return
            isDown = true
            run(restoring)
          }
          isDown = true
          yield* restoring
          isDown = false
          yield* TestClock.adjust("1 second")
          assert.isTrue(isDown)
          reads = 0
          yield* TestClock.adjust("10 seconds")
          assert.strictEqual(reads, 10)
          // A defect of the loop is logged, and the loop continues.
          onEnded = () => {
            throw new Error("a defect of a logger")
          }
          isDown = false
          yield* TestClock.adjust("10 seconds")
          onEnded = () => {}
          isDown = true
          yield* restoring
          isDown = false
          reads = 0
          yield* TestClock.adjust("10 seconds")
          assert.strictEqual(reads, 1)
        }).pipe(
          Effect.provide(
            Layer.fresh(CompanyStates.layer).pipe(
              Layer.provide(Layer.mergeAll(flaky, providers, Logger.layer([logger])))
            )
          )
        )
      }).pipe(Effect.provide(stores.SQLite, { local: true }))
  )
})
