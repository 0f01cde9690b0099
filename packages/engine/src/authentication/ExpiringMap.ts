/**
 * A map in memory whose entries expire, with at most 10,000 entries.
 *
 * @since 0.1.0
 */

const capacity = 10_000

interface Entry<A> {
  readonly value: A
  readonly from: number
  readonly until: number
}

/**
 * @category models
 * @since 0.1.0
 */
export class ExpiringMap<in out Key, in out A> {
  private readonly entries = new Map<Key, Entry<A>>()
  private readonly lifetime: number

  /** `lifetime` is in milliseconds. */
  constructor(lifetime: number) {
    this.lifetime = lifetime
  }

  /**
   * Returns undefined for an expired entry, and for an entry from the future, which remains after the clock was set
   * back.
   */
  get(key: Key, now: number): A | undefined {
    const entry = this.entries.get(key)
    return entry !== undefined && now >= entry.from && now < entry.until ? entry.value : undefined
  }

  /** Stores a value for the lifetime, or until `end` if that is earlier. A full map drops its oldest entry. */
  set(key: Key, value: A, now: number, end: number = Infinity): void {
    // A Map iterates in insertion order, so the first key is the oldest.
    this.entries.delete(key)
    this.entries.set(key, { value, from: now, until: Math.min(end, now + this.lifetime) })
    if (this.entries.size <= capacity) return
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest)
      break
    }
  }

  delete(key: Key): void {
    this.entries.delete(key)
  }
}
