/**
 * `parcela sandbox endpoints`: the webhook endpoints of a company, and their secrets.
 *
 * @since 0.1.0
 */
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import type * as Controls from "@parcela/transport/sandbox/EndpointControls"
import type * as SecretControls from "@parcela/transport/sandbox/EndpointControls"
import { Duration, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { control, endpointId, timeOf } from "../../Control.ts"
import { derivedControl } from "../../DerivedControl.ts"
import { durationOf, many, split, text } from "../../Flags.ts"
import { colourOf, facts, listed as words, type Paint } from "../../Terminal.ts"
import { table } from "../../Table.ts"
import { UsageError } from "../../GlobalFlags.ts"

type Endpoint = typeof Controls.Endpoint.Type
type Listed = typeof Controls.ListedEndpoint.Type
type Secret = typeof SecretControls.Secret.Type

/** Returns "all", "none", or the text of `some` for a selection. */
const eventsOf = <A>(events: ReadonlyArray<string>, some: (events: ReadonlyArray<string>) => A): A | string =>
  events.length === WebhookEvent.literals.length ? "all" : events.length === 0 ? "none" : some(events)

/** Minimum terminal width for the name of an event next to a URL. */
const roomy = 100

/** Returns the first event and the number of others; in a narrow terminal the number of selected events. */
const counted =
  ({ columns }: Paint) =>
  (events: ReadonlyArray<string>): string => {
    const [first = "", ...others] = events
    if (columns < roomy) return `${events.length} of ${WebhookEvent.literals.length}`
    return others.length === 0 ? first : `${first} + ${others.length}`
  }

const problemOf = (one: Listed): string => one.offReason ?? one.lastProblem ?? ""

const listed = (paint: Paint, endpoints: ReadonlyArray<Listed>): string =>
  endpoints.length === 0
    ? "There are no endpoints. parcela sandbox endpoints create adds one."
    : table(
        paint,
        ["ID", "STATUS", "WAITING", "DEAD", "EVENTS", "URL", "LAST PROBLEM"],
        endpoints.map((one) => [
          `${one.endpointId}${one.isDefault ? " (default)" : ""}`,
          one.state,
          String(one.waiting),
          String(one.dead),
          eventsOf(one.events, counted(paint)),
          one.url,
          problemOf(one)
        ]),
        { leftOut: ["EVENTS"], wraps: true }
      )

const shown = (paint: Paint, one: Endpoint): string =>
  [
    `${paint(colourOf(one.state), one.state)} ${one.url}`,
    facts(paint, [
      ["endpoint", `${one.endpointId}${one.isDefault ? " (default: parcela webhooks set edits it)" : ""}`],
      ["events", eventsOf(one.events, words)],
      ["off since", one.offAt === undefined ? undefined : timeOf(one.offAt)],
      ["because", one.offReason]
    ])
  ].join("\n")

const showFlag = Flag.Boolean("show").pipe(Flag.withDescription("Print the secrets as well"), Flag.withDefault(false))

const secretsShown = (paint: Paint, secrets: ReadonlyArray<Secret>, show: boolean): string =>
  table(
    paint,
    ["VERSION", "CREATED", "VALID UNTIL", "SECRET"],
    secrets.map(({ createdAt, notAfter, secret, version }) => [
      String(version),
      timeOf(createdAt),
      notAfter === undefined ? "in use" : timeOf(notAfter),
      secret === undefined ? "ended" : show ? Redacted.value(secret) : "hidden (--show prints it)"
    ]),
    { leftOut: ["CREATED"] }
  )

const list = Command.make("list", {}, () =>
  control(
    (client, clientId) => client.endpoints.list(clientId),
    ({ endpoints }, paint) => listed(paint, endpoints)
  )
).pipe(
  Command.withDescription("List endpoints with what waits and what was abandoned."),
  Command.withShortDescription("List endpoints"),
  Command.withExamples([{ command: "parcela sandbox endpoints list", description: "All endpoints" }])
)

const events = {
  event: many("event", `Event to switch on (${WebhookEvent.literals.join(", ")})`, "event"),
  all: Flag.Boolean("all").pipe(Flag.withDescription("Switch every event on"), Flag.withDefault(false)),
  none: Flag.Boolean("none").pipe(Flag.withDescription("Switch every event off"), Flag.withDefault(false))
}

const wanted = (given: { readonly event: ReadonlyArray<string>; readonly all: boolean; readonly none: boolean }) =>
  [given.event.length > 0, given.all, given.none].filter(Boolean).length > 1
    ? Effect.fail(
        new UsageError({
          problem: "The events of the endpoint are not clear: they replace the whole set",
          remedy: "Use one of --event (repeatable), --all and --none"
        })
      )
    : // The request's validation reports an unknown event.
      Effect.succeed((given.all ? WebhookEvent.literals : split(given.event)) as ReadonlyArray<WebhookEvent>)

const create = Command.make(
  "create",
  {
    url: Argument.String("url").pipe(Argument.withDescription("URL of the receiver")),
    ...events,
    show: showFlag
  },
  (given) =>
    control(
      (client, clientId) =>
        Effect.flatMap(wanted(given), (events) => client.endpoints.create(clientId, { url: given.url, events })),
      ({ endpoint, secrets }, paint) => `${shown(paint, endpoint)}\n${secretsShown(paint, secrets, given.show)}`
    )
).pipe(
  Command.withDescription("Add another endpoint. It receives future events, signed with its own secret."),
  Command.withShortDescription("Add an endpoint"),
  Command.withExamples([
    { command: "parcela sandbox endpoints create http://127.0.0.1:8031/ --all --show", description: "Every event" }
  ])
)

const edit = Command.make(
  "edit",
  { endpointId, url: text("url", "New URL of the receiver", "url"), ...events },
  (given) =>
    control(
      (client, clientId) =>
        Effect.flatMap(wanted(given), (events) =>
          client.endpoints.edit(
            { clientId, endpointId: given.endpointId },
            {
              ...(Option.isSome(given.url) ? { url: given.url.value } : {}),
              ...(given.all || given.none || given.event.length > 0 ? { events } : {})
            }
          )
        ),
      ({ endpoint }, paint) => shown(paint, endpoint)
    )
).pipe(
  Command.withDescription("Change URL or events. Pending deliveries go to the new URL, unless their event is off."),
  Command.withShortDescription("Change URL or events"),
  Command.withExamples([
    { command: "parcela sandbox endpoints edit 2 --url http://127.0.0.1:8032/", description: "Another URL" }
  ])
)

const switchOn = derivedControl("endpoints", "switchOn", ({ endpoint }, paint) => shown(paint, endpoint))

const on = Command.make("on", switchOn.input, switchOn.handler).pipe(
  Command.withDescription("Switch an endpoint on. Its stored deliveries are sent at once."),
  Command.withShortDescription("Switch on, and send stored deliveries"),
  Command.withExamples([{ command: "parcela sandbox endpoints on 2", description: "By its number" }])
)

const switchOff = derivedControl("endpoints", "switchOff", ({ endpoint }, paint) => shown(paint, endpoint))

const off = Command.make("off", switchOff.input, switchOff.handler).pipe(
  Command.withDescription("Switch an endpoint off. Its deliveries are stored until it is on."),
  Command.withShortDescription("Switch off, and store deliveries"),
  Command.withExamples([{ command: "parcela sandbox endpoints off 2", description: "By its number" }])
)

const remove = Command.make("delete", { endpointId }, (given) =>
  control(
    (client, clientId) => client.endpoints.remove({ clientId, endpointId: given.endpointId }),
    () => `Endpoint ${given.endpointId} is deleted.`
  )
).pipe(
  Command.withDescription("Delete an endpoint. The default endpoint can only be switched off."),
  Command.withShortDescription("Delete an endpoint"),
  Command.withExamples([{ command: "parcela sandbox endpoints delete 2", description: "By its number" }])
)

const secrets = Command.make("secrets", { endpointId, show: showFlag }, (given) =>
  control(
    (client, clientId) => client.secrets.list({ clientId, endpointId: given.endpointId }),
    ({ secrets }, paint) => secretsShown(paint, secrets, given.show)
  )
).pipe(
  Command.withDescription("List the secrets of an endpoint and their expiry, newest first."),
  Command.withShortDescription("List secrets"),
  Command.withExamples([
    { command: "parcela sandbox endpoints secrets 1 --show", description: "To configure a receiver" }
  ])
)

const rotate = Command.make(
  "rotate",
  {
    endpointId,
    overlap: text("overlap", "Validity of the old secret, such as 2h or 0s; default: 24 hours", "time"),
    end: Flag.Boolean("end").pipe(
      Flag.withDescription("Create no new secret, and end the old ones now"),
      Flag.withDefault(false)
    ),
    show: showFlag
  },
  (given) =>
    control(
      (client, clientId) =>
        Effect.gen(function* () {
          if (given.end && Option.isSome(given.overlap)) {
            return yield* new UsageError({
              problem: "--end ends an overlap, and --overlap starts one",
              remedy: "Use one of them"
            })
          }
          if (given.end) return yield* client.secrets.endOverlap({ clientId, endpointId: given.endpointId })
          const overlap = Option.isNone(given.overlap) ? undefined : yield* durationOf("--overlap", given.overlap.value)
          return yield* client.secrets.rotate(
            { clientId, endpointId: given.endpointId },
            overlap === undefined ? {} : { overlapSeconds: Duration.toSeconds(overlap) }
          )
        }),
      ({ secrets }, paint) => secretsShown(paint, secrets, given.show)
    )
).pipe(
  Command.withDescription("Create a new secret. During the overlap deliveries are signed with both secrets."),
  Command.withShortDescription("Create a new secret"),
  Command.withExamples([
    { command: "parcela sandbox endpoints rotate 1 --show", description: "The old secret stays valid for 24 hours" },
    {
      command: "parcela sandbox endpoints rotate 1 --overlap 0s --show",
      description: "After a leak: the old secret ends at once"
    },
    { command: "parcela sandbox endpoints rotate 1 --end", description: "Once every receiver has the new secret" }
  ])
)

export const endpoints = Command.make("endpoints").pipe(
  Command.withDescription("Webhook endpoints of a company, and their secrets"),
  Command.withSubcommands([list, create, edit, on, off, remove, secrets, rotate])
)
