/**
 * `parcela sandbox clock`, `advance`, `last-advance` and `cancel-advance`: the time of one company. `parcela sandbox work`: jobs
 * that were quarantined after a defect.
 *
 * @since 0.1.0
 */
import { monthsLater } from "@parcela/core/time/Instant"
import type { Advance, Advanced, CompanyClock, LastAdvance } from "@parcela/transport/sandbox/ClockControls"
import { Duration, Effect, Option, Schedule } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Client, control, exactTimeOf, timeOf } from "../../Control.ts"
import { derivedControl } from "../../DerivedControl.ts"
import { calendarSpanOf, key, text, instant, instantOf } from "../../Flags.ts"
import { AdvanceInterrupted, report } from "../../Failure.ts"
import { Json, UsageError } from "../../GlobalFlags.ts"
import { facts, type Paint, progress } from "../../Terminal.ts"
import { table } from "../../Table.ts"
import type { QuarantinedWork } from "@parcela/transport/sandbox/DueWorkControls"

const shown = (paint: Paint, clock: typeof CompanyClock.Type): string =>
  facts(paint, [
    ["company", timeOf(clock.business)],
    ["sandbox", timeOf(clock.machine)],
    ["next job", clock.nextDue === undefined ? "none" : timeOf(clock.nextDue)],
    ["advancing to", clock.advancingTo === undefined ? undefined : timeOf(clock.advancingTo)]
  ])

export const clock = Command.make("clock", {}, () =>
  control(
    (client, clientId) => client.clock.show(clientId),
    (found, paint) => shown(paint, found)
  )
).pipe(
  Command.withDescription("Show the time of the company's clock, and of its next job."),
  Command.withShortDescription("Show a company's clock"),
  Command.withExamples([{ command: "parcela sandbox clock", description: "Today, and the next job" }])
)

const wanted = Effect.fnUntraced(function* (
  client: Client,
  clientId: string,
  by: ReadonlyArray<string>,
  to: Option.Option<string>
) {
  if (Option.isSome(to) && by.length === 0) return { to: instantOf(to.value) }
  if (by.length === 0 || Option.isSome(to)) {
    return yield* new UsageError({
      problem: "The target of the advance is not clear",
      remedy: "Use a duration, such as 30d or 1mo, or --to with a date, such as 2027-03-01"
    })
  }
  const span = yield* calendarSpanOf("The duration", by.join(" "))
  if ("duration" in span) return { bySeconds: Duration.toSeconds(span.duration) }
  const { business } = yield* client.clock.show(clientId)
  return { to: new Date(monthsLater(business, span.months)).toISOString() }
})

/** Timeout of an advance. An advance of years may take minutes; the same command continues an interrupted advance. */
const patience = { timeout: "1 hour" } as const

/** Timeout of the request for an interrupted advance. */
const lastLook = "2 seconds"

/** Reports an advance after Ctrl+C and how to continue it, because its response will not arrive. */
const interrupted = Effect.fnUntraced(function* (client: Client, clientId: string, name: string | undefined) {
  const last = yield* client.clock.lastAdvance(clientId).pipe(Effect.timeout(lastLook), Effect.option)
  // An advance that reached its end is an earlier one: ours did not start.
  const cutOff = Option.filter(last, ({ reached, to }) => reached < to)
  const known = Option.map(cutOff, ({ reached, to }) => ({ reached: timeOf(reached), to: exactTimeOf(to) }))
  yield* report(new AdvanceInterrupted({ name, ...Option.getOrUndefined(known) }), yield* Json)
})

/** Runs the advance and shows the company's time in between. */
const followed = Effect.fnUntraced(function* <A, E, R>(
  client: Client,
  clientId: string,
  advance: Effect.Effect<A, E, R>
) {
  const say = yield* progress
  const look = client.clock.show(clientId).pipe(
    Effect.flatMap(({ business }) => say(`at ${timeOf(business)}`)),
    Effect.ignore
  )
  const polling = Effect.delay(Effect.repeat(look, Schedule.spaced("1 second")), "1 second")
  return yield* Effect.raceFirst(advance, Effect.andThen(polling, Effect.never)).pipe(Effect.ensuring(say("")))
})

type Changes = (typeof Advanced.Type)["changes"]

/** Returns the changes that no client requested. */
const changesShown = (paint: Paint, changes: Changes): ReadonlyArray<string> =>
  changes.length === 0
    ? []
    : [
        table(
          paint,
          ["EVENT", "STATUS", "COUNT"],
          changes.map(({ count, event, to }) => [event, to ?? "", String(count)])
        )
      ]

const reported = (paint: Paint, { changes, from, steps, reached, waitingWork, work }: typeof Advanced.Type): string =>
  [
    facts(paint, [
      ["from", timeOf(from)],
      ["reached", timeOf(reached)],
      ["steps", String(steps)]
    ]),
    work.length === 0
      ? "No job was due."
      : table(
          paint,
          ["WORK", "STATUS", "COUNT"],
          work.map(({ count, kind, outcome }) => [kind, outcome, String(count)])
        ),
    ...changesShown(paint, changes),
    ...(waitingWork.length === 0
      ? []
      : [
          "Still running in the background:",
          table(
            paint,
            ["WORK", "SUBJECT", "FAILURES", "PROBLEM"],
            waitingWork.map(({ kind, problem, subject, failures }) => [kind, subject, String(failures), problem ?? ""]),
            { wraps: true }
          )
        ])
  ].join("\n")

