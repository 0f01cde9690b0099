/**
 * `parcela sandbox deliveries`: delivered, pending and abandoned deliveries; delivery attempts and replays.
 *
 * @since 0.1.0
 */
import { wrapped } from "@parcela/core/language/Wrapping"
import { maxPageSize } from "@parcela/transport/sandbox/Control"
import {
  type Delivery,
  DeliveryQuery,
  type Replay,
  ReplayFilter,
  type DeliveryAttempt
} from "@parcela/transport/sandbox/DeliveryControls"
import { Effect, Option, Schema, Struct } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { contractFlags, derivedControl } from "../../DerivedControl.ts"
import { type Client, control, timeOf, follow, followFlag } from "../../Control.ts"
import { facts, type Paint, progress } from "../../Terminal.ts"
import { type Columns, table, tableOf } from "../../Table.ts"
import { transactionOf } from "../../Entities.ts"
import { UsageError } from "../../GlobalFlags.ts"

const columns: Columns<typeof Delivery.Type> = {
  headings: ["ID", "STATUS", "EVENT", "TRANSACTION", "ENDPOINT", "ATTEMPTS", "AT", "PROBLEM"],
  cells: (one) => [
    String(one.webhookId),
    one.state,
    one.event,
    transactionOf(one),
    String(one.endpointId),
    String(one.attempts),
    timeOf(one.at),
    one.state === "delivered" ? "" : (one.problem ?? "")
  ],
  narrow: { leftOut: ["ENDPOINT", "ATTEMPTS", "AT"], wraps: true }
}

interface Page {
  readonly after?: number
  readonly limit?: number
}

const listed = (
  paint: Paint,
  deliveries: ReadonlyArray<typeof Delivery.Type>,
  { after, limit = maxPageSize }: Page,
  none: string
): string => {
  if (deliveries.length === 0) return none
  const onward = after === undefined ? "before" : "after"
  const more = deliveries.length < limit ? "" : `\nThere may be more: --${onward} ${deliveries.at(-1)?.webhookId}`
  return tableOf(paint, columns, deliveries) + more
}

const listing = contractFlags(DeliveryQuery.fields)

/**
 * Lists new deliveries, oldest first. A filter by state is refused: a delivery that reaches the state after a later one
 * was listed would be missed.
 */
const following = Effect.fnUntraced(function* (given: Parameters<typeof listing.read>[0]) {
  const { after = 0, before, state, ...filter } = yield* listing.read(given)
  if (before !== undefined || state !== undefined) {
    return yield* new UsageError({
      problem: `--${state === undefined ? "before" : "state"} cannot be combined with --follow`,
      remedy: "Follow all deliveries, or list deliveries of a state"
    })
  }
  return yield* follow({
    key: "deliveries",
    start: after,
    what: after === 0 ? "all deliveries, the oldest first" : `deliveries after ${after}`,
    ask: (client, company, after) =>
      Effect.map(client.deliveries.list(company, { ...filter, after }), ({ deliveries }) => ({
        items: deliveries,
        next: deliveries.at(-1)?.webhookId ?? after
      })),
    columns
  })
})

const list = Command.make("list", { ...listing.flags, follow: followFlag }, (given) =>
  given.follow
    ? following(given)
    : Effect.flatMap(listing.read(given), (query) =>
        control(
          (client, clientId) => client.deliveries.list(clientId, query),
          ({ deliveries }, paint) => listed(paint, deliveries, query, "No deliveries.")
        )
      )
).pipe(
  Command.withDescription(
    "List deliveries, newest first, or follow them. AT is the time of the delivery, of its abandonment, or of the next attempt."
  ),
  Command.withShortDescription("List deliveries"),
  Command.withExamples([
    { command: "parcela sandbox deliveries list --state pending", description: "Pending deliveries" },
    { command: "parcela sandbox deliveries list --follow", description: "New deliveries as they are made" }
  ])
)

const listingDead = contractFlags(Struct.omit(DeliveryQuery.fields, ["state"]))

const dead = Command.make("dead", listingDead.flags, (given) =>
  Effect.flatMap(listingDead.read(given), (query) =>
    control(
      (client, clientId) => client.deliveries.list(clientId, { ...query, state: "abandoned" }),
      ({ deliveries }, paint) => listed(paint, deliveries, query, "No dead letters.")
    )
  )
).pipe(
  Command.withDescription("List dead letters (abandoned deliveries), newest first."),
  Command.withShortDescription("List dead letters"),
  Command.withExamples([{ command: "parcela sandbox deliveries dead", description: "Of all endpoints" }])
)

const shownAttempts = (paint: Paint, attempts: ReadonlyArray<typeof DeliveryAttempt.Type>): string =>
  attempts.length === 0
    ? "No attempts."
    : table(
        paint,
        ["AT", "TOOK", "RESPONSE", "PROBLEM"],
        attempts.map(({ duration, problem, startedAt, status }) => [
          timeOf(startedAt),
          `${duration} ms`,
          status === undefined ? "none" : String(status),
          problem ?? ""
        ]),
        { wraps: true }
      )

const attemptsOf = derivedControl("deliveries", "attempts", ({ attempts }, paint) => shownAttempts(paint, attempts))

const attempts = Command.make("attempts", attemptsOf.input, attemptsOf.handler).pipe(
  Command.withDescription("List the attempts of one delivery, oldest first."),
  Command.withShortDescription("List attempts"),
  Command.withExamples([
    { command: "parcela sandbox deliveries attempts 42", description: "Time, duration and response of each" }
  ])
)

