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
  /** How far before the last sweep that went through the next one begins: how late a provider may show a payment; default 2 hours. */
  readonly back?: Duration.Duration | undefined
  /** How far back the first one looks: how long the service may have been away; default 7 days. */
  readonly firstBack?: Duration.Duration | undefined
}

/**
 * Sweeps every account at once and then every `every`, for as long as the layer lives. One that fails is logged, and the next one
 * of that account looks through its span too.
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

      const begin = DateTime.subtractDuration(yield* DateTime.now, firstBack)
      /** From where the next sweep of each account looks. */
      const since = new Map(all.map((account) => [account, begin]))

      const sweep = Effect.gen(function* () {
        const to = yield* DateTime.now
        for (const [account, from] of since) {
          yield* payments.reportAll(account, { from, to }).pipe(
            Effect.andThen(Effect.sync(() => since.set(account, DateTime.subtractDuration(to, back)))),
            Effect.catchCause((cause) =>
              Effect.logWarning(`The payments of ${account.clientId} could not be looked through`, cause)
            )
          )
        }
      })

      yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(every)))
    })
  )
