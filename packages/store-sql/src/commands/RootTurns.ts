/**
 * Turns of the units of this process below a root: while one writes, the others wait here, and load when it has.
 *
 * **Details**
 *
 * Without them, of thirty units that add to one subscription at the same time twenty-nine load, decide and write in vain, and run
 * again in a transaction. Nothing rests on these turns: guards show what moved, whoever moved it. So a turn that does not
 * come in time is not waited for, such as behind a unit whose connection does not respond.
 *
 * @since 0.1.0
 */
import type { Guard } from "@parcela/engine/loads/Guard"
import * as Effect from "effect/Effect"

/** How long a turn is waited for, in milliseconds: hundreds of units have written by then. */
const defaultMostWaiting = 2_000

/**
 * @category models
 * @since 0.1.0
 */
export class RootTurns {
  /** Who waits for the roots that units have, first come first. A root that nobody has is not in it. */
  private readonly waiting = new Map<string, Array<() => void>>()
  private readonly mostWaiting: number

  constructor(mostWaiting = defaultMostWaiting) {
    this.mostWaiting = mostWaiting
  }

  /** Runs `use` in the turn of these roots; it is told whether another unit had one of them. */
  readonly during = <A, E>(
    guards: ReadonlyArray<Guard>,
    use: (hasWaited: boolean) => Effect.Effect<A, E>
  ): Effect.Effect<A, E> => {
    // Each once, so that a unit does not wait for itself, and in one order for all, so that no two wait for one another.
    const roots = [...new Set(guards.map(({ id, table }) => `${table} ${id}`))].sort()
    let hasWaited = false
    let taken = 0
    const takeAll: Effect.Effect<void> = Effect.suspend(() => {
      for (const root of roots.slice(taken)) {
        const others = this.waiting.get(root)
        if (others === undefined) {
          this.waiting.set(root, [])
          taken += 1
          continue
        }
        hasWaited = true
        return Effect.flatMap(
          turnBehind(others, () => (taken += 1), this.mostWaiting),
          (hasCome) => (hasCome ? takeAll : Effect.void)
        )
      }
      return Effect.void
    })
    return Effect.onExit(
      Effect.flatMap(takeAll, () => use(hasWaited)),
      () =>
        Effect.sync(() => {
          for (const root of roots.slice(0, taken)) this.pass(root)
        })
    )
  }

  private pass(root: string): void {
    const next = this.waiting.get(root)?.shift()
    if (next === undefined) this.waiting.delete(root)
    else next()
  }
}

/** Waits behind others, and takes the turn when it comes; false when it does not come in time. */
const turnBehind = (others: Array<() => void>, take: () => void, mostWaiting: number): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const turn = () => {
      clearTimeout(timer)
      // Before this fiber goes on: it may be interrupted until then, and has to pass on what it was given.
      take()
      resume(Effect.succeed(true))
    }
    const leave = () => {
      clearTimeout(timer)
      const place = others.indexOf(turn)
      if (place !== -1) others.splice(place, 1)
    }
    // oxlint-disable-next-line parcela/no-ambient -- a clock that is moved makes no connection slow
    const timer = setTimeout(() => {
      leave()
      resume(Effect.succeed(false))
    }, mostWaiting)
    others.push(turn)
    return Effect.sync(leave)
  })
