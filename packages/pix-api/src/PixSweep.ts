/**
 * Asks providers for the payments that they received, again and again: what a callback lost is found here.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { PixAccounts } from "./PixAccount.ts"
import { ReceivedPayments } from "./ReceivedPayments.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface SweepOptions {
  /** How long it rests between two sweeps; default 10 minutes. */
  readonly every?: Duration.Duration | undefined
  /** How far back a sweep looks, which is also how late a provider may show a payment; default 2 hours. */
  readonly back?: Duration.Duration | undefined
  /** How far back the first one looks: how long the service may have been away; default 7 days. */
  readonly firstBack?: Duration.Duration | undefined
}

/**
 * Sweeps every account at once and then every `every`, for as long as the layer lives. One that fails is logged, and the next one
 * looks again.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = ({
  back = Duration.hours(2),
  every = Duration.minutes(10),
  firstBack = Duration.days(7)
}: SweepOptions = {}): Layer.Layer<never, never, PixAccounts | ReceivedPayments> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { all } = yield* PixAccounts
      const payments = yield* ReceivedPayments

      const sweep = Effect.fnUntraced(function* (length: Duration.Duration) {
        const to = yield* DateTime.now
        const from = DateTime.subtractDuration(to, length)
        for (const account of all) {
          yield* Effect.catchCause(payments.reportAll(account, { from, to }), (cause) =>
            Effect.logWarning(`The payments of ${account.clientId} could not be looked through`, cause)
          )
        }
      })

      yield* sweep(firstBack).pipe(
        Effect.andThen(Effect.repeat(Effect.delay(sweep(back), every), Schedule.forever)),
        Effect.forkScoped
      )
    })
  )
