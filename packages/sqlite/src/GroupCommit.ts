/**
 * Write transactions that share a COMMIT.
 *
 * **Details**
 *
 * A COMMIT is a flush to disk, which takes as long for sixty transactions as for one. So transactions are queued, and a writer
 * takes them in batches: it collects queued transactions until an event-loop tick adds none, runs them one after another between one
 * BEGIN IMMEDIATE and one COMMIT, and returns their results after the COMMIT. Each transaction reads the writes of earlier ones. A batch does
 * not yield to the event loop, so that nothing else uses the connection before its COMMIT. Its time is bounded.
 *
 * When a transaction throws, the batch is rolled back and runs again with a savepoint for each transaction: only those that throw
 * again fail. When the COMMIT fails, the whole batch fails.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import type { SqlError } from "effect/sql/SqlError"
import { memory, type SqliteDatabase } from "./SqliteDatabase.ts"
import { commitOperation, failing, fromThrown } from "./SqliteErrors.ts"
import { execute, type Prepared, readQuery, readRows, type Rows, type StatementCache, written } from "./Statements.ts"

/** The most transactions of a batch. */
const maxBatchSize = 512

/**
 * The longest time to collect a batch, and the longest time of its transactions before the COMMIT, in milliseconds. If the last COMMIT took
 * longer, its time is the limit, so that a slow disk has larger batches. In memory a COMMIT takes no time.
 */
const maxBatchTime = 20

/**
 * The statements of one transaction. Each throws an `SqlError`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Transaction {
  readonly read: (text: string, values: ReadonlyArray<unknown>) => Rows
  /** The rows of a write with RETURNING; with `safeIntegers` every integer is a bigint. */
  readonly write: (text: string, values: ReadonlyArray<unknown>, safeIntegers?: boolean) => Rows
  /** The number of rows that a write without RETURNING changed. */
  readonly change: (text: string, values: ReadonlyArray<unknown>) => number
}

/**
 * @category services
 * @since 0.1.0
 */
export class GroupCommit extends Context.Service<
  GroupCommit,
  {
    /**
     * Runs `body` as a transaction, and returns its result after the COMMIT. `body` may run twice, the first time without effect. An
     * `SqlError` that it throws is the failure, anything else a defect. A failed transaction writes nothing. After a failed COMMIT, whose
     * error has `commitOperation`, the outcome is unknown. Background transactions alternate with the others while both are queued.
     */
    readonly run: <A>(body: (transaction: Transaction) => A, isBackground?: boolean) => Effect.Effect<A, SqlError>
  }
>()("@parcela/sqlite/GroupCommit") {}

/**
 * True for the writes of background workers: single writes of the client then are background transactions.
 *
 * @category references
 * @since 0.1.0
 */
export const IsBackground = Context.Reference<boolean>("@parcela/sqlite/GroupCommit/IsBackground", {
  defaultValue: () => false
})

/** A queued transaction. `run` returns the function that ends the transaction successfully after the COMMIT. */
interface Queued {
  readonly run: (transaction: Transaction) => () => void
  readonly fail: (thrown: unknown) => void
}

/** Foreground and background transactions, which alternate so that a long queue of one kind delays only its own kind. */
class Queue {
  private readonly queues: { readonly foreground: Array<Queued>; readonly background: Array<Queued> } = {
    foreground: [],
    background: []
  }
  private next: "foreground" | "background" = "foreground"

  get length(): number {
    return this.queues.foreground.length + this.queues.background.length
  }

  add(one: Queued, isBackground: boolean): void {
    this.queues[isBackground ? "background" : "foreground"].push(one)
  }

  remove(one: Queued): void {
    for (const queue of Object.values(this.queues)) {
      const index = queue.indexOf(one)
      if (index !== -1) queue.splice(index, 1)
    }
  }

  take(): Queued | undefined {
    const { background, foreground } = this.queues
    const first = this.next === "foreground" ? foreground : background
    const queue = first.length > 0 ? first : first === foreground ? background : foreground
    this.next = queue === foreground ? "background" : "foreground"
    return queue.shift()
  }
}