export const advance = Command.make(
  "advance",
  {
    by: Argument.String("duration").pipe(
      Argument.withDescription("Duration: 90s, 30min, 2h, 10d, 2w, 3mo (months), 1y; or use --to"),
      Argument.atMost(2)
    ),
    to: instant("to", "Until then"),
    name: text("name", "Name of this advance: a repeated name continues to the same target, and no further"),
    stop: Flag.Boolean("stop-when-nothing-is-due").pipe(
      Flag.withDescription("Stop at the last job before that time"),
      Flag.withDefault(false)
    )
  },
  ({ by, name, stop, to }) =>
    control(
      (client, clientId) =>
        Effect.gen(function* () {
          const target: Pick<typeof Advance.Encoded, "bySeconds" | "to"> = yield* wanted(client, clientId, by, to)
          const body = { ...target, ...key("name", name), ...(stop ? { stopWhenNothingIsDue: true } : {}) }
          return yield* followed(client, clientId, client.clock.advance(clientId, body, patience)).pipe(
            Effect.onInterrupt(() => interrupted(client, clientId, Option.getOrUndefined(name)))
          )
        }),
      (done, paint) => reported(paint, done)
    )
).pipe(
  Command.withDescription(
    "Advance the company's clock and run its due jobs in order. Other companies are not affected. A clock never goes back. Ctrl+C ends the advance at its last step and shows how to continue."
  ),
  Command.withShortDescription("Advance a company's clock"),
  Command.withExamples([
    { command: "parcela sandbox advance 1mo", description: "One month" },
    { command: "parcela sandbox advance --to 2027-03-01", description: "To a date" },
    { command: "parcela sandbox advance 1y --name year-1", description: "Only once, even if repeated" },
    { command: "parcela sandbox advance 365d --stop-when-nothing-is-due", description: "Not beyond the last job" }
  ])
)

const shownAdvance = (advance: typeof LastAdvance.Type, paint: Paint): string =>
  [
    facts(paint, [
      ["from", timeOf(advance.from)],
      ["to", timeOf(advance.to)],
      ["reached", timeOf(advance.reached)],
      ["under way", advance.isRunning ? "yes" : "no"],
      ["steps", String(advance.steps)],
      ["name", advance.name],
      ["see", advance.eventsAfter === undefined ? undefined : `parcela sandbox events --after ${advance.eventsAfter}`]
    ]),
    ...changesShown(paint, advance.changes)
  ].join("\n")

const last = derivedControl("clock", "lastAdvance", shownAdvance)

const cancelled = derivedControl("clock", "cancelAdvance", shownAdvance)

export const cancelAdvance = Command.make("cancel-advance", cancelled.input, cancelled.handler).pipe(
  Command.withDescription(
    "End the running advance of the company's clock at its last step. Then a snapshot can be restored."
  ),
  Command.withShortDescription("End the clock advance that is running"),
  Command.withExamples([{ command: "parcela sandbox cancel-advance", description: "From another terminal" }])
)

export const lastAdvance = Command.make("last-advance", last.input, last.handler).pipe(
  Command.withDescription("Show the last advance of the company's clock: the time that it reached, and the changes."),
  Command.withShortDescription("Show the last advance"),
  Command.withExamples([{ command: "parcela sandbox last-advance", description: "Also after a crash" }])
)

const shownJob = (paint: Paint, quarantined: ReadonlyArray<typeof QuarantinedWork.Type>): string =>
  quarantined.length === 0
    ? "No job is quarantined."
    : table(
        paint,
        ["KIND", "SUBJECT", "COMPANY", "QUARANTINED", "FAILURES", "PROBLEM"],
        quarantined.map(({ companyId, kind, quarantinedAt, problem, subject, failures }) => [
          kind,
          subject,
          companyId === undefined ? "" : String(companyId),
          timeOf(quarantinedAt),
          String(failures),
          problem
        ]),
        { leftOut: ["QUARANTINED", "FAILURES", "COMPANY"], wraps: true }
      )

const quarantined = derivedControl("quarantinedWork", "list", ({ quarantinedWork }, paint) =>
  shownJob(paint, quarantinedWork)
)

const list = Command.make("list", quarantined.input, quarantined.handler).pipe(
  Command.withDescription("List the jobs of all companies that were quarantined after a defect."),
  Command.withShortDescription("List quarantined jobs"),
  Command.withExamples([{ command: "parcela sandbox work list", description: "All quarantined jobs" }])
)

const released = derivedControl("quarantinedWork", "release", () => "It is due again.")

const release = Command.make("release", released.input, released.handler).pipe(
  Command.withDescription(
    "Run a quarantined job again at once. Quote kind and subject as the list shows them: 'send payment'."
  ),
  Command.withShortDescription("Run a quarantined job again"),
  Command.withExamples([
    { command: "parcela sandbox work release 'resolve attempt' 01980f2e-5b9e-7c3a", description: "A job of the list" }
  ])
)

export const work = Command.make("work").pipe(
  Command.withDescription("Jobs that were quarantined after a defect"),
  Command.withSubcommands([list, release])
)
