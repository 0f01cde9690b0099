/**
 * Work on a SQLite database that runs without a suspension and shares its commit.
 *
 * **Details**
 *
 * A commit is a flush to disk, which takes as long for sixty units as for one. So units wait as long as each turn of the
 * event loop brings further ones, within a bound. Units that wait run one after another between one BEGIN IMMEDIATE and one
 * COMMIT, each sees what those before it wrote, and all return after the COMMIT. When one throws, nothing of the lot is kept
 * and each runs between a BEGIN and a COMMIT of its own. When the COMMIT fails, all have failed. Units that nobody waits for
 * take turns with the others, and share a commit with more of their kind while they are alone. A lot leaves the event loop
 * turns of its own, in which others read what was committed before it (`SqliteReads`), and further units come to it. Until
 * its COMMIT no fiber stands inside a transaction, and no other statement writes.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Semaphore from "effect/Semaphore"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { SQLInputValue } from "node:sqlite"
import { isLost, type Prepared, readQuery, readRows, refused } from "./SqliteConnection.ts"
import { countForPlanner, memory, pagesOf, type SqliteDatabase } from "./SqliteDatabase.ts"
import { turnOfTheLoop } from "./internal/TurnOfTheLoop.ts"
import { awaitedFirst, UnitQueue } from "./internal/UnitQueue.ts"
import { fromThrown } from "./SqliteErrors.ts"
import type { StatementCache } from "./StatementCache.ts"
import { bind } from "./SqliteValues.ts"

/** The most units of one commit: what would have to run again, each by itself, if one of them threw. */
const mostOfALot = 512

/**
 * How long units wait for others that share their COMMIT, in milliseconds: longer where the last COMMIT took longer. They
 * wait one turn of the event loop at least, and go on as soon as a turn brought none.
 */
const longestWait = 10

/** How long units of a lot run until others have a turn of the event loop, in milliseconds. */
const longestSlice = 5

/**
 * How long a lot may take before its COMMIT, in milliseconds, once somebody waits for one of its units or for the connection: longer
 * where the last COMMIT took longer. In memory, where reads wait for it and a COMMIT costs nothing, a slice.
 */
const longestLot = 50
/** The same as long as nobody does: a page that many of them write is written once for all. */
const longestInBackground = 1_000

/** So many units of a lot that is committed end within one turn of the event loop: what each of their callers does next is done in it. */
const mostEnds = 32

/** After so many commits the size of the database is looked at; rows are counted when it has doubled. */
const commitsToLookAfter = 64

/**
 * Statements of one unit. Each throws an `SqlError`.
 *
 * @category models
 * @since 0.1.0
 */
export interface SqliteTurn {
  readonly read: (text: string, values: ReadonlyArray<unknown>) => Rows
  /** The rows of a write with RETURNING; with `safeIntegers` every integer is a bigint. */
  readonly write: (text: string, values: ReadonlyArray<unknown>, safeIntegers?: boolean) => Rows
  /** How many rows a write without RETURNING changed: of one with RETURNING SQLite keeps each page as it was until it ends. */
  readonly change: (text: string, values: ReadonlyArray<unknown>) => number
  /** How often units were undone after they had run, or a COMMIT failed: what is remembered of them may not have been kept. */
  readonly undone: () => number
}

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/**
 * Why nothing of a unit was kept, as far as is known: a COMMIT that failed may have been done.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnitFailed extends Data.TaggedError("UnitFailed")<{
  readonly error: SqlError
  readonly isCommit: boolean
}> {}

/**
 * @category services
 * @since 0.1.0
 */
export class SqliteUnits extends Context.Service<
  SqliteUnits,
  {
    /**
     * Runs `body` in a transaction that it shares, between the transactions of the same client, and returns after the COMMIT.
     * `body` may be run twice, the first time without effect. An `SqlError` that it throws is the failure, anything else a defect.
     * With `isBackground` nobody waits for it, so that it may take longer where others wait.
     */
    readonly run: <A>(body: (turn: SqliteTurn) => A, isBackground?: boolean) => Effect.Effect<A, UnitFailed>
  }
>()("@parcela/sqlite/SqliteUnits") {}

/**
 * Whether nobody waits for the writes of a fiber that are statements of the client, see `SqliteUnits.run`.
 *
 * @category references
 * @since 0.1.0
 */
export const IsBackground = Context.Reference<boolean>("@parcela/sqlite/SqliteUnits/IsBackground", {
  defaultValue: () => false
})

/**
 * Units, for who has the connection that they write on.
 *
 * @category models
 * @since 0.1.0
 */
