/**
 * One instant on the two clocks that a decision goes by.
 *
 * @since 0.1.0
 */
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * - `business`: the company's time, for entities, paydays and "today"
 * - `machine`: for attempts, leases, keys and deliveries
 *
 * @category models
 * @since 0.1.0
 */
export interface Times {
  readonly business: BusinessTime
  readonly machine: MachineTime
}

/**
 * The instant that the machine's clock shows.
 *
 * @category getters
 * @since 0.1.0
 */
export const machineNow: Effect.Effect<MachineTime> = Effect.clockWith((clock) => Effect.succeed(machineTimeOf(clock)))

/**
 * The same, of a clock that is at hand.
 *
 * @category getters
 * @since 0.1.0
 */
export const machineTimeOf = (clock: Clock.Clock): MachineTime =>
  // A clock shows nothing else, and it is asked several times in each request.
  clock.currentTimeMillisUnsafe() as MachineTime
