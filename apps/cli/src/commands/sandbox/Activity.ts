/**
 * `parcela sandbox requests`, `events` and `ledger`: received requests, changes of a company's entities, and requests to the
 * simulated providers.
 *
 * @since 0.1.0
 */
import { Effect, Option, Schema, Struct } from "effect"
import { Command, Flag } from "effect/cli"
import { type Client, timeOf, follow, followFlag, control } from "../../Control.ts"
import { derivedControl, contractFlags } from "../../DerivedControl.ts"
import { amount, isMade, transactionOf } from "../../Entities.ts"
import { type Columns, tableOf, table } from "../../Table.ts"
import { Cents, format } from "@parcela/core/money/Cents"
import { type LedgerEntry, LedgerQuery } from "@parcela/transport/sandbox/ProviderControls"
import type { Paint } from "../../Terminal.ts"

/** Returns the position of `--after`, for messages. */
const positionOf = (flags: object): string | undefined =>
  "after" in flags && Option.isOption(flags.after) && Option.isSome(flags.after)
    ? `after ${String(flags.after.value)}`
    : undefined

const faultsOf = (one: {
  readonly faultyFields: ReadonlyArray<string>
  readonly unknownKeys: ReadonlyArray<string>
}) => [...one.faultyFields, ...one.unknownKeys.map((key) => `${key} (unknown)`)]

const requestColumns: Columns<Requested> = {
  headings: ["ID", "AT", "STATUS", "TOOK", "METHOD", "PATH", "REQUEST ID", "FAULTS"],
  cells: (one) => [
    String(one.id),
    timeOf(one.at),
    one.status === undefined ? "none" : String(one.status),
    `${Math.round(one.milliseconds)} ms`,
    one.method,
    one.path,
    one.requestId,
    faultsOf(one).join(", ")
  ],
  narrow: { leftOut: ["REQUEST ID", "AT", "TOOK"], wraps: true }
}

const received = derivedControl("requests", "list", ({ next, requests }, paint) =>
  requests.length === 0
    ? "No requests."
    : tableOf(paint, requestColumns, requests) + `\nNewer requests: --after ${next}`
)

export const requests = Command.make("requests", { ...received.input, follow: followFlag }, (given) => {
  if (!given.follow) return received.handler(given)
  const page = (client: Client, company: string, changes: { readonly after?: number; readonly limit?: number }) =>
    Effect.map(received.ask(client, company, given, changes), ({ next, requests }) => ({ items: requests, next }))
  // Starts with the page that the flags select.
  const start: number | undefined = undefined
  return follow<Requested, number | undefined>({
    key: "requests",
    start,
    what: `requests ${positionOf(given.flags) ?? "from the latest on"}`,
    ask: (client, company, after) => page(client, company, after === undefined ? {} : { after }),
    columns: requestColumns,
    // After a server restart numbers begin at 1, so the last printed request is gone: start over.
    resume: (client, company, at, last) =>
      at === undefined
        ? Effect.succeed(at)
        : last === undefined
          ? Effect.map(page(client, company, { after: at, limit: 1 }), ({ next }) => (next < at ? 0 : at))
          : Effect.map(page(client, company, { after: at - 1, limit: 1 }), ({ items: [one] }) =>
              one?.requestId === last.requestId ? at : 0
            )
  })
}).pipe(
  Command.withDescription("List the latest requests of the company, newest last, or follow them."),
  Command.withShortDescription("List requests"),
  Command.withExamples([
    { command: "parcela sandbox requests --status 400", description: "Refused requests, with each field" },
    { command: "parcela sandbox requests --after 12", description: "Newer requests" },
    { command: "parcela sandbox requests --follow", description: "New requests as they arrive" }
  ])
)

type Requested = Effect.Success<ReturnType<Client["requests"]["list"]>>["requests"][number]

type Happened = Effect.Success<ReturnType<Client["events"]["list"]>>["events"][number]

/**
 * Describes an entry without an event: the state of an attempt, the creation of an entity, or else the changed fields.
 */
const changeOf = ({ changed, subject: { kind } }: Happened): string => {
  if (kind === "attempt" && changed.includes("result")) return "ended"
  if (kind === "attempt" && changed.includes("startedAt")) return "started"
  if (changed.includes("createdAt")) return "started"
  const fields = changed.filter((field) => field !== "updatedAt")
  return fields.length === 0 ? "" : `changed: ${fields.join(", ")}`
}

/** Shortens an attempt's id to its end. The start is a time, so ids of concurrent attempts differ only at the end. */
const shortened = (id: string): string => (id.length > 12 ? `…${id.slice(-8)}` : id)

/**
 * Returns the name of the entity. Only transactions always have a `myId`; other entities have it only in the entry of
 * their creation.
 */
const nameOf = ({ myId, subject: { id, kind } }: Happened): string => {
  if (myId === undefined || isMade(myId)) return shortened(id)
  return kind === "transaction" ? myId : `${myId} (${id})`
}