export interface UnitsOnConnection extends Context.Service.Shape<typeof SqliteUnits> {
  /** Whether units have written what is not committed. Then no fiber stands inside a transaction. */
  readonly areWriting: () => boolean
}

/** A unit that waits: `run` does its work, and returns what ends it once that is committed. */
interface Waiting {
  readonly isBackground: boolean
  readonly run: (turn: SqliteTurn) => () => void
  readonly fail: (failure: Effect.Effect<never, UnitFailed>) => void
}

/** Units that share a commit, and what ends each of those that have run. */
interface Lot {
  readonly units: Array<Waiting>
  ends: Array<() => void>
  readonly begun: number
  /** How many of its units somebody waits for: those end first. */
  awaited: number
  /** Units that still run alone, as what they were to share was undone; undefined while they share it. */
  alone?: Array<Waiting>
}

/**
 * Units on a connection that others have too, with the permit of `semaphore`; `isWaitedFor` says whether somebody waits for it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (
  database: SqliteDatabase,
  cache: StatementCache<Prepared>,
  semaphore: Semaphore.Semaphore,
  isWaitedFor: () => boolean = () => false
): Effect.fn.Return<UnitsOnConnection, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const lots = new Lots(database, cache, () => clock.currentTimeMillisUnsafe(), isWaitedFor)
  const runOne = semaphore.withPermits(1)(
    Effect.gen(function* () {
      const lot = lots.open()
      while (lots.run(lot)) yield* turnOfTheLoop
      return lots.commit(lot)
    })
  )
  // A database that is closed takes back what is not committed.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      while (lots.isOpen) yield* turnOfTheLoop
    })
  )
  let isServed = false

  const serve = Effect.gen(function* () {
    while (lots.waiting.length > 0) {
      const wait = lots.wait()
      while (wait.goesOn()) yield* turnOfTheLoop
      for (const [index, end] of (yield* runOne).entries()) {
        end()
        if (index % mostEnds === mostEnds - 1) yield* turnOfTheLoop
      }
    }
    isServed = false
  })

  return {
    areWriting: () => lots.areWriting,
    run: <A>(body: (turn: SqliteTurn) => A, isBackground = false) =>
      Effect.callback<A, UnitFailed>((resume) => {
        const unit: Waiting = {
          isBackground,
          run: (turn) => {
            const result = body(turn)
            return () => resume(Effect.succeed(result))
          },
          fail: resume
        }
        lots.waiting.add(unit)
        if (!isServed) {
          isServed = true
          Effect.runFork(serve)
        }
        return Effect.sync(() => lots.waiting.remove(unit))
      })
  }
})

/** What waits, and how a lot of it is run. */
class Lots {
  private readonly database: SqliteDatabase
  private readonly cache: StatementCache<Prepared>
  private readonly now: () => number
  private readonly isWaitedFor: () => boolean
  private readonly turn: SqliteTurn
  readonly waiting = new UnitQueue<Waiting>()
  /** Whether the lot that is open has written. */
  areWriting = false
  /** Whether units of a lot that was undone still run alone. */
  private areAlone = false
  /** How long the last COMMIT took. */
  private lastCommit = 0
  private undone = 0
  private commits = 0
  /** How many pages the database had when rows were counted for the planner. */
  private counted = 0

  /** `now` in milliseconds, from any beginning. */
  constructor(
    database: SqliteDatabase,
    cache: StatementCache<Prepared>,
    now: () => number,
    isWaitedFor: () => boolean
  ) {
    this.database = database
    this.cache = cache
    this.now = now
    this.isWaitedFor = isWaitedFor
    this.turn = {
      read: (text, values) => {
        if (!this.areWriting) this.undo()
        return this.using(text, values, readQuery)
      },
      write: (text, values, safeIntegers = false) => {
        this.begin()
        return this.using(text, values, (prepared, bound) => readRows(prepared, bound, safeIntegers))
      },
      change: (text, values) => {
        this.begin()
        return this.using(text, values, ({ statement }, bound) => Number(statement.run(...bound).changes))
      },
      undone: () => this.undone
    }
  }

  /** Whether a lot has begun to write and has not ended. */
  get isOpen(): boolean {
    return this.areWriting || this.areAlone
  }

  /** Whether a lot that is to come waits one more turn of the event loop. */
  wait(): { readonly goesOn: () => boolean } {
    const end = this.now() + Math.max(longestWait, this.lastCommit)
    let last: number | undefined
    return {
      goesOn: () => {
        const count = this.waiting.length
        // The first turn is for all others too: where more wait than share a lot, sockets would have none.
        const goesOn = last === undefined || (count > last && count < mostOfALot && this.now() < end)
        last = count
        return goesOn
      }
    }
  }