/** The transaction of a batch, which begins with its first write. */
class BatchTransaction implements Transaction {
  isOpen = false
  private readonly database: SqliteDatabase
  private readonly cache: StatementCache<Prepared>

  constructor(database: SqliteDatabase, cache: StatementCache<Prepared>) {
    this.database = database
    this.cache = cache
  }

  readonly read: Transaction["read"] = (text, values) => {
    if (!this.isOpen) this.rollBackOpen()
    return execute(this.database, this.cache, text, values, readQuery)
  }

  readonly write: Transaction["write"] = (text, values, safeIntegers = false) => {
    this.begin()
    return execute(this.database, this.cache, text, values, (prepared, bound) =>
      readRows(prepared, bound, safeIntegers)
    )
  }

  readonly change: Transaction["change"] = (text, values) => {
    this.begin()
    return execute(this.database, this.cache, text, values, ({ statement }, bound) =>
      Number(statement.run(...bound).changes)
    )
  }

  begin(): void {
    if (this.isOpen) return
    this.rollBackOpen()
    this.control("BEGIN IMMEDIATE")
    this.isOpen = true
  }

  /** Runs `use` in a savepoint, which is rolled back when it throws. */
  inSavepoint<A>(use: () => A): A {
    this.control("SAVEPOINT one")
    try {
      return use()
    } catch (thrown) {
      if (this.database.native.isTransaction) this.control("ROLLBACK TO one")
      throw thrown
    } finally {
      if (this.database.native.isTransaction) this.control("RELEASE one")
    }
  }

  commit(): void {
    written(this.cache.get("COMMIT"), [])
    this.isOpen = false
  }

  rollBack(): void {
    this.isOpen = false
    try {
      this.rollBackOpen()
    } catch {
      // The next statement rolls back again, and fails if that fails.
    }
  }

  private rollBackOpen(): void {
    const { native } = this.database
    if (native.isOpen && native.isTransaction) this.control("ROLLBACK")
  }

  private control(text: string): void {
    execute(this.database, this.cache, text, [], written)
  }
}

/** Runs batches of queued transactions. `run` returns the functions that end the transactions. */
class Batches {
  readonly queue = new Queue()
  /** The transactions of the batch that runs or has not ended yet. */
  inFlight: Array<Queued> = []
  private readonly database: SqliteDatabase
  private readonly transaction: BatchTransaction
  private readonly now: () => number
  private lastCommit = 0

  constructor(database: SqliteDatabase, cache: StatementCache<Prepared>, now: () => number) {
    this.database = database
    this.transaction = new BatchTransaction(database, cache)
    this.now = now
  }

  /** Returns true when the time to collect or to run a batch is over. */
  timer(): () => boolean {
    const longest = this.database.filename === memory ? maxBatchTime : Math.max(maxBatchTime, this.lastCommit)
    const end = this.now() + longest
    return () => this.now() >= end
  }

  run(): ReadonlyArray<() => void> {
    const batch: Array<Queued> = []
    this.inFlight = batch
    const ends: Array<() => void> = []
    const isOver = this.timer()
    while (batch.length < maxBatchSize) {
      const next = this.queue.take()
      if (next === undefined) break
      batch.push(next)
      try {
        ends.push(next.run(this.transaction))
      } catch (thrown) {
        if (this.transaction.isOpen) {
          return batch.length === 1 ? this.failing(batch, thrown) : this.runWithSavepoints(batch)
        }
        // Nothing is written yet. A failed BEGIN may have waited long for a lock, so the batch ends here.
        ends.push(() => next.fail(thrown))
        break
      }
      if (isOver()) break
    }
    return this.commit(batch, ends)
  }

  /** Fails all that is queued or in flight after a defect of the writer. */
  abandon(defect: unknown): void {
    this.transaction.rollBack()
    const queued = this.inFlight
    for (let next = this.queue.take(); next !== undefined; next = this.queue.take()) queued.push(next)
    this.inFlight = []
    for (const one of queued) one.fail(defect)
  }

