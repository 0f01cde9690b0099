/**
 * `parcela webhooks get` and `set`.
 *
 * @since 0.1.0
 */
import type { EditWebhooks } from "@parcela/core/webhooks/EditWebhooks"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import { Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { bodyFlag, bodyOf, BodyOf } from "../Body.ts"
import { idempotencyKey, key, many, split } from "../Flags.ts"
import { facts, listed } from "../Terminal.ts"
import { run } from "../Run.ts"
import { UsageError } from "../GlobalFlags.ts"

const show = Flag.Boolean("show").pipe(Flag.withDescription("Print the confirmHash as well"), Flag.withDefault(false))

const confirmHashLine = (isShown: boolean, confirmHash: Redacted.Redacted) =>
  ["confirmHash", isShown ? Redacted.value(confirmHash) : "hidden (--show prints it)"] as const

const eventsLine = (events: ReadonlyArray<string> | undefined) =>
  ["events", events === undefined ? "?" : events.length === 0 ? "none" : listed(events)] as const

const get = Command.make("get", { show }, (given) =>
  run(
    (client) => client.webhooks.get(),
    ({ confirmHash, events, url }, paint) =>
      facts(paint, [["url", url ?? "none"], eventsLine(events), confirmHashLine(given.show, confirmHash)])
  )
).pipe(
  Command.withDescription("Show the URL that events are delivered to, and the enabled events."),
  Command.withShortDescription("Show URL and events"),
  Command.withExamples([{ command: "parcela webhooks get", description: "URL and enabled events" }])
)

const set = Command.make(
  "set",
  {
    url: Argument.String("url").pipe(Argument.withDescription("URL of the receiver"), Argument.optional),
    event: many("event", `Event to switch on (${WebhookEvent.literals.join(", ")})`, "event"),
    all: Flag.Boolean("all").pipe(Flag.withDescription("Switch every event on"), Flag.withDefault(false)),
    none: Flag.Boolean("none").pipe(Flag.withDescription("Switch every event off"), Flag.withDefault(false)),
    show,
    body: bodyFlag,
    idempotencyKey
  },
  (given) =>
    run(
      (client, to) =>
        Effect.gen(function* () {
          const ways = [given.event.length > 0, given.all, given.none].filter(Boolean).length
          // The new set replaces the old one, so an empty set must be explicit.
          if (Option.isNone(given.body) && ways !== 1) {
            return yield* new UsageError({
              problem: "The events of the endpoint are not clear: they replace the whole set",
              remedy: "Use one of --event (repeatable), --all and --none"
            })
          }
          const events = ways === 0 ? {} : { events: given.all ? WebhookEvent.literals : split(given.event) }
          const body = yield* bodyOf(given.body, { ...key("url", given.url), ...events }, to)
          return yield* client.webhooks.edit(
            // The client validates the JSON before it is sent.
            body as typeof EditWebhooks.Encoded,
            key("idempotencyKey", given.idempotencyKey)
          )
        }),
      (response, paint) =>
        facts(paint, [eventsLine(response.events), confirmHashLine(given.show, response.confirmHash)])
    )
).pipe(
  Command.annotate(BodyOf, "editWebhooks"),
  Command.withDescription("Set the URL that events are delivered to, and all enabled events."),
  Command.withShortDescription("Set URL and events"),
  Command.withExamples([
    { command: "parcela webhooks set https://shop.example.com/webhooks --all", description: "Every event" },
    {
      command: "parcela webhooks set http://127.0.0.1:8030/ --event transaction.updateStatus",
      description: "One event, to a receiver on this machine"
    }
  ])
)

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Show and set the URL and the events of webhooks"),
  Command.withSubcommands([get, set])
)
