import { assert, describe, it } from "@effect/vitest"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"
import { Clock, Effect, Exit, Fiber, Logger, Semaphore } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseSync } from "node:sqlite"
import { make, type Transaction } from "../src/GroupCommit.ts"
import * as SqliteDatabase from "../src/SqliteDatabase.ts"
import { codeOf, commitOperation } from "../src/SqliteErrors.ts"
import { makeCache, prepare } from "../src/Statements.ts"

const diskFull = Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 })

/** Group commit over an empty table, with the control statements that it ran. A statement in `failing` fails once. */
const onTableIn = Effect.fnUntraced(function* (filename: string) {
  const database = yield* SqliteDatabase.open({ filename })
  database.native.exec("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
  const controls: Array<string> = []
  const failing = new Set<string>()
  const cache = makeCache(100, (sql) => prepare(database.native, sql))
  const semaphore = yield* Semaphore.make(1)
  const watched = {
    ...cache,
    get: (sql: string) => {
      if (/^(BEGIN|COMMIT|ROLLBACK$)/.test(sql)) controls.push(sql)
      if (failing.delete(sql)) throw diskFull
      return cache.get(sql)
    }
  }
  const ids = () =>
    database.native
      .prepare("SELECT id FROM items ORDER BY id")
      .all()
      .map(({ id }) => Number(id))
  const { run } = yield* make(database, watched, semaphore)
  return { controls, database, failing, ids, run, semaphore }
})

const onTable = onTableIn(SqliteDatabase.memory)

const insert = (transaction: Transaction, id: number, name = `item ${id}`) =>
  transaction.write("INSERT INTO items (id, name) VALUES (?1, ?2)", [id, name])

const countOf = (transaction: Transaction) => transaction.read("SELECT count(*) AS count FROM items", [])[0]!["count"]

const atOnce = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.all(effects.map(Effect.exit), { concurrency: "unbounded" })

const failureOf = (exit: Exit.Exit<unknown, SqlError>) =>
  Exit.match(exit, {
    onSuccess: () => undefined,
    onFailure: ({ reasons: [reason] }) => (reason?._tag === "Fail" ? reason.error : reason)
  })

const ticks = (count: number): Effect.Effect<void> =>
  count === 0
    ? Effect.void
    : Effect.callback<void>((resume) => {
        setImmediate(() => resume(ticks(count - 1)))
      })

const oneCommit = ["BEGIN IMMEDIATE", "COMMIT"]

/** A clock that stands until `now` is set. */
const standing = Effect.map(Clock.Clock, (clock) => {
  const time = { now: 0 }
  return { clock: { ...clock, monotonicTimeNanosUnsafe: () => BigInt(time.now) * 1_000_000n }, time }
})

describe("queued transactions", () => {
  it.effect("share a COMMIT, at most 512, and each reads the writes of those before it", () =>
    Effect.gen(function* () {
      const { controls, ids, run } = yield* onTable
      const seen = yield* Effect.forEach(
        Array.from({ length: 1_024 }, (_, id) => id),
        (id) =>
          run((transaction) => {
            insert(transaction, id)
            return countOf(transaction)
          }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        seen,
        Array.from({ length: 1_024 }, (_, id) => id + 1)
      )
      assert.lengthOf(ids(), 1_024)
      assert.deepStrictEqual(controls, [...oneCommit, ...oneCommit])
    })
  )

  it.effect("are collected until an event-loop tick adds none", () =>
    Effect.gen(function* () {
      const { controls, run } = yield* onTable
      const after = (count: number) =>
        Effect.andThen(ticks(count), () => run((transaction) => insert(transaction, count)))
      yield* Effect.forEach([8, 7, 3, 2, 1, 0], after, { concurrency: "unbounded" })
      assert.deepStrictEqual(controls, [...oneCommit, ...oneCommit])
    })
  )

  it.effect("are committed after 20 ms, although more are queued", () =>
    Effect.gen(function* () {
      const { clock, time } = yield* standing
      const { controls, run } = yield* Effect.provideService(onTable, Clock.Clock, clock)
      const slow = (id: number) =>
        run((transaction) => {
          insert(transaction, id)
          time.now += 12
        })
      yield* Effect.forEach([1, 2, 3, 4], slow, { concurrency: "unbounded" })
      assert.deepStrictEqual(controls, [...oneCommit, ...oneCommit])
      const coming = (id: number) =>
        Effect.andThen(ticks(id), () => {
          time.now += 12
          return run((transaction) => insert(transaction, 10 + id))
        })
      yield* Effect.forEach([0, 1, 2, 3], coming, { concurrency: "unbounded" })
      assert.isAtLeast(controls.length, 8)
    })
  )

  it.effect("leave an event-loop tick between two batches, however many are queued", () =>
    Effect.gen(function* () {
      const { ids, run } = yield* onTable
      const seen: Array<number> = []
      const look = () => {
        seen.push(ids().length)
        next = setImmediate(look)
      }
      let next = setImmediate(look)
      const all = Array.from({ length: 1_100 }, (_, id) => run((transaction) => insert(transaction, id)))
      yield* Effect.all(all, { concurrency: "unbounded" })
      clearImmediate(next)
      assert.includeMembers(seen, [512, 1_024])
    })
  )

  it.effect("of background workers alternate with the others, however many of them are queued", () =>
    Effect.gen(function* () {
      const { run } = yield* onTable
      const ran: Array<number> = []
      const add = (id: number, isBackground: boolean) =>
        run((transaction) => {
          insert(transaction, id)
          ran.push(id)
        }, isBackground)
      const background = [1, 2, 3, 4].map((id) => add(id, true))
      yield* Effect.all([...background, add(5, false), add(6, false)], { concurrency: "unbounded" })
      assert.deepStrictEqual(ran, [5, 1, 6, 2, 3, 4])
    })
  )

  it.effect("receive the number of rows that a write changed", () =>
    Effect.gen(function* () {
      const { ids, run } = yield* onTable
      const remove = (transaction: Transaction) => transaction.change("DELETE FROM items WHERE id < 3", [])
      yield* run((transaction) => [1, 2, 3].forEach((id) => insert(transaction, id)))
      assert.deepStrictEqual(yield* run((transaction) => [remove(transaction), remove(transaction)]), [2, 0])
      assert.deepStrictEqual(ids(), [3])
    })
  )

  it.effect("that only read have no COMMIT", () =>
    Effect.gen(function* () {
      const { controls, run } = yield* onTable
      assert.deepStrictEqual(yield* atOnce([run(countOf), run(countOf)]), [Exit.succeed(0), Exit.succeed(0)])
      assert.deepStrictEqual(controls, [])
    })
  )

  it.effect("do not run after their callers were interrupted, and wait for a transaction of the client", () =>
    Effect.gen(function* () {
      const { ids, run, semaphore } = yield* onTable
      yield* semaphore.take(1)
      const gone = yield* Effect.forkChild(run((transaction) => insert(transaction, 1)))
      const waiting = yield* Effect.forkChild(run((transaction) => insert(transaction, 2)))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(gone)
      assert.deepStrictEqual(ids(), [])
      yield* semaphore.release(1)
      yield* Fiber.join(waiting)
      assert.deepStrictEqual(ids(), [2])
    })
  )
})

describe("a failing transaction", () => {
  it.effect("fails alone, whatever it wrote and at any position of the batch", () =>
    Effect.gen(function* () {
      const { controls, ids, run } = yield* onTable
      const good = [1, 2, 3, 4].map((id) => run<unknown>((transaction) => insert(transaction, id)))
      const refused = run((transaction) => {
        insert(transaction, 100)
        insert(transaction, 100)
      })
      const broken = run((transaction) => {
        insert(transaction, 200)
        throw new Error("broken")
      })
      const [first, conflict, second, third, defect, fourth] = yield* atOnce<unknown, SqlError>([
        good[0]!,
        refused,
        good[1]!,
        good[2]!,
        broken,
        good[3]!
      ])
      assert.deepStrictEqual([first, second, third, fourth], [[], [], [], []].map(Exit.succeed))
      const failure = failureOf(conflict!)
      assert.isTrue(failure?._tag === "SqlError" && failure.reason.operation !== commitOperation)
      assert.strictEqual(failureOf(defect!)?._tag, "Die")
      assert.deepStrictEqual(ids(), [1, 2, 3, 4])
      assert.isAtMost(controls.filter((control) => control === "COMMIT").length, 3)
    })
  )

  it.effect("makes no other transaction run more than twice, however many fail", () =>
    Effect.gen(function* () {
      const { ids, run } = yield* onTable
      let runs = 0
      const add = (id: number) =>
        run(
          (transaction) => {
            runs += 1
            insert(transaction, id)
            if (id % 2 === 0) throw new Error("broken")
          },
          id % 3 === 0
        )
      const exits = yield* atOnce(Array.from({ length: 512 }, (_, id) => add(id)))
      assert.deepStrictEqual(
        exits.map(Exit.isSuccess),
        Array.from({ length: 512 }, (_, id) => id % 2 === 1)
      )
      assert.lengthOf(ids(), 256)
      assert.isAtMost(runs, 2 * 512)
    })
  )

  it.effect("on a full disk does not fail the others that fit", () =>
    Effect.gen(function* () {
      const { database, ids, run } = yield* onTable
      database.native.exec("PRAGMA max_page_count = 8")
      const exits = yield* atOnce([
        run((transaction) => insert(transaction, 1)),
        run((transaction) => insert(transaction, 2, "x".repeat(100_000))),
        run((transaction) => insert(transaction, 3))
      ])
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true])
      const failure = failureOf(exits[1]!)
      assert.isTrue(failure?._tag === "SqlError" && codeOf(failure) === "SQLITE_FULL")
      assert.deepStrictEqual(ids(), [1, 3])
    })
  )

  it.effect("at its BEGIN, because another process writes, writes nothing and does not block the next batch", () =>
    Effect.gen(function* () {
      const { failing, ids, run } = yield* onTable
      failing.add("BEGIN IMMEDIATE")
      const [first, second] = yield* atOnce([1, 2].map((id) => run((transaction) => insert(transaction, id))))
      const failure = failureOf(first!)
      assert.isTrue(failure?._tag === "SqlError" && failure.reason.operation !== commitOperation)
      assert.isTrue(Exit.isSuccess(second!))
      assert.deepStrictEqual(ids(), [2])
    })
  )
})

