/**
 * What was found in the store lately, so that a request need not ask again.
 *
 * **Details**
 *
 * - **Bound**: 10,000 entries; the one that was looked up longest ago in the store goes first.
 * - **Age**: 5 s, after which a change is noticed, by any process, also where the machine's clock is set back meanwhile; and an
 *   end that an entry has of its own.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/MachineTime"

/** In milliseconds. */
const age = 5_000

const capacity = 10_000

interface Entry<A> {
  readonly found: A
  readonly from: number
  readonly until: number
}

/**
 * @category caches
 * @since 0.1.0
 */
export class RecentlyFound<in out Key, in out A> {
  private readonly entries = new Map<Key, Entry<A>>()

  get(key: Key, now: MachineTime): A | undefined {
    const entry = this.entries.get(key)
    return entry !== undefined && now >= entry.from && now < entry.until ? entry.found : undefined
  }

  /** Keeps what was found, for no longer than until `end`. */
  put(key: Key, found: A, now: MachineTime, end: number = Infinity): void {
    // A Map iterates in order of insertion, so the first key is the oldest one.
    this.entries.delete(key)
    this.entries.set(key, { found, from: now, until: Math.min(end, now + age) })
    if (this.entries.size <= capacity) return
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest)
      break
    }
  }
}
