/**
 * Locks that order the commands of this process below a root: while one writes, the others wait, and load when it has written.
 *
 * **Details**
 *
 * Without them, of thirty commands that add to one subscription at the same time twenty-nine load, decide and write in vain, and run
 * again in a transaction. Correctness does not depend on these locks: a guard fails on a root that was changed, by any process. So a wait
 * ends after a while, such as behind a command whose connection does not respond, and a caller that is interrupted lets the next one go on.
 *
 * @since 0.1.0
 */
import type { Guard } from "@parcela/engine/command/LoadedCompany"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Hundreds of commands have written by then. */
const defaultMaxWait = Duration.seconds(2)

/**
 * Runs an effect while it holds the locks of these roots, first come first. `hasWaited` says whether another command held one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (maxWait: Duration.Input = defaultMaxWait) => {
  /** The end of the last command in the queue of each root. A root without one is not locked. */
  const last = new Map<string, Deferred.Deferred<void>>()

  return <A, E>(guards: ReadonlyArray<Guard>, use: (hasWaited: boolean) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const roots = [...new Set(guards.map(({ id, table }) => `${table} ${id}`))]
      const before = roots.flatMap((root) => last.get(root) ?? [])
      const end = Deferred.makeUnsafe<void>()
      // All at once, so that no two commands wait for each other.
      for (const root of roots) last.set(root, end)
      const turn = Effect.timeoutOption(Effect.forEach(before, Deferred.await, { discard: true }), maxWait)
      return Effect.ensuring(
        before.length === 0 ? use(false) : Effect.andThen(turn, () => use(true)),
        Effect.suspend(() => {
          for (const root of roots) if (last.get(root) === end) last.delete(root)
          return Deferred.succeed(end, undefined)
        })
      )
    })
}
