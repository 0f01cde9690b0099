/**
 * When a delivery that was not accepted is tried again: six tries in all, spread over about 48 hours.
 *
 * Source: `docs/interface-decisions.md`; the interface does not show it (section 6).
 *
 * @since 0.1.0
 */
import { EpochMillis } from "@parcela/core/EpochMillis"
import * as Duration from "effect/Duration"

/**
 * The waits between one try and the next. The first try is made at once.
 *
 * @category constants
 * @since 0.1.0
 */
export const waits: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(30),
  Duration.minutes(10),
  Duration.hours(2),
  Duration.hours(12),
  Duration.hours(34)
]

/**
 * How many tries are made in all.
 *
 * @category constants
 * @since 0.1.0
 */
export const maximumTries: number = waits.length + 1

/**
 * @category models
 * @since 0.1.0
 */
export type NextTry = { readonly _tag: "TryAt"; readonly at: EpochMillis } | { readonly _tag: "GiveUp" }

/**
 * What follows after `tries` failed tries (1 or more), the last of them just now.
 *
 * **Details**
 *
 * The plan counts from the first try. A try that is late, because nobody was there to make it, does not make the
 * next ones late; but the shortest wait is always kept, so that no receiver gets them in one burst.
 *
 * @category scheduling
 * @since 0.1.0
 */
export const nextTry = (tries: number, firstTriedAt: EpochMillis, now: EpochMillis): NextTry => {
  if (tries >= maximumTries) return { _tag: "GiveUp" }
  const planned = waits.slice(0, tries).reduce((at: number, wait) => at + Duration.toMillis(wait), firstTriedAt)
  return { _tag: "TryAt", at: EpochMillis.make(Math.max(planned, now + Duration.toMillis(shortestWait))) }
}

const shortestWait = Duration.seconds(30)
