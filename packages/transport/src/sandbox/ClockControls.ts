/**
 * Controls of a company's clock.
 *
 * @since 0.1.0
 */
import { LocalDate } from "@parcela/core/time/LocalDate"
import { described } from "@parcela/core/values/Fields"
import { nonEmptyString } from "@parcela/core/values/Text"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { company, errors, errorsWithBody, ofCompany } from "../contract/EntityPath.ts"
import { Instant } from "./Control.ts"

/**
 * A company's clock.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CompanyClock = Schema.Struct({
  machine: described(Instant, "Time of the sandbox's own clock."),
  business: described(Instant, "Time of the company's clock, never earlier than the sandbox's."),
  today: described(LocalDate, "The day of the company's clock, in its time zone. Due dates are compared with it."),
  advancingTo: described(
    Schema.optionalKey(Instant),
    "Target of the running clock advance. After a crash it remains until the next advance."
  ),
  nextDue: described(Schema.optionalKey(Instant), "Time of the company's next job; absent if it has none.")
})

/**
 * The target of an advance: exactly one of `to` and `bySeconds`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Advance = Schema.Struct({
  to: described(Schema.optionalKey(Instant), "A time of the company's clock."),
  bySeconds: described(
    Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { expected: "a whole number from 1 up" }))),
    "So much further than it is."
  ),
  name: described(
    Schema.optionalKey(nonEmptyString(255)),
    "A name for this advance, chosen by the caller. A request with the same name is the same advance: it continues to the same target, and does nothing if the clock is there."
  ),
  stopWhenNothingIsDue: described(
    Schema.optionalKey(Schema.Boolean),
    "True if the advance stops at the last job before the target, and not at the target."
  )
}).check(
  Schema.makeFilter(({ bySeconds, to }) => (bySeconds === undefined) !== (to === undefined), {
    expected: "either to or bySeconds"
  })
)

/** The changes of an advance, and the position from which a client can follow events. */
const happened = {
  changes: described(
    Schema.Array(
      Schema.Struct({
        event: described(Schema.String, "Name of the event in the journal, such as TransactionStatusChanged."),
        to: described(Schema.optionalKey(Schema.String), "The status after the event, if the entity has one."),
        count: Schema.Int
      })
    ),
    "Events from the start of the advance to its end (or to now) that no client requested. They are read from the journal, so they are complete after a restart."
  ),
  eventsAfter: described(
    Schema.optionalKey(Schema.String),
    "Number of the last event before it: list the events of the company after it. Absent if there is none."
  )
}

/**
 * The last advance of a clock.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LastAdvance = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  from: Instant,
  to: described(Instant, "The time that it goes to."),
  reached: described(Instant, "The company's clock at the end of the advance, or now if the advance is running."),
  isRunning: described(Schema.Boolean, "After a crash it remains true until the next advance."),
  steps: Schema.Int,
  ...happened
})

/**
 * The result of an advance.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Advanced = Schema.Struct({
  from: described(Instant, "Time at which it started; an advance that continues after a crash keeps its first start."),
  reached: Instant,
  steps: described(Schema.Int, "Number of steps of the clock: one for each time at which a job was due."),
  work: Schema.Array(
    Schema.Struct({
      kind: described(Schema.String, "Such as send payment or resolve attempt."),
      outcome: described(Schema.String, "Such as captured, denied, registered, unknown, done, failed or quarantined."),
      count: Schema.Int
    })
  ).annotate({ description: "The outcomes of jobs in this run; changes also contains those of a run before a crash." }),
  ...happened,
  waitingWork: described(
    Schema.Array(
      Schema.Struct({
        kind: Schema.String,
        subject: Schema.String,
        failures: Schema.Int,
        problem: Schema.optionalKey(Schema.String)
      })
    ),
    "The first 100 jobs that did not end within their timeout. They continue by themselves."
  )
})

/**
 * @category groups
 * @since 0.1.0
 */
export class ClockGroup extends HttpApiGroup.make("clock")
  .add(
    HttpApiEndpoint.get("show", `${company}/clock`, {
      params: ofCompany,
      success: CompanyClock,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "showClock",
        summary: "Show a company's clock",
        description: "Returns the time of the clock and of the company's next job.",
        examples: {
          response: {
            machine: "2026-11-22T10:00:00.000Z",
            business: "2027-03-01T10:00:00.000Z",
            today: "2027-03-01",
            nextDue: "2027-03-21T03:00:00.000Z"
          }
        }
      })
    ),
    HttpApiEndpoint.get("lastAdvance", `${company}/clock/advance`, {
      params: ofCompany,
      success: LastAdvance,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "showAdvance",
        summary: "Show the last advance",
        description:
          "Returns the progress and the results of the company's last advance: repeat the request while the advance is running. A 404 means that the clock was never advanced.",
        examples: {
          response: {
            name: "the first year",
            from: "2026-11-22T10:00:00.000Z",
            to: "2027-11-22T10:00:00.000Z",
            reached: "2027-05-21T03:00:00.000Z",
            isRunning: true,
            steps: 6,
            changes: [{ event: "TransactionStatusChanged", to: "captured", count: 6 }],
            eventsAfter: "0-118"
          }
        }
      })
    ),
    HttpApiEndpoint.delete("cancelAdvance", `${company}/clock/advance`, {
      params: ofCompany,
      success: LastAdvance,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "cancelAdvance",
        summary: "Cancel an advance",
        description:
          "Ends the running advance: the clock remains at its last step, and the request of the advance gets a 409. Afterwards a snapshot can be restored. Returns the progress of the advance. A 404 means that no advance is running.",
        examples: {
          response: {
            from: "2026-11-22T10:00:00.000Z",
            to: "2027-11-22T10:00:00.000Z",
            reached: "2027-05-21T03:00:00.000Z",
            isRunning: false,
            steps: 6,
            changes: [{ event: "TransactionStatusChanged", to: "captured", count: 6 }],
            eventsAfter: "0-118"
          }
        }
      })
    ),
    HttpApiEndpoint.post("advance", `${company}/clock/advance`, {
      params: ofCompany,
      payload: Advance,
      success: Advanced,
      error: [...errorsWithBody, wire.Conflict]
    }).annotateMerge(
      documented({
        operationId: "advanceClock",
        summary: "Advance a company's clock",
        description:
          "Advances the clock from one job of the company to the next and runs each job, so that the payments " +
          "of a year are sent in order and on their own days. The response is sent when the clock reaches the " +
          "target; this takes as long as the provider calls take, and `GET` at the same address returns the " +
          "progress. Clocks of other companies do not change. A clock never goes back. If an advance was " +
          "interrupted, a repeat with the same `to` continues it; `bySeconds` counts from the time that the " +
          "clock shows then, unless the advance has a `name`.",
        examples: {
          request: { bySeconds: 31_536_000 },
          response: {
            from: "2026-11-22T10:00:00.000Z",
            reached: "2027-11-22T10:00:00.000Z",
            steps: 13,
            work: [
              { kind: "send payment", outcome: "captured", count: 11 },
              { kind: "send payment", outcome: "denied", count: 1 }
            ],
            changes: [
              { event: "TransactionStatusChanged", to: "captured", count: 11 },
              { event: "TransactionStatusChanged", to: "denied", count: 1 }
            ],
            eventsAfter: "0-118",
            waitingWork: []
          }
        }
      })
    )
  )
  .annotate(FaultEntity, "Clock")
  .annotateMerge(
    OpenApi.annotations({ title: "Clock", description: "The time of one company, which can be advanced." })
  ) {}
