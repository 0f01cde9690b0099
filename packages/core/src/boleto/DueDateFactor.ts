/**
 * The due date in a boleto's barcode: a four-digit day number that restarts at 1000 every 9000 days.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { fromEpochDay, LocalDate, toEpochDay } from "../time/LocalDate.ts"

/**
 * A factor of four digits. `1000` to `9999` is a day of a cycle; a leading `0` means that there is no due date.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DueDateFactor = Schema.String.check(
  Schema.isPattern(/^\d{4}$/u, { expected: "a factor of 4 digits" })
).pipe(Schema.brand("DueDateFactor"))

/**
 * @category models
 * @since 0.1.0
 */
export type DueDateFactor = typeof DueDateFactor.Type

/**
 * The due date is before 2000-07-03, the first day with a factor.
 *
 * @category errors
 * @since 0.1.0
 */
export class DueDateTooEarly extends Schema.TaggedError<DueDateTooEarly>()("DueDateTooEarly", { dueDate: LocalDate }) {
  override get message() {
    return `A boleto cannot be due on ${this.dueDate}: the first day a barcode can carry is ${firstDay}`
  }
}

/**
 * The factor of a boleto without a due date.
 *
 * @category constants
 * @since 0.1.0
 */
export const noDueDate: DueDateFactor = DueDateFactor.make("0000")

// FEBRABAN: days since 1997-10-07, in use from 1000 on. After 9999 (2025-02-21) the factor restarts at 1000.
const firstDay = LocalDate.make("2000-07-03")
const firstFactor = 1000
const cycle = 9000
const firstEpochDay = toEpochDay(firstDay)
const lastEpochDay = toEpochDay(LocalDate.make("9999-12-31"))

/**
 * The factor of a due date: 1000 on 2000-07-03, 9999 on 2025-02-21, and 1000 again on 2025-02-22 and on 2049-10-14.
 *
 * @category conversions
 * @since 0.1.0
 */
export const toFactor = (dueDate: LocalDate): Result.Result<DueDateFactor, DueDateTooEarly> => {
  const days = toEpochDay(dueDate) - firstEpochDay
  return days < 0
    ? Result.fail(new DueDateTooEarly({ dueDate }))
    : Result.succeed(DueDateFactor.make(String(firstFactor + (days % cycle))))
}

/**
 * The day of a factor; none if the boleto has no due date.
 *
 * **Details**
 *
 * A factor means one day in each cycle. The day nearest to `reference` (usually today) is returned, and of two equally
 * near days the later. The result is right if the due date is at most 4499 days (about 12 years) from `reference`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromFactor = (factor: DueDateFactor, reference: LocalDate): Option.Option<LocalDate> => {
  if (factor.startsWith("0")) return Option.none()
  const inFirstCycle = firstEpochDay + Number(factor) - firstFactor
  const cycles = Math.max(0, Math.round((toEpochDay(reference) - inFirstCycle) / cycle))
  const nearest = inFirstCycle + cycles * cycle
  return Option.some(fromEpochDay(nearest > lastEpochDay ? nearest - cycle : nearest))
}
