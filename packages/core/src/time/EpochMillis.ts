/**
 * An instant: milliseconds since 1970-01-01T00:00:00Z. What the service keeps; people and the interface see it
 * as a {@link "./LocalDateTime.ts"}.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

// The years 1000 to 9999, which is all that the interface can write, less a day at both ends: an instant is then in
// those years on the wall clocks of every zone.
const minimum = Date.UTC(1000, 0, 2)
const maximum = Date.UTC(10_000, 0, 1) - 86_400_001

/**
 * A whole number of milliseconds that every zone writes with a four-digit year.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EpochMillis = Schema.Int.check(Schema.isBetween({ minimum, maximum })).pipe(Schema.brand("EpochMillis"))

/**
 * @category models
 * @since 0.1.0
 */
export type EpochMillis = typeof EpochMillis.Type

/**
 * The first instant there is.
 *
 * @category constants
 * @since 0.1.0
 */
export const earliest: EpochMillis = EpochMillis.make(minimum)

/**
 * The last instant there is.
 *
 * @category constants
 * @since 0.1.0
 */
export const latest: EpochMillis = EpochMillis.make(maximum)
