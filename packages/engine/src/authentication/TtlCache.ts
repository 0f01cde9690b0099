/**
 * An in-memory cache whose entries expire after 5 s, with 10,000 entries at most. A change in the store is noticed within
 * that time, by every process.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/MachineTime"

/** In milliseconds. */
const timeToLive = 5_000

const capacity = 10_000

interface Entry<A> {
  readonly value: A
  readonly from: number
  readonly until: number
}

/**
 * @category caches
 * @since 0.1.0
 */
export class TtlCache<in out Key, in out A> {
  private readonly entries = new Map<Key, Entry<A>>()

  /** Undefined for an entry that expired, or that is from the future because the machine's clock was set back. */
  get(key: Key, now: MachineTime): A | undefined {
    const entry = this.entries.get(key)
    return entry !== undefined && now >= entry.from && now < entry.until ? entry.value : undefined
  }

  /** Stores a value until it expires, or until `end` where that is earlier. A full cache drops its oldest entry. */
  put(key: Key, value: A, now: MachineTime, end: number = Infinity): void {
    // A Map iterates in order of insertion, so the first key is the oldest one.
    this.entries.delete(key)
    this.entries.set(key, { value, from: now, until: Math.min(end, now + timeToLive) })
    if (this.entries.size <= capacity) return
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest)
      break
    }
  }
}
