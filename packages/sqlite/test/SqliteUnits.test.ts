import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber, Semaphore } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { prepare } from "../src/SqliteConnection.ts"
import * as SqliteDatabase from "../src/SqliteDatabase.ts"
import { codeOf } from "../src/SqliteErrors.ts"
import type { SqliteTurn } from "../src/SqliteTurn.ts"
import { make, type UnitFailed } from "../src/SqliteUnits.ts"
import * as StatementCache from "../src/StatementCache.ts"

const diskFull = Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 })

/** Units over an empty table, with the controls that they ran; `failing` fails once. */
const onTableIn = Effect.fnUntraced(function* (filename: string) {
  const database = yield* SqliteDatabase.open({ filename })
  database.native.exec("CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
  const controls: Array<string> = []
  const failing = new Set<string>()
  const slowCommit: { take: () => unknown } = { take: () => undefined }
  const cache = StatementCache.make(100, (sql) => prepare(database.native, sql))
  const semaphore = yield* Semaphore.make(1)
  const watched = {
    ...cache,
    get: (sql: string) => {
      if (/^(BEGIN|COMMIT|ROLLBACK)/.test(sql)) controls.push(sql)
      if (failing.delete(sql)) throw diskFull
      if (sql === "COMMIT") slowCommit.take()
      return cache.get(sql)
    }
  }
  const ids = () =>
    database.native
      .prepare("SELECT id FROM items ORDER BY id")
      .all()
      .map(({ id }) => Number(id))
  return { controls, database, failing, ids, semaphore, slowCommit, units: yield* make(database, watched, semaphore) }
})

const onTable = onTableIn(SqliteDatabase.memory)

const onFile = (folder: string) => onTableIn(join(folder, "test.db"))

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "units-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const insert = (turn: SqliteTurn, id: number, name = `item ${id}`) =>
  turn.write("INSERT INTO items (id, name) VALUES (?1, ?2)", [id, name])

const countOf = (turn: SqliteTurn) => turn.read("SELECT count(*) AS count FROM items", [])[0]!["count"]

const atOnce = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.all(effects.map(Effect.exit), { concurrency: "unbounded" })

const failureOf = (exit: Exit.Exit<unknown, UnitFailed>) =>
  Exit.match(exit, {
    onSuccess: () => undefined,
    onFailure: ({ reasons: [reason] }) => (reason?._tag === "Fail" ? reason.error : reason)
  })

/** Turns of the event loop. */
const inTurns = (count: number): Effect.Effect<void> =>
  count === 0
    ? Effect.void
    : Effect.callback<void>((resume) => {
        setImmediate(() => resume(inTurns(count - 1)))
      })

const oneCommit = ["BEGIN IMMEDIATE", "COMMIT"]
const undone = ["BEGIN IMMEDIATE", "ROLLBACK"]

describe("units that wait", () => {
  it.effect("share a commit, 512 at most, and each sees what those before it wrote", () =>
    Effect.gen(function* () {
      const { controls, ids, units } = yield* onTable
      const seen = yield* Effect.forEach(
        Array.from({ length: 1_024 }, (_, id) => id),
        (id) =>
          units.run((turn) => {
            insert(turn, id)
            return countOf(turn)
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

  it.effect("wait for others as long as each turn of the event loop brings some", () =>
    Effect.gen(function* () {
      const { controls, units } = yield* onTable
      const after = (turns: number) => Effect.andThen(inTurns(turns), () => units.run((turn) => insert(turn, turns)))
      yield* Effect.forEach([8, 7, 3, 2, 1, 0], after, { concurrency: "unbounded" })
      assert.deepStrictEqual(controls, [...oneCommit, ...oneCommit])
    })
  )

  it.effect("wait for one turn when none come, and for 10 ms when they go on coming", () =>
    Effect.gen(function* () {
      let now = 0
      const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => now }
      const { ids, units } = yield* Effect.provideService(onTable, Clock.Clock, clock)
      const committed: Array<ReadonlyArray<number>> = []
      const add = (id: number) =>
        Effect.forkChild(
          units.run((turn) => insert(turn, id)),
          { startImmediately: true }
        )
      yield* add(0)
      yield* inTurns(1)
      assert.deepStrictEqual(ids(), [0])
      const others = Effect.forEach([2, 3, 4, 5], (id) =>
        Effect.gen(function* () {
          yield* inTurns(1)
          committed.push(ids())
          yield* add(id)
          now += 4
        })
      )
      const coming = yield* Effect.forkChild(others, { startImmediately: true })
      yield* add(1)
      yield* Fiber.join(coming)
      assert.deepStrictEqual(committed, [[0], [0], [0], [0, 1, 2, 3, 4]])
    })
  )

  it.effect("leave the event loop a turn between two lots, however many wait", () =>
    Effect.gen(function* () {
      const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => 0 }
      const { ids, units } = yield* Effect.provideService(onTable, Clock.Clock, clock)
      const seen: Array<number> = []
      const look = () => {
        seen.push(ids().length)
        next = setImmediate(look)
      }
      let next = setImmediate(look)
      const all = Array.from({ length: 1_100 }, (_, id) => units.run((turn) => insert(turn, id)))
      yield* Effect.all(all, { concurrency: "unbounded" })
      clearImmediate(next)
      assert.includeMembers(seen, [512, 1_024])
    })
  )

  it.effect("end 32 in a turn of the event loop, those first that somebody waits for", () =>
    Effect.gen(function* () {
      const { units } = yield* onTable
      const turns: Array<number> = []
      let turn = 0
      const look = () => {
        turn += 1
        next = setImmediate(look)
      }
      let next = setImmediate(look)
      const ended: Array<number> = []
      const add = (id: number) =>
        Effect.map(
          units.run((turn) => insert(turn, id), id !== 99),
          () => {
            ended.push(id)
            turns.push(turn)
          }
        )
      yield* Effect.forEach(
        Array.from({ length: 100 }, (_, id) => id),
        add,
        { concurrency: "unbounded" }
      )
      clearImmediate(next)
      assert.strictEqual(ended[0], 99)
      assert.deepStrictEqual(
        [...Map.groupBy(turns, (at) => at).values()].map(({ length }) => length),
        [32, 32, 32, 4]
      )
    })
  )

  it.effect("are given how many rows a write of theirs changed", () =>
    Effect.gen(function* () {
      const { controls, ids, units } = yield* onTable
      const remove = (turn: SqliteTurn, to: number) => turn.change("DELETE FROM items WHERE id < ?1", [to])
      yield* units.run((turn) => [1, 2, 3].forEach((id) => insert(turn, id)))
      assert.deepStrictEqual(yield* units.run((turn) => [remove(turn, 3), remove(turn, 3)]), [2, 0])
      assert.deepStrictEqual(ids(), [3])
      assert.deepStrictEqual(controls, [...oneCommit, ...oneCommit])
    })
  )

  it.effect("run in turn with those that nobody waits for, however many of those came before", () =>
    Effect.gen(function* () {
      const { units } = yield* onTable
      const ran: Array<number> = []
      const add = (id: number, isBackground: boolean) =>
        units.run((turn) => {
          insert(turn, id)
          ran.push(id)
        }, isBackground)
      const background = [1, 2, 3, 4].map((id) => add(id, true))
      yield* Effect.all([...background, add(5, false), add(6, false)], { concurrency: "unbounded" })
      assert.deepStrictEqual(ran, [5, 1, 6, 2, 3, 4])
    })
  )

  it.effect("leave the event loop a turn after 5 ms, and share the commit with what comes in it", () =>
    Effect.gen(function* () {
      let now = 0
      const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => now }
      const { controls, database, ids, units } = yield* Effect.provideService(onFile(yield* folder), Clock.Clock, clock)
      const slow = (id: number) =>
        units.run((turn) => {
          insert(turn, id)
          now += 3
        })
      const first = yield* Effect.forkChild(Effect.forEach([1, 2, 3], slow, { concurrency: "unbounded" }))
      while (!units.areWriting()) yield* inTurns(1)
      assert.isTrue(database.native.isTransaction)
      assert.deepStrictEqual(ids(), [1, 2])
      yield* slow(4)
      assert.isFalse(units.areWriting())
      yield* Fiber.join(first)
      assert.deepStrictEqual(ids(), [1, 2, 3, 4])
      assert.deepStrictEqual(controls, oneCommit)
    })
  )

  it.effect("are committed before the database is closed", () =>
    Effect.gen(function* () {
      let now = 0
      const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => now }
      const open = Effect.provideService(onFile(yield* folder), Clock.Clock, clock)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { units } = yield* open
          const slow = (id: number) =>
            units.run((turn) => {
              insert(turn, id)
              now += 5
            })
          yield* Effect.forkDetach(Effect.forEach([1, 2], slow, { concurrency: "unbounded" }))
          while (!units.areWriting()) yield* inTurns(1)
        })
      )
      assert.deepStrictEqual((yield* open).ids(), [1, 2])
    })
  )

  const committedTogether = Effect.fnUntraced(function* (table: typeof onTable, millis: number, commit = 0) {
    let now = 0
    const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => now }
    const { controls, ids, slowCommit, units } = yield* Effect.provideService(table, Clock.Clock, clock)
    slowCommit.take = () => (now += commit)
    const slow = (id: number) =>
      units.run((turn) => {
        insert(turn, id)
        now += millis
      })
    yield* Effect.forEach([1, 2, 3, 4, 5, 6], slow, { concurrency: "unbounded" })
    assert.deepStrictEqual(ids(), [1, 2, 3, 4, 5, 6])
    assert.deepStrictEqual(controls, [...oneCommit, ...oneCommit, ...oneCommit])
  })

  it.effect("are committed after 50 ms, and the others after them", () =>
    Effect.gen(function* () {
      yield* committedTogether(onFile(yield* folder), 25)
    })
  )

  it.effect("are committed after 1 s while nobody waits for one, and after 50 ms once somebody does", () =>
    Effect.gen(function* () {
      let now = 0
      const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => now }
      const { controls, ids, units } = yield* Effect.provideService(onFile(yield* folder), Clock.Clock, clock)
      const slow = (id: number, isBackground = true) =>
        units.run((turn) => {
          insert(turn, id)
          now += 120
        }, isBackground)
      const all = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 13 }, (_, id) => id),
          (id) => slow(id),
          { concurrency: "unbounded" }
        )
      )
      // Nine of them take longer than 1 s; with the next three somebody comes.
      while (ids().length < 12) yield* inTurns(1)
      assert.deepStrictEqual(controls, [...oneCommit, "BEGIN IMMEDIATE"])
      yield* slow(99, false)
      assert.deepStrictEqual(ids(), [...Array.from({ length: 12 }, (_, id) => id), 99])
      assert.deepStrictEqual(controls, [...oneCommit, ...oneCommit])
      yield* Fiber.join(all)
      assert.lengthOf(ids(), 14)
    })
  )

  it.effect("are committed after 5 ms in memory, where reads wait for them, however slow the last COMMIT was", () =>
    committedTogether(onTable, 3, 100)
  )

  it.effect("wait for a COMMIT that is slow as long as that takes", () =>
    Effect.gen(function* () {
      let now = 0
      const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => now }
      const open = onFile(yield* folder)
      const { controls, slowCommit, units } = yield* Effect.provideService(open, Clock.Clock, clock)
      slowCommit.take = () => (now += 100)
      yield* units.run((turn) => insert(turn, 0))
      const slow = (id: number) =>
        units.run((turn) => {
          insert(turn, id)
          now += 50
        })
      yield* Effect.forEach([1, 2, 3, 4], slow, { concurrency: "unbounded" })
      assert.deepStrictEqual(controls, [...oneCommit, ...oneCommit, ...oneCommit])
    })
  )

  it.effect("lose nothing when one of them throws, whatever it had written and wherever it stood", () =>
    Effect.gen(function* () {
      const { ids, units } = yield* onTable
      const refused = units.run((turn) => {
        insert(turn, 100)
        insert(turn, 100)
      })
      const broken = units.run((turn) => {
        insert(turn, 200)
        throw new Error("broken")
      })
      const good = [1, 2, 3, 4].map((id) => units.run((turn) => insert(turn, id)))
      const [first, conflict, second, third, defect, fourth] = yield* atOnce<unknown, UnitFailed>([
        good[0]!,
        refused,
        good[1]!,
        good[2]!,
        broken,
        good[3]!
      ])
      assert.deepStrictEqual([first, second, third, fourth], [[], [], [], []].map(Exit.succeed))
      const failure = failureOf(conflict!)
      assert.isTrue(failure?._tag === "UnitFailed" && !failure.isCommit && isSqlError(failure.error))
      assert.strictEqual(failureOf(defect!)?._tag, "Die")
      assert.deepStrictEqual(ids(), [1, 2, 3, 4])
    })
  )

  it.effect("before one that throws share a commit again, and it runs after them by itself", () =>
    Effect.gen(function* () {
      const { controls, ids, units } = yield* onTable
      const seen: Array<ReadonlyArray<unknown>> = []
      const add = (id: number) =>
        units.run((turn) => {
          seen.push([id, countOf(turn)])
          insert(turn, id)
          if (id === 4) throw new Error("broken")
        })
      const exits = yield* atOnce([1, 2, 3, 4, 5, 6].map(add))
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, true, false, true, true])
      assert.deepStrictEqual(ids(), [1, 2, 3, 5, 6])
      assert.deepStrictEqual(controls, [...undone, ...oneCommit, ...undone, ...oneCommit])
      const before = [
        [1, 0],
        [2, 1],
        [3, 2],
        [4, 3]
      ]
      assert.deepStrictEqual(seen, [...before, ...before, [5, 3], [6, 4]])
    })
  )

  it.effect("add not more than two commits for each that throws, wherever in 512", () =>
    Effect.gen(function* () {
      const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => 0 }
      const { controls, ids, units } = yield* Effect.provideService(onTable, Clock.Clock, clock)
      let runs = 0
      const broken = new Set([100, 300, 511])
      const add = (id: number) =>
        units.run(
          (turn) => {
            runs += 1
            insert(turn, id)
            if (broken.has(id)) throw new Error("broken")
          },
          id % 3 === 0
        )
      const exits = yield* atOnce(Array.from({ length: 512 }, (_, id) => add(id)))
      assert.deepStrictEqual(
        exits.flatMap((exit, id) => (Exit.isSuccess(exit) ? [] : [id])),
        [...broken]
      )
      assert.lengthOf(ids(), 509)
      assert.isAtMost(controls.filter((control) => control === "COMMIT").length, 1 + 2 * broken.size)
      assert.isAtMost(runs, 2 * 512)
    })
  )

  it.effect("share their commit with 64 once they were undone twice, then with 8, and then with none", () =>
    Effect.gen(function* () {
      const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => 0 }
      const { controls, units } = yield* Effect.provideService(onTable, Clock.Clock, clock)
      /** How many units ran in each transaction, by the number of its BEGIN. */
      const sizes = new Map<number, number>()
      // Whichever unit comes to be the 500th of one transaction throws, then the 400th of another, and so on.
      const failing = [500, 400, 60, 7]
      const add = (id: number) =>
        units.run((turn) => {
          insert(turn, id)
          const size = (sizes.get(controls.length) ?? 0) + 1
          sizes.set(controls.length, size)
          if (size !== failing[0]) return
          failing.shift()
          throw new Error("broken")
        })
      yield* Effect.all(
        Array.from({ length: 500 }, (_, id) => add(id)),
        { concurrency: "unbounded" }
      )
      const committed = [...sizes].flatMap(([begin, size]) => (controls[begin] === "COMMIT" ? [size] : []))
      const lots = (count: number, size: number) => Array.from({ length: count }, () => size)
      assert.deepStrictEqual(committed, [...lots(7, 1), ...lots(6, 8), 4, 1, ...lots(5, 64), 19, 1, 99, 1])
    })
  )

  it.effect("end for a request that comes while they run again", () =>
    Effect.gen(function* () {
      let now = 0
      const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => now }
      const open = onFile(yield* folder)
      const { controls, ids, units } = yield* Effect.provideService(open, Clock.Clock, clock)
      const add = (id: number, isBackground: boolean) =>
        Effect.exit(
          units.run((turn) => {
            insert(turn, id)
            now += 6
            if (id === 99) throw new Error("broken")
          }, isBackground)
        )
      const background = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 100 }, (_, id) => id),
          (id) => add(id, true),
          { concurrency: "unbounded" }
        )
      )
      while (!controls.includes("ROLLBACK")) yield* inTurns(1)
      assert.isTrue(Exit.isSuccess(yield* add(100, false)))
      assert.includeMembers(ids(), [100])
      assert.isAtMost(ids().length, 10)
      const exits = yield* Fiber.join(background)
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [...Array.from({ length: 99 }, () => true), false])
      assert.lengthOf(ids(), 100)
    })
  )

  it.effect("that were undone run again before the database is closed", () =>
    Effect.gen(function* () {
      const open = onFile(yield* folder)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { controls, units } = yield* open
          const add = (id: number) =>
            units.run((turn) => {
              insert(turn, id)
              if (id === 3) throw new Error("broken")
            })
          yield* Effect.forkDetach(Effect.forEach([1, 2, 3], (id) => Effect.exit(add(id)), { concurrency: 3 }))
          while (!controls.includes("ROLLBACK")) yield* inTurns(1)
        })
      )
      assert.deepStrictEqual((yield* open).ids(), [1, 2])
    })
  )

  it.effect("that were undone are not run again once their callers went away", () =>
    Effect.gen(function* () {
      const { controls, ids, units } = yield* onTable
      const add = (id: number) =>
        units.run((turn) => {
          insert(turn, id)
          if (id === 3) throw new Error("broken")
        })
      const [gone, ...others] = yield* Effect.forEach([1, 2, 3], (id) => Effect.forkChild(Effect.exit(add(id))))
      while (!controls.includes("ROLLBACK")) yield* inTurns(1)
      yield* Fiber.interrupt(gone!)
      yield* Effect.forEach(others, Fiber.join)
      assert.deepStrictEqual(ids(), [2])
    })
  )

  it.effect("are told how often units were undone before, those too whose COMMIT failed", () =>
    Effect.gen(function* () {
      const { failing, units } = yield* onTable
      const undone = units.run((turn) => turn.undone())
      const broken = units.run(() => {
        throw new Error("broken")
      })
      assert.strictEqual(yield* undone, 0)
      // With the one before it, and by itself.
      yield* atOnce<unknown, UnitFailed>([units.run((turn) => insert(turn, 1)), broken])
      assert.strictEqual(yield* undone, 2)
      failing.add("COMMIT")
      yield* Effect.exit(units.run((turn) => insert(turn, 2)))
      assert.strictEqual(yield* undone, 3)
    })
  )

  it.effect("fail together when their COMMIT fails, and the next ones do not", () =>
    Effect.gen(function* () {
      const { failing, ids, units } = yield* onTable
      failing.add("COMMIT")
      const writes = [1, 2].map((id) => units.run<unknown>((turn) => insert(turn, id)))
      const exits = yield* atOnce([...writes, units.run(countOf)])
      for (const exit of exits) {
        const failure = failureOf(exit)
        assert.isTrue(failure?._tag === "UnitFailed" && failure.isCommit && codeOf(failure.error) === "SQLITE_FULL")
      }
      assert.deepStrictEqual(ids(), [])
      yield* units.run((turn) => insert(turn, 3))
      assert.deepStrictEqual(ids(), [3])
    })
  )

  it.effect("that only read have no transaction, and those that write fail alone when there is none to be had", () =>
    Effect.gen(function* () {
      const { controls, failing, ids, units } = yield* onTable
      assert.deepStrictEqual(yield* atOnce([units.run(countOf), units.run(countOf)]), [
        Exit.succeed(0),
        Exit.succeed(0)
      ])
      assert.deepStrictEqual(controls, [])
      failing.add("BEGIN IMMEDIATE")
      const failure = failureOf(yield* Effect.exit(units.run((turn) => insert(turn, 1))))
      assert.isTrue(failure?._tag === "UnitFailed" && !failure.isCommit)
      assert.deepStrictEqual(ids(), [])
    })
  )

  it.effect("keep what fits on the disk, when one of them does not", () =>
    Effect.gen(function* () {
      const { database, ids, units } = yield* onTable
      database.native.exec("PRAGMA max_page_count = 8")
      const exits = yield* atOnce([
        units.run((turn) => insert(turn, 1)),
        units.run((turn) => insert(turn, 2, "x".repeat(100_000))),
        units.run((turn) => insert(turn, 3))
      ])
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true])
      const failure = failureOf(exits[1]!)
      assert.isTrue(failure?._tag === "UnitFailed" && codeOf(failure.error) === "SQLITE_FULL")
      assert.deepStrictEqual(ids(), [1, 3])
    })
  )

  it.effect("are not run once their callers went away, and wait for a transaction that is open", () =>
    Effect.gen(function* () {
      const { ids, semaphore, units } = yield* onTable
      yield* semaphore.take(1)
      const gone = yield* Effect.forkChild(units.run((turn) => insert(turn, 1)))
      const waiting = yield* Effect.forkChild(units.run((turn) => insert(turn, 2)))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(gone)
      assert.deepStrictEqual(ids(), [])
      yield* semaphore.release(1)
      yield* Fiber.join(waiting)
      assert.deepStrictEqual(ids(), [2])
    })
  )
})
