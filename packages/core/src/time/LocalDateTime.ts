/**
 * A wall-clock time without a zone: the interface's `datetime`, `YYYY-MM-DD HH:MM:SS`. It is Brazil time
 * (America/Sao_Paulo) unless the service is configured with another zone. Only with a zone does it become an instant.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { dateTimeText, epochDayOf } from "../internal/calendar.ts"
import { derivedText } from "../internal/derivedText.ts"

const pattern = /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/u

// 1000-01-01 00:00:00 to 9999-12-31 23:59:59. Times are generated as seconds, because random text is almost never a
// valid time.
const anySecond = Schema.Int.check(Schema.isBetween({ minimum: -30_610_224_000, maximum: 253_402_300_799 }))

/**
 * A time from 1000-01-01 00:00:00 to 9999-12-31 23:59:59 (interface section 2, `datetime`).
 *
 * @category schemas
 * @since 0.1.0
 */
export const LocalDateTime = derivedText({ pattern, seed: anySecond, derive: dateTimeText })
  .check(
    Schema.isPattern(pattern, { expected: "a time written YYYY-MM-DD HH:MM:SS" }).abort(),
    Schema.makeFilter((text: string) => epochDayOf(text) !== undefined, {
      expected: "a day that exists in the calendar",
      toJsonSchema: () => [{}, true]
    })
  )
  .pipe(Schema.brand("LocalDateTime"))

/**
 * @category models
 * @since 0.1.0
 */
export type LocalDateTime = typeof LocalDateTime.Type
