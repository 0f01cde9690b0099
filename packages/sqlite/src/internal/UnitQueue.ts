/**
 * What waits for its turn: what somebody waits for, and what nobody does.
 *
 * @since 0.1.0
 */

/** Takes one of each kind in turn, so that a long queue holds up its own kind alone. */
export class UnitQueue<A extends { readonly isBackground: boolean }> {
  private readonly awaited: Array<A> = []
  private readonly background: Array<A> = []
  /** Whether the last one that was taken was one that somebody waits for. */
  private wasAwaited = false

  get length(): number {
    return this.awaited.length + this.background.length
  }

  add(one: A): void {
    this.queueOf(one).push(one)
  }

  /** Puts back what was taken, before all that came since: next is one that somebody waits for. */
  putBack(all: ReadonlyArray<A>): void {
    this.awaited.unshift(...all.filter(({ isBackground }) => !isBackground))
    this.background.unshift(...all.filter(({ isBackground }) => isBackground))
    this.wasAwaited = false
  }

  /** Without effect once it was taken. */
  remove(one: A): void {
    const queue = this.queueOf(one)
    const place = queue.indexOf(one)
    if (place !== -1) queue.splice(place, 1)
  }

  /** Undefined when nothing waits, or what comes next is not to be taken. */
  take(isTaken: (one: A) => boolean): A | undefined {
    const [first, second] = this.wasAwaited ? [this.background, this.awaited] : [this.awaited, this.background]
    const queue = first.length > 0 ? first : second
    const next = queue[0]
    if (next === undefined || !isTaken(next)) return undefined
    queue.shift()
    this.wasAwaited = !next.isBackground
    return next
  }

  some(is: (one: A) => boolean): boolean {
    return this.awaited.some(is) || this.background.some(is)
  }

  private queueOf({ isBackground }: A): Array<A> {
    return isBackground ? this.background : this.awaited
  }
}
