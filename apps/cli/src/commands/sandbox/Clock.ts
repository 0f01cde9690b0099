/**
 * `parcela sandbox clock` and `parcela sandbox advance`: the time of one company.
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
    ["next due", clock.nextDue === undefined ? "nothing" : timeOf(clock.nextDue)],
    ["advancing to", clock.advancingTo === undefined ? undefined : timeOf(clock.advancingTo)]
  ])

export const clock = Command.make("clock", {}, () =>
  control(
    (client, clientId) => client.clock.show(clientId),
    (found, paint) => shown(paint, found)
  )
).pipe(
  Command.withDescription("Show what the company's clock shows, and when it has work next."),
  Command.withShortDescription("Show a company's clock"),
  Command.withExamples([{ command: "parcela sandbox clock", description: "What day it is, and when something is due" }])
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
      problem: "It is not clear how far the clock is to go",
      remedy: "Give a duration, such as 30d or 1mo, or --to with a date, such as 2027-03-01"
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
  // If the advance had not started, the last advance is an earlier one.
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
      ? "Nothing was due."
      : table(
          paint,
          ["WORK", "STATUS", "COUNT"],
          work.map(({ count, kind, outcome }) => [kind, outcome, String(count)])
        ),
    ...changesShown(paint, changes),
    ...(waitingWork.length === 0
      ? []
      : [
          "Still under way, and goes on by itself:",
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
      Argument.withDescription("How far: 90s, 30min, 2h, 10d, 2w, 3mo (months), 1y; else --to"),
      Argument.atMost(2)
    ),
    to: instant("to", "Until then"),
    name: text("name", "A name for this advance: the same name again goes on to the same time, and no further"),
    stop: Flag.Boolean("stop-when-nothing-is-due").pipe(
      Flag.withDescription("Stop at the last work before that time"),
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
    "Advance the company's clock, and do what falls due on the way, in order. Other companies notice nothing, and a clock never goes back. Ctrl+C ends the advance at its last step, and says how to go on."
  ),
  Command.withShortDescription("Advance a company's clock"),
  Command.withExamples([
    { command: "parcela sandbox advance 1mo", description: "A month on" },
    { command: "parcela sandbox advance --to 2027-03-01", description: "To a day" },
    { command: "parcela sandbox advance 1y --name year-1", description: "Once, however often it is run" },
    { command: "parcela sandbox advance 365d --stop-when-nothing-is-due", description: "No further than there is work" }
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
    "End the advance of the company's clock that is under way, at its last step. A snapshot can be restored then."
  ),
  Command.withShortDescription("End the clock advance that is running"),
  Command.withExamples([{ command: "parcela sandbox cancel-advance", description: "From another terminal" }])
)

export const lastAdvance = Command.make("last-advance", last.input, last.handler).pipe(
  Command.withDescription("Show how far the last advance of the company's clock came, and what came about on the way."),
  Command.withShortDescription("How far the last one came"),
  Command.withExamples([{ command: "parcela sandbox last-advance", description: "Also after a crash" }])
)

const shownJob = (paint: Paint, quarantined: ReadonlyArray<typeof QuarantinedWork.Type>): string =>
  quarantined.length === 0
    ? "No work is quarantined."
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
  Command.withDescription("List the due work of all companies that met a defect and waits for somebody."),
  Command.withShortDescription("List quarantined work"),
  Command.withExamples([{ command: "parcela sandbox work list", description: "What waits for somebody" }])
)

const released = derivedControl("quarantinedWork", "release", () => "It is due again.")

const release = Command.make("release", released.input, released.handler).pipe(
  Command.withDescription(
    "Let workers try quarantined work again, at once. Kind and subject are as the list shows them, in quotes: 'send payment'."
  ),
  Command.withShortDescription("Try it again"),
  Command.withExamples([
    { command: "parcela sandbox work release 'resolve attempt' 01980f2e-5b9e-7c3a", description: "One of the list" }
  ])
)

export const work = Command.make("work").pipe(
  Command.withDescription("Due work that was quarantined after a defect"),
  Command.withSubcommands([list, release])
)
