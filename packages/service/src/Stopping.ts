/**
 * The log messages of a stopping service: the number of running operations, and their end. Without a log nothing is
 * written.
 *
 * @since 0.1.0
 */
import { PaymentAttempts } from "@parcela/engine/payments/PaymentAttempts"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServiceOptions } from "./ServiceOptions.ts"

/**
 * Maximum duration of requests after the service starts to stop.
 *
 * @category constants
 * @since 0.1.0
 */
export const timeToFinish: Duration.Duration = Duration.seconds(10)

/** Returns the number of running operations of one kind, with the singular noun of the kind. */
type Count = Effect.Effect<readonly [count: number, noun: string]>

/**
 * @category services
 * @since 0.1.0
 */
export class Stopping extends Context.Service<
  Stopping,
  {
    /** Adds a counter to the message. */
    readonly count: (counted: Count) => void
    /**
     * Logs the running operations. Called after the last request is accepted, with the number of requests without a
     * response.
     */
    readonly begin: (requests: number) => Effect.Effect<void>
  }
>()("@parcela/service/Stopping") {}

const plural = (noun: string): string => (noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`)

/** Returns the running operations as one line. */
const sentence = (counts: ReadonlyArray<readonly [count: number, noun: string]>): string => {
  const found = counts.flatMap(([count, noun]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? noun : plural(noun)}`]
  )
  return found.length === 0
    ? "Stopping: nothing is under way"
    : `Stopping, with ${found.join(", ")} under way: requests have ${Duration.toSeconds(timeToFinish)} seconds to finish, and what is left is taken up at the next start`
}

/**
 * The layer. It closes, and logs the end, after every layer that depends on it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = ({ log }: Pick<ServiceOptions, "log">): Layer.Layer<Stopping> =>
  Layer.effect(
    Stopping,
    Effect.gen(function* () {
      const others: Array<Count> = []
      const say = (text: string) => (log === undefined ? Effect.void : Effect.logInfo(text))
      let hasStarted = false
      yield* Effect.addFinalizer(() => (hasStarted ? say("Stopped") : Effect.void))
      return Stopping.of({
        count: (one) => void others.push(one),
        begin: Effect.fnUntraced(function* (requests) {
          // A failed start also closes the port; the start's error is enough.
          if (others.length === 0) return
          hasStarted = true
          yield* say(sentence([[requests, "request"], ...(yield* Effect.all(others))]))
        })
      })
    })
  )

/**
 * Counts the engine's running operations.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerEngine: Layer.Layer<never, never, DeliveryWorker | PaymentAttempts | Stopping> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { count } = yield* Stopping
    const attempts = yield* PaymentAttempts
    const deliveries = yield* DeliveryWorker
    count(Effect.map(attempts.pendingAttempt, (found) => [found, "payment attempt"]))
    count(Effect.map(deliveries.pendingAttempt, (found) => [found, "delivery"]))
  })
)
