/**
 * `parcela deliveries`: what was delivered, what waits and what was given up; tries and replays.
 *
 * @since 0.1.0
 */
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import type * as Controls from "@parcela/transport/WebhookControls"
import type { WebhookControlsClient } from "@parcela/transport/client/WebhookControlsClient"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { control, instant, number, timeOf } from "../Control.ts"
import { exitCodeHelp } from "../Failure.ts"
import { key, text } from "../Flags.ts"
import { facts, type Paint, table } from "../Paint.ts"
import { UsageError } from "../UsageError.ts"

const which = {
  endpoint: number("endpoint", "Of this endpoint"),
  event: Flag.Literals("event", WebhookEvent.literals).pipe(Flag.withDescription("Of this event"), Flag.optional),
  transaction: number("transaction", "Of this transaction, by the service's number"),
  from: text("from", "Made then or later, such as 2026-11-22T10:00:00Z", "time"),
  to: text("to", "Made before then", "time")
}

interface Which {
  readonly endpoint: Option.Option<number>
  readonly event: Option.Option<WebhookEvent>
  readonly transaction: Option.Option<number>
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
}

type Filter = Omit<Parameters<WebhookControlsClient["deliveries"]["list"]>[0], "state">

const filterOf = Effect.fnUntraced(function* ({ endpoint, event, from, to, transaction }: Which) {
  const filter: Filter = {
    ...key("endpointId", endpoint),
    ...key("event", event),
    ...key("transactionId", transaction),
    ...key("from", yield* instant("from", from)),
    ...key("to", yield* instant("to", to))
  }
  return filter
})

const before = number("before", "Only numbers below this one: the last one of the page before")

const listed = (paint: Paint, deliveries: ReadonlyArray<typeof Controls.Delivery.Type>, none: string): string => {
  if (deliveries.length === 0) return none
  const rows = deliveries.map((one) => [
    String(one.webhookId),
    one.state,
    one.event,
    String(one.transactionId),
    one.endpointId === undefined ? "" : String(one.endpointId),
    String(one.tries),
    timeOf(one.at),
    one.state === "delivered" ? "" : (one.problem ?? "")
  ])
  const more =
    deliveries.length < pageLength
      ? ""
      : // The list is not empty here.
        `\nThere may be more: --before ${deliveries[deliveries.length - 1]!.webhookId}`
  return table(paint, ["ID", "STATUS", "EVENT", "TRANSACTION", "ENDPOINT", "TRIES", "AT", "PROBLEM"], rows) + more
}

/** As many as a page has. */
const pageLength = 100

const list = Command.make(
  "list",
  {
    ...which,
    state: Flag.Literals("state", ["pending", "delivered", "given_up"]).pipe(
      Flag.withDescription("In this state"),
      Flag.optional
    ),
    before
  },
  (given) =>
    control(
      (client) =>
        Effect.flatMap(filterOf(given), (filter) =>
          client.deliveries.list({ ...filter, ...key("state", given.state), ...key("before", given.before) })
        ),
      ({ deliveries }, paint) => listed(paint, deliveries, "No deliveries.")
    )
).pipe(
  Command.withDescription(
    `List deliveries, newest first. AT is when one was delivered or given up, else when it is tried next. ${exitCodeHelp}`
  ),
  Command.withShortDescription("List deliveries"),
  Command.withExamples([{ command: "parcela deliveries list --state pending", description: "What waits" }])
)

const dead = Command.make("dead", { ...which, before }, (given) =>
  control(
    (client) =>
      Effect.flatMap(filterOf(given), (filter) =>
        client.deliveries.list({ ...filter, state: "given_up", ...key("before", given.before) })
      ),
    ({ deliveries }, paint) => listed(paint, deliveries, "No dead letters.")
  )
).pipe(
  Command.withDescription(`List dead letters, the deliveries that were given up, newest first. ${exitCodeHelp}`),
  Command.withShortDescription("List dead letters")
)

