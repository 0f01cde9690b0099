/**
 * `parcela sandbox requests` and `parcela sandbox events`: what came in, and what became of a company's things.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { type Client, timeOf } from "../../Control.ts"
import { derivedControl } from "../../DerivedControl.ts"
import { follow, followFlag } from "../../Follow.ts"
import { table } from "../../Paint.ts"

/** Where a list that is followed begins: where its flags say. */
const fromGiven = <Place>(): { readonly start: Place | undefined } => ({ start: undefined })

const faultsOf = (one: {
  readonly faultyFields: ReadonlyArray<string>
  readonly unknownKeys: ReadonlyArray<string>
}) => [...one.faultyFields, ...one.unknownKeys.map((key) => `${key} (unknown)`)]

const received = derivedControl("requests", "list", ({ next, requests }, paint) =>
  requests.length === 0
    ? "No requests."
    : table(
        paint,
        ["ID", "AT", "METHOD", "PATH", "STATUS", "TOOK", "REQUEST ID", "FAULTS"],
        requests.map((one) => [
          String(one.id),
          timeOf(one.at),
          one.method,
          one.path,
          one.status === undefined ? "none" : String(one.status),
          `${Math.round(one.milliseconds)} ms`,
          one.requestId,
          faultsOf(one).join(", ")
        ]),
        { leftOut: ["REQUEST ID", "AT"], cut: ["FAULTS", "PATH"] }
      ) + `\nTo go on: --after ${next}`
)

export const requests = Command.make("requests", { ...received.input, follow: followFlag }, (given) => {
  if (!given.follow) return received.handler(given)
  const page = (client: Client, company: string, changes: { readonly after?: number; readonly limit?: number }) =>
    Effect.map(received.ask(client, company, given, changes), ({ next, requests }) => ({ items: requests, next }))
  return follow({
    key: "requests",
    ...fromGiven<number>(),
    ask: (client, company, after) => page(client, company, after === undefined ? {} : { after }),
    cells: (one) => [
      timeOf(one.at),
      one.method,
      one.path,
      one.status === undefined ? "none" : String(one.status),
      `${Math.round(one.milliseconds)} ms`,
      ...faultsOf(one)
    ],
    // Numbers begin anew with each process.
    resume: (client, company, at, last) =>
      Effect.map(page(client, company, { after: (at ?? 1) - 1, limit: 1 }), ({ items: [one] }) =>
        one?.requestId === last.requestId ? at : 0
      )
  })
}).pipe(
  Command.withDescription(
    "List the last requests of the company that the sandbox responded to, oldest first; or follow them."
  ),
  Command.withShortDescription("What came in"),
  Command.withExamples([
    { command: "parcela sandbox requests --status 400", description: "What was wrong, field by field" },
    { command: "parcela sandbox requests --after 12", description: "What came since" },
    { command: "parcela sandbox requests --follow", description: "As they come" }
  ])
)

type Happened = Effect.Success<ReturnType<Client["events"]["list"]>>["events"][number]

const eventCells = (one: Happened): ReadonlyArray<string> => [
  timeOf(one.businessAt),
  `${one.subject.kind} ${one.subject.id}`,
  one.events.map(({ _tag }) => String(_tag)).join(", "),
  one.work ?? one.actor ?? "",
  one.changed.join(", ")
]

const happened = derivedControl("events", "list", ({ events, next }, paint) =>
  events.length === 0
    ? "Nothing has happened."
    : table(paint, ["COMPANY'S TIME", "WHAT", "EVENTS", "BY", "CHANGED"], events.map(eventCells)) +
      (next === undefined ? "" : `\nTo go on: --after ${next}`)
)

export const events = Command.make("events", { ...happened.input, follow: followFlag }, (given) =>
  given.follow
    ? follow({
        key: "events",
        ...fromGiven<string>(),
        ask: (client, company, after) =>
          Effect.map(
            happened.ask(client, company, given, after === undefined ? {} : { after }),
            ({ events, next }) => ({ items: events, next: next ?? after })
          ),
        cells: eventCells
      })
    : happened.handler(given)
).pipe(
  Command.withDescription(
    "List what became of the company's things, and why: its journal, oldest first; or follow it."
  ),
  Command.withShortDescription("What happened, and why"),
  Command.withExamples([
    { command: "parcela sandbox events", description: "From the beginning" },
    { command: "parcela sandbox events --after 0-119", description: "What happened since" },
    { command: "parcela sandbox events --follow", description: "From the beginning, and as it happens" }
  ])
)