const eventCells = (one: Happened): ReadonlyArray<string> => [
  timeOf(one.businessAt),
  `${one.subject.kind} ${nameOf(one)}`,
  one.status ?? "",
  one.value === undefined ? "" : amount(one.value),
  one.work ?? one.actor ?? "",
  one.events.length === 0 ? changeOf(one) : one.events.map(({ _tag }) => String(_tag)).join(", ")
]

const eventColumns: Columns<Happened> = {
  headings: ["COMPANY'S TIME", "ENTITY", "STATUS", "VALUE", "BY", "EVENTS"],
  cells: eventCells,
  narrow: { leftOut: ["BY", "COMPANY'S TIME"], wraps: true }
}

/** Columns of `--follow`. The time has no offset, so that the row fits in a narrow terminal. */
const followedColumns: Columns<Happened> = {
  ...eventColumns,
  cells: (one) => [timeOf(one.businessAt).slice(0, 19).replace("T", " "), ...eventCells(one).slice(1)],
  narrow: { leftOut: ["BY", "VALUE"], wraps: true }
}

const happened = derivedControl("events", "list", ({ events, next }, paint) =>
  events.length === 0
    ? "Nothing has happened."
    : tableOf(paint, eventColumns, events) + (next === undefined ? "" : `\nNewer changes: --after ${next}`)
)

/** The position after a company's newest event. */
const end = "end"

export const events = Command.make("events", { ...happened.input, follow: followFlag }, (given) =>
  given.follow
    ? follow<Happened, string | undefined>({
        key: "events",
        start: positionOf(given.flags) === undefined ? end : undefined,
        what: `events ${positionOf(given.flags) ?? "from now on"}`,
        ask: (client, company, after) =>
          Effect.map(
            happened.ask(client, company, given, after === undefined ? {} : { after }),
            // A company without events has no end position yet, so the command polls for its first event.
            ({ events, next }) => ({ items: events, next })
          ),
        columns: followedColumns
      })
    : happened.handler(given)
).pipe(
  Command.withDescription(
    "List the changes of the company's entities with their causes, oldest first, or follow them."
  ),
  Command.withShortDescription("List changes and their causes"),
  Command.withExamples([
    { command: "parcela sandbox events", description: "All changes" },
    { command: "parcela sandbox events --after 0-119", description: "Newer changes" },
    { command: "parcela sandbox events --follow", description: "New changes as they happen" },
    { command: "parcela sandbox events --follow --after 0-119", description: "Newer changes, then new ones" }
  ])
)

type Entry = typeof LedgerEntry.Type

const isCents = Schema.is(Cents)

const { flags, read } = contractFlags(Struct.omit(LedgerQuery.fields, ["clientId"]))

/** A flag of lists that show only the connection's company by default. */
export const allCompanies = Flag.Boolean("all-companies").pipe(
  Flag.withDescription("All companies, not only that of --client-id"),
  Flag.withDefault(false)
)

const outcomeOf = ({ code, outcome }: Entry): string => [outcome, code].filter((part) => part !== null).join(" ")

/** Returns remarks on a request in addition to its outcome. */
const remarkOf = ({ fault, isRepeat }: Entry): string =>
  [...(fault === null ? [] : [`fault ${fault}`]), ...(isRepeat ? ["repeated"] : [])].join(", ")

const columns = [
  "ID",
  "COMPANY'S TIME",
  "PROVIDER",
  "REQUEST",
  "TRANSACTION",
  "VALUE",
  "OUTCOME",
  "EFFECT",
  "REFERENCE",
  "REMARK",
  "ATTEMPT",
  "RECEIVED"
]

const shown = (paint: Paint, entries: ReadonlyArray<Entry>, next: number | null, isFirstPage: boolean): string =>
  entries.length === 0
    ? isFirstPage
      ? "The providers received no request."
      : "There are no later entries."
    : table(
        paint,
        columns,
        entries.map((one) => [
          String(one.id),
          timeOf(one.at),
          one.provider,
          one.call,
          transactionOf(one),
          isCents(one.value) ? format(one.value) : "",
          outcomeOf(one),
          one.effect,
          one.reference ?? "",
          remarkOf(one),
          one.attemptId ?? "",
          timeOf(one.receivedAt)
        ]),
        { leftOut: ["RECEIVED", "ATTEMPT", "REFERENCE", "COMPANY'S TIME", "PROVIDER"] }
      ) + (next === null ? "" : `\nNext page: --after ${next}`)

export const ledger = Command.make("ledger", { ...flags, allCompanies }, ({ allCompanies, ...given }) =>
  control(
    (client, company) =>
      Effect.flatMap(read(given), (query) =>
        client.ledger.list({ ...query, ...(allCompanies ? {} : { clientId: company }) })
      ),
    ({ entries, next }, paint) => shown(paint, entries, next, Option.isNone(given.after))
  )
).pipe(
  Command.withDescription(
    "List the requests that the simulated providers received, in order: the providers' own ledger, to compare with the service. Only the effects captured and reversed move money."
  ),
  Command.withShortDescription("List requests to the providers"),
  Command.withExamples([
    { command: "parcela sandbox ledger", description: "Of one company" },
    { command: "parcela sandbox ledger --transaction-id 4 --json", description: "Of one payment, for a script" }
  ])
)
