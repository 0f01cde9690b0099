/**
 * An instant: milliseconds since 1970-01-01T00:00:00Z, as the service stores it. Users and the interface see a {@link
 * "./LocalDateTime.ts"}.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

// The interface can write the years 1000 to 9999. One day is excluded at both ends, so that an instant is within these
// years in every zone.
const minimum = Date.UTC(1000, 0, 2)
const maximum = Date.UTC(10_000, 0, 1) - 86_400_001

/**
 * A whole number of milliseconds whose year has four digits in every zone.
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
 * The first valid instant.
 *
 * @category constants
 * @since 0.1.0
 */
export const earliest: EpochMillis = EpochMillis.make(minimum)

/**
 * The last valid instant.
 *
 * @category constants
 * @since 0.1.0
 */
export const latest: EpochMillis = EpochMillis.make(maximum)