describe("a COMMIT", () => {
  it.effect("that fails fails its whole batch with its reads, and not the next batch", () =>
    Effect.gen(function* () {
      const { failing, ids, run } = yield* onTable
      failing.add("COMMIT")
      const writes = [1, 2].map((id) => run<unknown>((transaction) => insert(transaction, id)))
      const exits = yield* atOnce([...writes, run(countOf)])
      for (const exit of exits) {
        const failure = failureOf(exit)
        assert.isTrue(
          failure?._tag === "SqlError" &&
            failure.reason.operation === commitOperation &&
            codeOf(failure) === "SQLITE_FULL"
        )
      }
      assert.deepStrictEqual(ids(), [])
      yield* run((transaction) => insert(transaction, 3))
      assert.deepStrictEqual(ids(), [3])
    })
  )

  it.effect("is in the file before its transactions return", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const { run } = yield* onTableIn(filename)
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(filename)),
        (opened) => Effect.sync(() => opened.close())
      )
      yield* run((transaction) => insert(transaction, 1))
      assert.strictEqual(other.prepare("SELECT count(*) AS count FROM items").get()?.["count"], 1)
    })
  )
})

describe("a writer with a defect", () => {
  it.effect("is logged, fails the queued transactions, and starts again", () => {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    return Effect.gen(function* () {
      const own = yield* Clock.Clock
      let defects = 0
      const clock = {
        ...own,
        monotonicTimeNanosUnsafe: () => {
          if (defects-- > 0) throw new Error("no time")
          return 0n
        }
      }
      const { ids, run } = yield* Effect.provideService(onTable, Clock.Clock, clock)
      defects = 1
      const failed = yield* Effect.exit(run((transaction) => insert(transaction, 1)))
      assert.strictEqual(failureOf(failed)?._tag, "Die")
      assert.lengthOf(lines, 1)
      assert.include(lines[0], "restarted")
      yield* run((transaction) => insert(transaction, 3))
      assert.deepStrictEqual(ids(), [3])
    }).pipe(Effect.provide(logger))
  })

  it.effect("within a batch stores nothing of that batch", () => {
    const logger = Logger.layer([])
    return Effect.gen(function* () {
      const own = yield* Clock.Clock
      let isBroken = false
      const clock = {
        ...own,
        monotonicTimeNanosUnsafe: () => {
          if (isBroken) throw new Error("no time")
          return 0n
        }
      }
      const { ids, run } = yield* Effect.provideService(onTable, Clock.Clock, clock)
      const exit = yield* Effect.exit(
        run((transaction) => {
          insert(transaction, 1)
          isBroken = true
        })
      )
      assert.strictEqual(failureOf(exit)?._tag, "Die")
      isBroken = false
      yield* run((transaction) => insert(transaction, 2))
      assert.deepStrictEqual(ids(), [2])
    }).pipe(Effect.provide(logger))
  })
})