  open(): Lot {
    return { units: [], ends: [], begun: this.now(), awaited: 0 }
  }

  private isOver({ awaited, begun }: Lot, now: number): boolean {
    if (this.database.filename === memory) return now >= begun + longestSlice
    const longest = awaited > 0 || this.isWaitedFor() ? longestLot : longestInBackground
    return now >= begun + Math.max(longest, this.lastCommit)
  }

  /** Runs units that wait, for as long as a slice; true while there are more that share the commit. */
  run(lot: Lot): boolean {
    const end = this.now() + longestSlice
    if (lot.alone !== undefined) return this.runThoseAlone(lot.alone, end)
    try {
      for (;;) {
        const unit = lot.units.length < mostOfALot ? this.waiting.take() : undefined
        if (unit === undefined) return false
        lot.units.push(unit)
        const ended = unit.run(this.turn)
        if (unit.isBackground) lot.ends.push(ended)
        else lot.ends.splice(lot.awaited++, 0, ended)
        const now = this.now()
        if (this.isOver(lot, now)) return false
        if (now >= end) return this.waiting.length > 0
      }
    } catch (thrown) {
      this.rollBack()
      // What stood in the way of one did not of the others. Each takes a commit, so those that somebody waits for go first.
      lot.alone = lot.units.length === 1 ? [] : awaitedFirst(lot.units)
      lot.ends = lot.units.length === 1 ? failing(lot, thrown, false) : []
      return this.runThoseAlone(lot.alone, end)
    }
  }

  private runThoseAlone(alone: Array<Waiting>, end: number): boolean {
    for (let unit = alone.shift(); unit !== undefined; unit = alone.shift()) {
      for (const ended of this.runAlone(unit)) ended()
      if (this.now() >= end) break
    }
    this.areAlone = alone.length > 0
    return this.areAlone
  }

  /** What ends each unit, after the COMMIT. */
  commit(lot: Lot): ReadonlyArray<() => void> {
    if (lot.alone !== undefined || !this.areWriting) return lot.ends
    try {
      const start = this.now()
      this.control("COMMIT")
      this.lastCommit = this.now() - start
      this.areWriting = false
    } catch (thrown) {
      this.rollBack()
      // A COMMIT stands for all.
      return failing(lot, thrown, true)
    }
    if (this.commits++ % commitsToLookAfter === 0) this.countWhatHasGrown()
    return lot.ends
  }

  private runAlone(unit: Waiting): ReadonlyArray<() => void> {
    const lot = { ...this.open(), units: [unit] }
    try {
      lot.ends.push(unit.run(this.turn))
    } catch (thrown) {
      this.rollBack()
      return failing(lot, thrown, false)
    }
    return this.commit(lot)
  }

  /** For the planner, which takes a table for as small as it was when it was counted last. */
  private countWhatHasGrown(): void {
    const { native } = this.database
    const pages = pagesOf(native)
    if (pages < 2 * this.counted) return
    // The first look is at what was counted when the database was opened.
    if (this.counted > 0) countForPlanner(native)
    this.counted = pages
  }

  private rollBack(): void {
    this.areWriting = false
    this.undone += 1
    try {
      this.undo()
    } catch {
      // The next statement tries again, and its failure is that of its unit.
    }
  }

  private begin(): void {
    if (this.areWriting) return
    this.undo()
    this.control("BEGIN IMMEDIATE")
    this.areWriting = true
  }

  private undo(): void {
    const { native } = this.database
    if (native.isOpen && native.isTransaction) this.control("ROLLBACK")
  }

  private control(text: string): void {
    this.using(text, [], ({ statement }) => void statement.run())
  }

  private using<A>(
    text: string,
    values: ReadonlyArray<unknown>,
    use: (prepared: Prepared, bound: Array<SQLInputValue>) => A
  ): A {
    const { filename, place } = this.database
    const bound = bind(values)
    if (!Array.isArray(bound)) throw refused(bound, "execute")
    if (place !== undefined && isLost(place, text)) throw place.failure("execute")
    try {
      return use(this.cache.get(text), bound)
    } catch (thrown) {
      throw fromThrown(thrown, filename, "execute")
    }
  }
}

const failing = ({ units }: Lot, thrown: unknown, isCommit: boolean): Array<() => void> => {
  const failure = isSqlError(thrown) ? Effect.fail(new UnitFailed({ error: thrown, isCommit })) : Effect.die(thrown)
  return units.map((unit) => () => unit.fail(failure))
}