  private runWithSavepoints(batch: ReadonlyArray<Queued>, isLast = false): ReadonlyArray<() => void> {
    const { transaction } = this
    transaction.rollBack()
    const ends: Array<() => void> = []
    for (const one of batch) {
      try {
        transaction.begin()
        ends.push(transaction.inSavepoint(() => one.run(transaction)))
      } catch (thrown) {
        const fail = () => one.fail(thrown)
        if (transaction.isOpen && this.database.native.isTransaction) {
          ends.push(fail)
          continue
        }
        // On a full disk SQLite rolls back the whole transaction. The other transactions may fit, so they run again.
        if (!transaction.isOpen || isLast) return this.failing(batch, thrown)
        return [
          fail,
          ...this.runWithSavepoints(
            batch.filter((other) => other !== one),
            true
          )
        ]
      }
    }
    return this.commit(batch, ends)
  }

  private commit(batch: ReadonlyArray<Queued>, ends: ReadonlyArray<() => void>): ReadonlyArray<() => void> {
    const { files, filename } = this.database
    if (!this.transaction.isOpen) return ends
    if (files?.check() === false) return this.failing(batch, files.failure("execute"))
    const start = this.now()
    try {
      this.transaction.commit()
    } catch (thrown) {
      return this.failing(batch, fromThrown(thrown, filename, commitOperation))
    }
    this.lastCommit = this.now() - start
    return files?.committed() === false ? this.failing(batch, files.failure(commitOperation)) : ends
  }

  private failing(batch: ReadonlyArray<Queued>, thrown: unknown): ReadonlyArray<() => void> {
    this.transaction.rollBack()
    return batch.map((one) => () => one.fail(thrown))
  }
}

const tick = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Collects and runs batches until the queue is empty. A defect is logged, and fails what is queued or in flight. */
const writerOf = (batches: Batches, semaphore: Semaphore.Semaphore): Effect.Effect<void> => {
  const { queue } = batches
  /** Waits at least one tick, in which sockets are read and other fibers run, and then while each tick adds transactions. */
  const collect = Effect.gen(function* () {
    const isOver = batches.timer()
    let before: number
    do {
      before = queue.length
      yield* tick
    } while (queue.length > before && queue.length < maxBatchSize && !isOver())
  })
  const runBatch = semaphore.withPermits(1)(Effect.sync(() => batches.run()))
  return Effect.gen(function* () {
    while (queue.length > 0) {
      yield* collect
      for (const end of yield* runBatch) end()
      batches.inFlight = []
    }
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.suspend(() => {
        batches.abandon(Cause.squash(cause))
        return Effect.logError("The writer of the database failed and is restarted", cause)
      })
    )
  )
}

/**
 * Group commit on a connection that the client's transactions use too, with the permit of `semaphore`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (
  database: SqliteDatabase,
  cache: StatementCache<Prepared>,
  semaphore: Semaphore.Semaphore
): Effect.fn.Return<GroupCommit["Service"]> {
  const clock = yield* Clock.Clock
  const context = yield* Effect.context()
  const batches = new Batches(database, cache, () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6)
  const { queue } = batches
  let isRunning = false
  const start = (): void => {
    if (isRunning || queue.length === 0) return
    isRunning = true
    Effect.runForkWith(context)(writer)
  }
  const writer = Effect.ensuring(
    writerOf(batches, semaphore),
    Effect.sync(() => {
      isRunning = false
      start()
    })
  )

  return {
    run: <A>(body: (transaction: Transaction) => A, isBackground = false) =>
      Effect.callback<A, SqlError>((resume) => {
        const one: Queued = {
          run: (transaction) => {
            const result = body(transaction)
            return () => resume(Effect.succeed(result))
          },
          fail: (thrown) => resume(failing(thrown))
        }
        queue.add(one, isBackground)
        start()
        return Effect.sync(() => queue.remove(one))
      })
  }
})
