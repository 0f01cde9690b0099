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
import type { Guard } from "@parcela/engine/ports/CommandStore"

/** How many roots are remembered: those of units that wait for a provider are far fewer. */
const mostRoots = 10_000

/** What a unit takes: its number, and the one of its write, which it says as "one more than it loaded". */
const perUnit = 2

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
export class RootWrites {
  private number = 0
  private readonly last = new Map<string, number>()
  /** What is not remembered was last written by this unit or before. */
  private forgotten = 0

  /** The number of a unit that begins: the version of every root that it loads. */
  begin(): number {
    this.number += perUnit
    return this.number
  }

  /** Whether nothing was written below these roots since the unit whose number they have. */
  hold(guards: ReadonlyArray<Guard>): boolean {
    return guards.every((guard) => (this.last.get(nameOf(guard.table, guard.id)) ?? this.forgotten) <= guard.version)
  }

  /** Rows were changed by other means than units: whatever an earlier unit left is out of date. */
  forgetAll(): void {
    this.last.clear()
    this.forgotten = this.begin()
  }

  /** Notes what the unit that began last has written. */
  note({ changes, guards }: Pick<WriteSet, "changes" | "guards">): void {
    for (const { id, table } of guards) this.noteRoot(nameOf(table, id))
    for (const { next, table } of changes) if (table in roots) this.noteRoot(nameOf(table, next.id))
    for (const [root, number] of this.last) {
      if (this.last.size <= mostRoots) return
      this.last.delete(root)
      this.forgotten = number
    }
  }

  private noteRoot(name: string): void {
    // The order of the map is that of the writes.
    this.last.delete(name)
    this.last.set(name, this.number + 1)
  }
}
