/**
 * An in-memory cache of at most 10,000 entries that expire after 5 s. Every process therefore sees changes in the store
 * within 5 s.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/MachineTime"

/** Lifetime of an entry in milliseconds. */
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

  /**
   * Returns undefined for an expired entry, and for an entry from the future, which remains after the clock was set
   * back.
   */
  get(key: Key, now: MachineTime): A | undefined {
    const entry = this.entries.get(key)
    return entry !== undefined && now >= entry.from && now < entry.until ? entry.value : undefined
  }

  /** Stores a value for 5 s, or until `end` if that is earlier. A full cache drops its oldest entry. */
  put(key: Key, value: A, now: MachineTime, end: number = Infinity): void {
    // A Map iterates in insertion order, so the first key is the oldest.
    this.entries.delete(key)
    this.entries.set(key, { value, from: now, until: Math.min(end, now + timeToLive) })
    if (this.entries.size <= capacity) return
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest)
      break
    }
  }
}
