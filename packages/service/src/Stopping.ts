/**
 * What a service that is asked to stop says in its log: what is under way, and when it has ended. Without a log it says nothing.
 *
 * @since 0.1.0
 */
import { PaymentAttempts } from "@parcela/engine/payments/PaymentAttempts"
import { DeliveryWorker } from "@parcela/engine/workers/DeliveryWorker"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServiceOptions } from "./ServiceOptions.ts"

/**
 * How long requests have to finish once a service is asked to stop.
 *
 * @category constants
 * @since 0.1.0
 */
export const timeToFinish: Duration.Duration = Duration.seconds(10)

/** How many of something are under way, with its name for one of them. */
type Count = Effect.Effect<readonly [count: number, noun: string]>

/**
 * @category services
 * @since 0.1.0
 */
export class Stopping extends Context.Service<
  Stopping,
  {
    /** Has something else counted when the service stops. */
    readonly count: (counted: Count) => void
    /** Says what is under way: called when no more requests are taken, with how many have no response. */
    readonly begin: (requests: number) => Effect.Effect<void>
  }
>()("@parcela/service/Stopping") {}

const plural = (noun: string): string => (noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`)

/** What is under way as one line. */
const sentence = (counts: ReadonlyArray<readonly [count: number, noun: string]>): string => {
  const found = counts.flatMap(([count, noun]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? noun : plural(noun)}`]
  )
  return found.length === 0
    ? "Stopping: nothing is under way"
    : `Stopping, with ${found.join(", ")} under way: requests have ${Duration.toSeconds(timeToFinish)} seconds to finish, and what is left is taken up at the next start`
}

/**
 * What is built on it has ended when it says so.
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
      let hasBegun = false
      yield* Effect.addFinalizer(() => (hasBegun ? say("Stopped") : Effect.void))
      return Stopping.of({
        count: (one) => void others.push(one),
        begin: Effect.fnUntraced(function* (requests) {
          // A service that could not start takes its port and gives it back: the reason says all.
          if (others.length === 0) return
          hasBegun = true
          yield* say(sentence([[requests, "request"], ...(yield* Effect.all(others))]))
        })
      })
    })
  )

/**
 * Counts what the engine has under way.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerEngine: Layer.Layer<never, never, DeliveryWorker | PaymentAttempts | Stopping> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { count } = yield* Stopping
    const attempts = yield* PaymentAttempts
    const deliveries = yield* DeliveryWorker
    count(Effect.map(attempts.underWay, (found) => [found, "payment attempt"]))
    count(Effect.map(deliveries.underWay, (found) => [found, "delivery"]))
  })
)
