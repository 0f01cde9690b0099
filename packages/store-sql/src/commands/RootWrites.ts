/**
 * Which unit wrote last below each root, kept by the one process that writes a database.
 *
 * **Details**
 *
 * A unit that loads and writes in one turn needs no guard: nobody else can write in between. Only what an earlier unit left
 * may be out of date, and the process that made both units knows whether another one wrote below that root since. So the
 * version of a root is the number of a unit here, and no column is read or raised for it.
 *
 * A note is never taken back, also when the write that it is of was rolled back with its lot, or when nobody knows whether it
 * was: it only makes a unit load what it knew already.
 *
 * @since 0.1.0
 */
import type { WriteSet } from "@parcela/engine/commands/WriteSet"
import type { Guard } from "@parcela/engine/loads/Guard"

/** How many roots are remembered: those of units that wait for a provider are far fewer. */
const mostRoots = 10_000

/** How many write sets are remembered: as many as are made while a provider responds, where many payments have one root. */
const mostWrites = 256

/** What a unit takes: its number, and the one of its write, which it says as "one more than it loaded". */
const perUnit = 2

/** What is noted of a write set. */
type Noted = Pick<WriteSet, "changes" | "guards">

interface Written<W> {
  readonly number: number
  readonly roots: ReadonlyArray<string>
  readonly writes: W
}

const nameOf = (table: string, id: number): string => `${table} ${id}`

/** The tables of roots. A row below a root is written with the guard of that root. */
const roots: Readonly<Record<Guard["table"], true>> = {
  charges: true,
  companies: true,
  customers: true,
  plans: true,
  subscriptions: true
}

/**
 * @category models
 * @since 0.1.0
 */
export class RootWrites<W extends Noted = WriteSet> {
  private number = 0
  private readonly last = new Map<string, number>()
  /** What is not remembered was last written by this unit or before. */
  private forgotten = 0
  /** The last write sets, in their order: those after `reach`, each of which was kept, or is by the lot that runs. */
  private written: Array<Written<W>> = []
  private reach = 0
  private undone = 0

  /**
   * The number of a unit that begins: the version of every root that it loads. `undone` says how often units were undone
   * before: what those wrote that had run until then may not be there.
   */
  begin(undone: number): number {
    this.number += perUnit
    if (undone !== this.undone) this.forgetWritten()
    this.undone = undone
    return this.number
  }

  /** Whether nothing was written below these roots since the unit whose number they have. */
  hold(guards: ReadonlyArray<Guard>): boolean {
    return guards.every((guard) => (this.last.get(nameOf(guard.table, guard.id)) ?? this.forgotten) <= guard.version)
  }

  /** What was written below a root since the unit whose number it has, in that order; undefined where nobody knows any more. */
  since({ id, table, version }: Guard): ReadonlyArray<W> | undefined {
    const name = nameOf(table, id)
    if ((this.last.get(name) ?? this.forgotten) <= version) return []
    if (version < this.reach) return undefined
    const first = this.written.findLastIndex(({ number }) => number <= version) + 1
    return this.written.slice(first).flatMap(({ roots, writes }) => (roots.includes(name) ? [writes] : []))
  }

  /** Rows were changed by other means than units: whatever an earlier unit left is out of date. */
  forgetAll(): void {
    this.last.clear()
    this.forgotten = this.begin(this.undone)
    this.forgetWritten()
  }

  /** Notes what the unit that began last has written. */
  note(writes: W): void {
    const { changes, guards } = writes
    const written = guards.map(({ id, table }) => nameOf(table, id))
    for (const { next, table } of changes) if (table in roots) written.push(nameOf(table, next.id))
    for (const name of written) this.noteRoot(name)
    this.written.push({ number: this.number + 1, roots: written, writes })
    if (this.written.length >= 2 * mostWrites) {
      const gone = this.written.splice(0, mostWrites).at(-1)
      if (gone !== undefined) this.reach = gone.number
    }
    for (const [root, number] of this.last) {
      if (this.last.size <= mostRoots) return
      this.last.delete(root)
      this.forgotten = number
    }
  }

  private forgetWritten(): void {
    this.written = []
    this.reach = this.number
  }

  private noteRoot(name: string): void {
    // The order of the map is that of the writes.
    this.last.delete(name)
    this.last.set(name, this.number + 1)
  }
}
