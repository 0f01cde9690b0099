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
 * was: it only makes a unit load what it knew already. Numbers are noted, and the last states of subscriptions: a write set is
 * not kept, as it would outlive its unit, and all that it refers to.
 *
 * @since 0.1.0
 */
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { Since, WrittenSince } from "@parcela/engine/commands/Follow"
import type { WriteSet } from "@parcela/engine/commands/WriteSet"
import type { Guard } from "@parcela/engine/loads/Guard"
import { Recent } from "./Recent.ts"

/** How many roots of a table, and how many transactions, are remembered: those of units that wait for a provider are far fewer. */
const mostRows = 10_000

/** How many states are: as many as have units that wait for a provider. */
const mostStates = 256

/** What a unit takes: its number, and the one of its write, which it says as "one more than it loaded". */
const perUnit = 2

/** What is noted of a write set. */
export type Noted = Pick<WriteSet, "begun" | "changes" | "guards" | "settled">

/** The numbers of the last writes below a root. */
interface Root {
  last: number
  /** Of those that wrote more than payments and the root, a subscription, itself. */
  more: number
  /** Of those that wrote the root itself, a subscription. */
  own: number
}

const nothing: WrittenSince = { subscription: undefined }

/**
 * @category models
 * @since 0.1.0
 */
export class RootWrites {
  private number = 0
  private readonly roots: Readonly<Record<Guard["table"], Recent<Root>>> = {
    charges: new Recent(mostRows),
    companies: new Recent(mostRows),
    customers: new Recent(mostRows),
    plans: new Recent(mostRows),
    subscriptions: new Recent(mostRows)
  }
  /** The number of the last write of each transaction, and of its attempts. */
  private readonly transactions = new Recent<number>(mostRows)
  private readonly subscriptions = new Recent<SubscriptionState>(mostStates)
  /** What was written after this was kept, or is by the lot that runs. */
  private reach = 0
  private undone = 0

  /**
   * The number of a unit that begins: the version of every root that it loads. `undone` says how often units were undone
   * before: what those wrote that had run until then may not be there.
   */
  begin(undone: number): number {
    this.number += perUnit
    if (undone !== this.undone) this.reach = this.number
    this.undone = undone
    return this.number
  }

  /** Whether nothing was written below these roots since the unit whose number they have. */
  hold(guards: ReadonlyArray<Guard>): boolean {
    for (const { id, table, version } of guards) {
      const roots = this.roots[table]
      if ((roots.get(id)?.last ?? roots.forgotten) > version) return false
    }
    return true
  }

  /** See `Since`. */
  readonly since: Since = ({ id, table, version }, transaction) => {
    const roots = this.roots[table]
    const root = roots.get(id)
    if ((root?.last ?? roots.forgotten) <= version) return nothing
    if (root === undefined || version < this.reach || root.more > version) return undefined
    if ((this.transactions.get(transaction) ?? this.transactions.forgotten) > version) return undefined
    if (root.own <= version) return nothing
    const subscription = this.subscriptions.get(id)
    return subscription && { subscription }
  }

  /** Rows were changed by other means than units: whatever an earlier unit left is out of date. */
  forgetAll(): void {
    const number = this.begin(this.undone)
    for (const roots of Object.values(this.roots)) roots.forget(number)
    this.reach = number
  }

  /** Notes what the unit that began last has written. */
  note({ begun, changes, guards, settled }: Noted): void {
    const number = this.number + 1
    for (const { id, table } of guards) this.noteRoot(table, id, changes)
    for (const change of changes) {
      switch (change.table) {
        case "transactions":
          this.transactions.set(change.next.id, number, number)
          break
        case "subscriptions":
          this.noteRoot("subscriptions", change.next.id, changes).own = number
          this.subscriptions.set(change.next.id, change.next, number)
          break
        case "charges":
        case "customers":
        case "plans":
          this.noteRoot(change.table, change.next.id, changes)
      }
    }
    for (const { transactionId } of begun) this.transactions.set(transactionId, number, number)
    for (const { transactionId } of settled) this.transactions.set(transactionId, number, number)
  }

  private noteRoot(table: Guard["table"], id: number, changes: Noted["changes"]): Root {
    const number = this.number + 1
    const roots = this.roots[table]
    // Of one that was forgotten nobody knows what was written before.
    const root = roots.get(id) ?? { last: 0, more: roots.forgotten, own: roots.forgotten }
    root.last = number
    if (table !== "subscriptions" || changes.some((change) => !isBelow(id, change))) root.more = number
    roots.set(id, root, number)
    return root
  }
}

/** A payment, or that subscription itself. */
const isBelow = (subscription: number, { next, table }: Noted["changes"][number]): boolean =>
  table === "transactions" || (table === "subscriptions" && next.id === subscription)
