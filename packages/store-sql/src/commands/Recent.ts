/**
 * What was set last, so many of it at least.
 *
 * @since 0.1.0
 */

/**
 * Values by the identifiers of rows, set by units whose numbers grow.
 *
 * **Details**
 *
 * Two maps, of which the older is let go when the younger is full: a map from which each is removed by itself is made anew
 * again and again.
 *
 * @category models
 * @since 0.1.0
 */
export class Recent<V> {
  private readonly most: number
  private young = new Map<number, V>()
  private old = new Map<number, V>()
  /** The number at which `young` was begun. */
  private begun = 0
  /** What is not remembered was last set by this number or before. */
  forgotten = 0

  constructor(most: number) {
    this.most = most
  }

  get(id: number): V | undefined {
    return this.young.get(id) ?? this.old.get(id)
  }

  set(id: number, value: V, number: number): void {
    this.young.set(id, value)
    if (this.young.size < this.most) return
    // What is only in the older one was set before the younger one was begun.
    this.forgotten = this.begun
    this.begun = number
    this.old = this.young
    this.young = new Map()
  }

  forget(number: number): void {
    this.young.clear()
    this.old.clear()
    this.begun = number
    this.forgotten = number
  }
}