const webhookId = Argument.Int("delivery").pipe(Argument.withDescription("The delivery's number: its webhookId"))

const tries = Command.make("tries", { webhookId }, (given) =>
  control(
    (client) => client.deliveries.tries(given.webhookId),
    ({ tries }, paint) =>
      tries.length === 0
        ? "No tries."
        : table(
            paint,
            ["AT", "TOOK", "RESPONSE", "PROBLEM"],
            tries.map(({ duration, problem, startedAt, status }) => [
              timeOf(startedAt),
              `${duration} ms`,
              status === undefined ? "none" : String(status),
              problem ?? ""
            ])
          )
  )
).pipe(
  Command.withDescription(`List the tries of one delivery, first one first. ${exitCodeHelp}`),
  Command.withShortDescription("List tries of one")
)

const replay = Command.make(
  "replay",
  {
    webhookId: Argument.Int("delivery").pipe(
      Argument.withDescription("One delivery, by its webhookId; else those that the flags choose"),
      Argument.optional
    ),
    ...which,
    all: Flag.Boolean("all").pipe(Flag.withDescription("Every dead letter"), Flag.withDefault(false)),
    delivered: Flag.Boolean("delivered").pipe(
      Flag.withDescription("Those that were delivered, in place of dead letters"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* (given) {
    const filter = yield* filterOf(given)
    const isFiltered = Object.keys(filter).length > 0
    const { webhookId } = given
    if (Option.isSome(webhookId)) {
      if (isFiltered || given.all || given.delivered)
        return yield* ambiguous("A number names one delivery, and flags came with it")
      return yield* control(
        (client) => client.deliveries.replay(webhookId.value),
        () => `Delivery ${webhookId.value} is sent again under its number.`
      )
    }
    // Everything must be meant.
    if (isFiltered === given.all) return yield* ambiguous("It is not clear which deliveries are meant")
    return yield* control(
      (client) => client.deliveries.replayAll({ ...filter, state: given.delivered ? "delivered" : "given_up" }),
      ({ replay }, paint) => replayShown(paint, replay)
    )
  })
).pipe(
  Command.withDescription(
    `Send deliveries again, each under its number, so that a receiver knows what it has. Many are a replay that goes on by itself, also after a crash. ${exitCodeHelp}`
  ),
  Command.withShortDescription("Send again"),
  Command.withExamples([
    { command: "parcela deliveries replay 42", description: "One" },
    {
      command: "parcela deliveries replay --endpoint 1 --from 2026-11-22T10:00:00Z",
      description: "Those of an outage"
    },
    { command: "parcela deliveries replay --all", description: "Every dead letter" }
  ])
)

const ambiguous = (problem: string) =>
  Effect.fail(
    new UsageError({
      problem,
      remedy: "Use a number, or --endpoint, --event, --transaction, --from and --to, or --all"
    })
  )

const replayShown = (paint: Paint, replay: typeof Controls.Replay.Type): string =>
  facts(paint, [
    ["replay", String(replay.replayId)],
    ["state", replay.state],
    ["replayed", String(replay.replayed)],
    ["see", replay.state === "done" ? undefined : `parcela deliveries replay-status ${replay.replayId}`]
  ])

const replayStatus = Command.make(
  "replay-status",
  { replayId: Argument.Int("replay").pipe(Argument.withDescription("The replay's number")) },
  (given) =>
    control(
      (client) => client.deliveries.findReplay(given.replayId),
      ({ replay }, paint) => replayShown(paint, replay)
    )
).pipe(
  Command.withDescription(`Say how far a replay has come. ${exitCodeHelp}`),
  Command.withShortDescription("How far a replay is")
)

export const deliveries = Command.make("deliveries").pipe(
  Command.withDescription("Webhook deliveries of a sandbox on this machine: tries, dead letters, replays"),
  Command.withSubcommands([list, dead, tries, replay, replayStatus])
)
