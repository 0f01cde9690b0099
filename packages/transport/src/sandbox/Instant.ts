/**
 * An instant in the format of the sandbox's controls.
 *
 * @since 0.1.0
 */
import { EpochMillis } from "@parcela/core/time/Instant"
import { LocalDate } from "@parcela/core/time/LocalDate"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

// `Date.parse` accepts 31 February as 3 March.
const isInstant = (text: string): boolean =>
  Schema.is(LocalDate)(text.slice(0, "YYYY-MM-DD".length)) && Schema.is(EpochMillis)(Date.parse(text))

/**
 * ISO 8601 with a zone: `2026-11-22T10:00:00Z`. Responses use UTC with milliseconds.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Instant = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/u, {
    expected: "a date and time with a zone, such as 2026-11-22T10:00:00Z"
  }),
  Schema.makeFilter(isInstant, {
    expected: "a date and time that there is",
    toJsonSchema: () => ({ format: "date-time" })
  })
).pipe(
  Schema.decodeTo(
    EpochMillis,
    SchemaTransformation.transform({
      decode: (text: string) => Date.parse(text),
      encode: (millis: number) => new Date(millis).toISOString()
    })
  )
)

/**
 * An instant on the machine's clock, which clock advances of companies do not change.
 *
 * @category schemas
 * @since 0.1.0
 */
export const MachineInstant = Instant.pipe(Schema.brand("MachineTime"))