const replaying = contractFlags(Struct.omit(ReplayFilter.fields, ["state"]))

const ambiguous = (problem: string) =>
  Effect.fail(
    new UsageError({
      problem,
      remedy: `Use a number, or ${Object.keys(replaying.flags).length} filters (--endpoint-id, --event ..), or --all`
    })
  )

/** Waits until a replay has ended. */
const followed = Effect.fnUntraced(function* (client: Client, clientId: string, replayId: number) {
  const say = yield* progress
  const ended = yield* client.deliveries.findReplay({ clientId, replayId }).pipe(
    Effect.tap(({ replay }) => say(`${replay.replayed} deliveries are due again`)),
    Effect.delay("250 millis"),
    Effect.repeat({ until: ({ replay }) => replay.state === "done" })
  )
  yield* say("")
  return ended
})

const replay = Command.make(
  "replay",
  {
    webhookId: Argument.Int("delivery").pipe(
      Argument.withDescription("One delivery, by its webhookId; without it, the flags select deliveries"),
      Argument.optional
    ),
    ...replaying.flags,
    all: Flag.Boolean("all").pipe(Flag.withDescription("All dead letters"), Flag.withDefault(false)),
    delivered: Flag.Boolean("delivered").pipe(
      Flag.withDescription("Delivered ones in place of dead letters"),
      Flag.withDefault(false)
    ),
    wait: Flag.Boolean("wait").pipe(Flag.withDescription("Wait until the replay has ended"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function* ({ all, delivered, wait, webhookId, ...given }) {
    const filter = yield* replaying.read(given)
    const isFiltered = Object.keys(filter).length > 0
    if (Option.isSome(webhookId)) {
      if (isFiltered || all || delivered)
        return yield* ambiguous("A number selects one delivery and cannot be combined with flags")
      return yield* control(
        (client, clientId) => client.deliveries.replay({ clientId, webhookId: webhookId.value }),
        () => `Delivery ${webhookId.value} is sent again under its number.`
      )
    }
    // A replay of all deliveries must be requested explicitly.
    if (isFiltered === all) return yield* ambiguous("No deliveries are selected, or too many flags")
    return yield* control(
      (client, clientId) =>
        Effect.gen(function* () {
          const state = delivered ? "delivered" : "abandoned"
          const { deliveries } = yield* client.deliveries.list(clientId, { ...filter, state, limit: 1 })
          const started = yield* client.deliveries.replayAll(clientId, { ...bodyOf(filter), state })
          const replayed = wait ? yield* followed(client, clientId, started.replay.replayId) : started
          return { ...replayed, isNothing: deliveries.length === 0 && replayed.replay.replayed === 0 }
        }),
      ({ isNothing, replay }, paint) =>
        isNothing ? wrapped(nothing(isFiltered, delivered), paint.columns).join("\n") : replayShown(paint, replay)
    )
  })
).pipe(
  Command.withDescription(
    "Send deliveries again under their numbers, so that a receiver recognizes duplicates. A replay of several deliveries runs in the background and survives a crash."
  ),
  Command.withShortDescription("Send deliveries again"),
  Command.withExamples([
    { command: "parcela sandbox deliveries replay 42", description: "One" },
    {
      command: "parcela sandbox deliveries replay --endpoint-id 1 --from 2026-11-22T10:00:00Z",
      description: "Deliveries of an outage"
    },
    { command: "parcela sandbox deliveries replay --all --wait", description: "All dead letters" }
  ])
)

/** Encodes the filter of a replay to its wire format. */
const bodyOf = Schema.encodeSync(Schema.Struct(Struct.omit(ReplayFilter.fields, ["state"])))

/** Returns the message for a replay without deliveries. */
const nothing = (isFiltered: boolean, delivered: boolean): string => {
  const which = isFiltered ? " that the flags choose" : ""
  return delivered
    ? `Nothing is sent again: no delivery${which} was delivered.`
    : `Nothing is sent again: there are no dead letters${which}. What was delivered is sent again with --delivered.`
}

const sentAgain = { abandoned: "dead letters", delivered: "what was delivered" }

const replayShown = (paint: Paint, replay: typeof Replay.Type): string =>
  facts(paint, [
    ["replay", String(replay.replayId)],
    ["sends again", sentAgain[replay.of]],
    ["state", replay.state],
    ["replayed", String(replay.replayed)],
    ["see", replay.state === "done" ? undefined : `parcela sandbox deliveries replay-status ${replay.replayId}`]
  ])

const replayStatus = Command.make(
  "replay-status",
  { replayId: Argument.Int("replay").pipe(Argument.withDescription("The replay's number")) },
  (given) =>
    control(
      (client, clientId) => client.deliveries.findReplay({ clientId, replayId: given.replayId }),
      ({ replay }, paint) => replayShown(paint, replay)
    )
).pipe(
  Command.withDescription("Show the progress of a replay."),
  Command.withShortDescription("Show a replay"),
  Command.withExamples([
    { command: "parcela sandbox deliveries replay-status 3", description: "A replay that was started without --wait" }
  ])
)

export const deliveries = Command.make("deliveries").pipe(
  Command.withDescription("Webhook deliveries of a company: attempts, dead letters, replays"),
  Command.withSubcommands([list, dead, attempts, replay, replayStatus])
)
