/**
 * An instant: milliseconds since 1970-01-01T00:00:00Z. What the service keeps; people and the interface see it
 * as a {@link "./LocalDateTime.ts"}.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * @category schemas
 * @since 0.1.0
 */
export const EpochMillis = Schema.Int.check(
  // The range of four-digit years, which is all that the interface can write.
  Schema.isBetween({ minimum: -30_610_224_000_000, maximum: 253_402_300_799_999 })
).pipe(Schema.brand("EpochMillis"))

/**
 * @category models
 * @since 0.1.0
 */
export type EpochMillis = typeof EpochMillis.Type
