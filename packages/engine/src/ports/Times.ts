/**
 * The current time of a decision on both clocks.
 *
 * @since 0.1.0
 */
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * The same instant on both clocks.
 *
 * - `business`: the company's time, for entities, paydays and the current day
 * - `machine`: the time for attempts, leases, keys and deliveries
 *
 * @category models
 * @since 0.1.0
 */
export interface Times {
  readonly business: BusinessTime
  readonly machine: MachineTime
}

/**
 * The current machine time.
 *
 * @category getters
 * @since 0.1.0
 */
export const machineNow: Effect.Effect<MachineTime> = Effect.clockWith((clock) => Effect.succeed(machineTimeOf(clock)))

/**
 * Returns the machine time of a clock.
 *
 * @category getters
 * @since 0.1.0
 */
export const machineTimeOf = (clock: Clock.Clock): MachineTime =>
  // The value is always a valid time, and every request reads it several times.
  clock.currentTimeMillisUnsafe() as MachineTime
