/**
 * How many tries a process makes at once.
 *
 * @since 0.1.0
 */

/**
 * Places that are taken and given back. Who finds none is called when there are some again, in the order of asking.
 *
 * @category models
 * @since 0.1.0
 */
export class SendingPlaces {
  private readonly count: number
  private free: number
  private readonly waiting = new Set<() => void>()

  constructor(count: number) {
    this.count = count
    this.free = count
  }

  get taken(): number {
    return this.count - this.free
  }

  /** False when there is none: then `again` is called later, once. */
  take(again: () => void): boolean {
    if (this.free === 0) {
      this.waiting.add(again)
      return false
    }
    this.free -= 1
    return true
  }

  /** Those who wait come first. */
  give(): void {
    this.free += 1
    for (const again of this.waiting) {
      if (this.free === 0) return
      this.waiting.delete(again)
      again()
    }
  }

  /** Waits no longer. */
  leave(again: () => void): void {
    this.waiting.delete(again)
  }
}
