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

  /** Without effect once it was taken. */
  remove(one: A): void {
    const queue = this.queueOf(one)
    const place = queue.indexOf(one)
    if (place !== -1) queue.splice(place, 1)
  }

  take(): A | undefined {
    const [first, second] = this.wasAwaited ? [this.background, this.awaited] : [this.awaited, this.background]
    const one = first.shift() ?? second.shift()
    if (one !== undefined) this.wasAwaited = !one.isBackground
    return one
  }

  private queueOf({ isBackground }: A): Array<A> {
    return isBackground ? this.background : this.awaited
  }
}

/** Those that somebody waits for before the others, and both in their order. */
export const awaitedFirst = <A extends { readonly isBackground: boolean }>(all: ReadonlyArray<A>): Array<A> =>
  all.toSorted((a, b) => Number(a.isBackground) - Number(b.isBackground))
