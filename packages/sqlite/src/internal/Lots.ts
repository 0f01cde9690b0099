/**
 * What waits, and how a lot of it is run and committed.
 *
 * @since 0.1.0
 */
import { memory, type SqliteDatabase } from "../SqliteDatabase.ts"
import { Lot } from "./Lot.ts"
import type { SharedTransaction } from "./SharedTransaction.ts"
import { UnitQueue } from "./UnitQueue.ts"
import { mostOfALot, type WaitingUnit } from "./WaitingUnit.ts"

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

/** Units that wait for their lot, which run one after another in one transaction. */
export class Lots {
  readonly waiting = new UnitQueue<WaitingUnit>()
  private readonly database: SqliteDatabase
  private readonly transaction: SharedTransaction
  private readonly now: () => number
  private readonly isWaitedFor: () => boolean
  /** How long the last COMMIT took. */
  private lastCommit = 0

  /** `now` in milliseconds, from any beginning; `isWaitedFor` says whether somebody waits for the connection. */
  constructor(database: SqliteDatabase, transaction: SharedTransaction, now: () => number, isWaitedFor: () => boolean) {
    this.database = database
    this.transaction = transaction
    this.now = now
    this.isWaitedFor = isWaitedFor
  }

  /** Whether a lot has begun to write and has not ended, or what was undone of one waits to run again. */
  get isOpen(): boolean {
    return this.transaction.isOpen || this.waiting.some(({ undone }) => undone > 0)
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
    return new Lot(this.now())
  }

  /** Runs units that wait, for as long as a slice; true while there are more that share the commit. */
  run(lot: Lot): boolean {
    const end = this.now() + longestSlice
    try {
      for (;;) {
        const unit = this.waiting.take((next) => lot.hasRoomFor(next))
        if (unit === undefined) return false
        lot.add(unit)
        lot.endsWith(unit, unit.run(this.transaction.turn))
        const now = this.now()
        if (this.isOver(lot, now)) return false
        if (now >= end) return this.waiting.length > 0
      }
    } catch (thrown) {
      this.transaction.rollBack()
      this.undo(lot, thrown)
      return false
    }
  }

  /** What ends each unit, after the COMMIT. */
  commit(lot: Lot): ReadonlyArray<() => void> {
    if (!this.transaction.isOpen) return lot.ends
    try {
      const start = this.now()
      this.transaction.commit()
      this.lastCommit = this.now() - start
    } catch (thrown) {
      this.transaction.rollBack()
      // A COMMIT that fails fails all of its units.
      return lot.units.map((unit) => () => unit.fail(thrown, true))
    }
    return lot.ends
  }

  /** The last unit of a lot has thrown: it fails when it was alone. */
  private undo({ ends, units }: Lot, thrown: unknown): void {
    const last = units.at(-1)
    ends.length = 0
    if (last === undefined) return
    if (units.length === 1) return void ends.push(() => last.fail(thrown, false))
    // What made it throw need not make the others throw. They share a commit again and it runs by itself after them, so that each
    // reads what it would have read, and at most two commits are added.
    for (const unit of units) unit.undone += 1
    last.undone = Infinity
    this.waiting.putBack(units)
  }

  private isOver({ awaited, begun }: Lot, now: number): boolean {
    if (this.database.filename === memory) return now >= begun + longestSlice
    const longest = awaited > 0 || this.isWaitedFor() ? longestLot : longestInBackground
    return now >= begun + Math.max(longest, this.lastCommit)
  }
}
