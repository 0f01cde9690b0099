/**
 * When a delivery that was not accepted is tried again: six tries in all, spread over about 48 hours.
 *
 * Source: `docs/interface-decisions.md`; the interface does not show it (section 6).
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/Instant"
import * as Duration from "effect/Duration"

/** The waits between one try and the next. The first try is made at once. */
const waits: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(30),
  Duration.minutes(10),
  Duration.hours(2),
  Duration.hours(12),
  Duration.hours(34)
]

/**
 * @category models
 * @since 0.1.0
 */
export type NextTry = { readonly _tag: "TryAt"; readonly at: MachineTime } | { readonly _tag: "GiveUp" }

/**
 * What follows after `tries` failed tries (1 or more), the last of them just now.
 *
 * **Details**
 *
 * Each wait counts from the try before it. A sender that was down does not use its tries up in one burst.
 *
 * @category scheduling
 * @since 0.1.0
 */
export const nextTry = (tries: number, now: MachineTime): NextTry => {
  const wait = waits[tries - 1]
  return wait === undefined
    ? { _tag: "GiveUp" }
    : { _tag: "TryAt", at: MachineTime.make(now + Duration.toMillis(wait)) }
}
