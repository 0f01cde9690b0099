/** Waits for a value, for tests that do not sleep. */
import * as Effect from "effect/Effect"
import type { WaitOptions } from "../Events.ts"
import { SandboxError } from "../SandboxError.ts"

/** Milliseconds. */
const defaultTimeout = 5_000
const firstWait = 2
const maxWait = 40

/** Reads until `read` returns a value; `message` makes the message of a timeout. */
export const awaited = <A>(
  read: () => Promise<A | undefined>,
  timeout: number | undefined,
  message: (milliseconds: number) => string
): Promise<A> => {
  const milliseconds = timeout ?? defaultTimeout
  const reading = Effect.gen(function* () {
    for (let wait = firstWait; ; wait = Math.min(wait * 2, maxWait)) {
      const found = yield* Effect.tryPromise({ try: read, catch: (error) => error })
      if (found !== undefined) return found
      yield* Effect.sleep(wait)
    }
  })
  return Effect.runPromise(
    Effect.timeoutOrElse(reading, {
      duration: milliseconds,
      orElse: () => Effect.fail(new SandboxError("timeout", message(milliseconds)))
    })
  )
}

/** A queue whose items are taken once, by name and condition. */
export const arrivalsOf = <A>(nameOf: (one: A) => string) => {
  const all: Array<A> = []
  const taken = new Set<A>()
  const take = (name: string | undefined, { where }: WaitOptions<A>): A | undefined => {
    const found = all.find(
      (one) => !taken.has(one) && (name === undefined || nameOf(one) === name) && (where === undefined || where(one))
    )
    if (found !== undefined) taken.add(found)
    return found
  }
  /** `TransactionAdded (2), TransactionSent`. */
  const summary = (): string => {
    const counts = new Map<string, number>()
    for (const one of all) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1)
    const names = [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`))
    return names.length === 0 ? "nothing" : names.join(", ")
  }
  return { all, take, summary }
}
