/**
 * Runs one control of a sandbox or one operation of an administration and prints the response, and follows the lists of a
 * sandbox until the user interrupts the command.
 *
 * @since 0.1.0
 */
import {
  type AdministrationClient,
  make as makeAdministration
} from "@parcela/transport/administration/AdministrationClient"
import { saoPaulo } from "@parcela/core/time/Instant"
import { ApiFailure, type WriteWithoutKeyError } from "@parcela/transport/client/ClientError"
import { make, type SandboxClient } from "@parcela/transport/sandbox/SandboxClient"
import { Console, DateTime, Effect, Ref, Schedule } from "effect"
import { Argument, Flag } from "effect/cli"
import { administration, controls } from "./Connection.ts"
import { ControlRefused } from "./Failure.ts"
import { Json } from "./GlobalFlags.ts"
import { type Paint, paint } from "./Terminal.ts"
import { type Columns, laidOut, neededOf } from "./Table.ts"

export type Client = SandboxClient["Service"]

export type Administration = AdministrationClient["Service"]

interface Made {
  readonly retries: number | undefined
  readonly onResponse: (response: { readonly body: unknown }) => Effect.Effect<void>
}

export interface Using<Client> {
  readonly client: Client
  /** The client id of the connection. */
  readonly company: string
  /** The raw JSON of the last response. */
  readonly body: Effect.Effect<unknown>
}

/**
 * Runs with a client that `make` creates from the options of `connect`. A 401 or 404 is reported as an error of these
 * operations.
 */
const using =
  <Options extends { readonly clientId: string }, Client, E0, R0, E1, R1>(
    connect: Effect.Effect<Options, E0, R0>,
    make: (options: Omit<Options, "clientId"> & Made) => Effect.Effect<Client, E1, R1>,
    of: ControlRefused["of"]
  ) =>
  <A, E, R>(
    use: (used: Using<Client>) => Effect.Effect<A, E, R>,
    retries?: number
  ): Effect.Effect<A, E | E0 | E1 | ControlRefused, R | R0 | R1> =>
    Effect.gen(function* () {
      const { clientId, ...options } = yield* connect
      const body = yield* Ref.make<unknown>(undefined)
      const client = yield* make({ ...options, retries, onResponse: (response) => Ref.set(body, response.body) })
      return yield* Effect.mapError(use({ client, company: clientId, body: Ref.get(body) }), (error) =>
        isTheirs(error) ? new ControlRefused({ failure: error, of }) : error
      )
    })

/** Sends the request and prints the response. */
const requesting =
  <Client, A, E, R>(
    ask: (client: Client, company: string) => Effect.Effect<A, E, R>,
    show: (response: A, paint: Paint, company: string) => string
  ) =>
  ({
    body,
    client,
    company
  }: Using<Client>): Effect.Effect<void, E, R | Effect.Services<typeof Json> | Effect.Services<typeof paint>> =>
    Effect.gen(function* () {
      const response = yield* ask(client, company)
      yield* (yield* Json)
        ? Effect.flatMap(body, (json) => Console.log(JSON.stringify(json, null, 2)))
        : Effect.flatMap(paint, (paint) => Console.log(show(response, paint, company)))
    })

/** Runs with a client of the sandbox's controls. */
const controlling = using(controls, make, "controls")

const administering = using(administration, makeAdministration, "administration")

/**
 * Sends a request to the sandbox and prints the response: with `--json` the raw JSON, or else the text of `show`.
 * `company` is the client id of the connection.
 */
export const control = Effect.fn("Control.control")(function* <A, E, R>(
  ask: (client: Client, company: string) => Effect.Effect<A, E, R>,
  show: (response: A, paint: Paint, company: string) => string
) {
  yield* controlling(requesting(ask, show))
})

/** Sends a request to the administration of a service and prints the response, like `control`. */
export const administer = Effect.fn("Control.administer")(function* <A, E, R>(
  ask: (client: Administration, company: string) => Effect.Effect<A, E, R>,
  show: (response: A, paint: Paint, company: string) => string
) {
  yield* administering(requesting(ask, show))
})

const isTheirs = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && (error.status === 401 || error.status === 404)

export const endpointId = Argument.Int("endpoint").pipe(
  Argument.withDescription("Number of the endpoint, from parcela sandbox endpoints list")
)

/** Formats an instant for lists and flags: Brazil time with its offset, to the second. */
export const timeOf = (millis: number | undefined | null): string =>
  millis === undefined || millis === null ? "" : zoned(millis).replace(/\.\d{3}/u, "")

/** Formats an instant with its milliseconds, if any, for a command that must not use an earlier instant. */
export const exactTimeOf = (millis: number): string => zoned(millis).replace(".000", "")

const zoned = (millis: number): string =>
  DateTime.formatIsoOffset(DateTime.makeZonedUnsafe(millis, { timeZone: saoPaulo }))

export const followFlag = Flag.Boolean("follow").pipe(
  Flag.withDescription(
    "Print new items as lines (with --json as JSON) until Ctrl+C, also across restarts of the sandbox"
  ),
  Flag.withDefault(false)
)

type Requested<A> = Effect.Effect<A, WriteWithoutKeyError>

export interface Followed<Item, Position> {
  /** The key of the items in a page. */
  readonly key: string
  readonly start: Position
  /** The subject of the message, such as `events from now on`. */
  readonly what: string
  /** Returns the page after a position, and the position of its end. */
  readonly ask: (
    client: Client,
    company: string,
    after: Position
  ) => Requested<{ readonly items: ReadonlyArray<Item>; readonly next: Position }>
  readonly columns: Columns<Item>
  /**
   * Returns the position at which to continue after the sandbox was unreachable, because a new process may count from
   * the start. The same position by default. `last` is the last printed item.
   */
  readonly resume?: (client: Client, company: string, at: Position, last: Item | undefined) => Requested<Position>
}

/** Pause between two polls, and between two attempts to reach the sandbox. */
const pause = "500 millis"

/** Returns true if the sandbox is restarting or overloaded. Other refusals end the command. */
const isAway = (error: WriteWithoutKeyError): boolean =>
  error._tag === "Unreachable" || (error._tag === "ApiFailure" && error.status === 503)

/** Follows a list without end. An unreachable sandbox at the start is a failure. */
export const follow = <Item, Position>({ ask, columns, key, resume, start, what }: Followed<Item, Position>) =>
  controlling(
    ({ body, client, company }) =>
      Effect.gen(function* () {
        const asJson = yield* Json
        const painted = yield* paint
        let after = start
        let last: Item | undefined
        /** The column widths of the printed rows, and the headings above them. */
        let needed: ReadonlyArray<number> = []
        let head = ""
        let state: "starting" | "there" | "away" = "starting"

        const print = Effect.fnUntraced(function* (items: ReadonlyArray<Item>) {
          // Prints the raw items, because decoded items have other time formats.
          if (asJson) {
            for (const item of Object(yield* body)[key]) yield* Console.log(JSON.stringify(item))
            return
          }
          if (items.length === 0) return
          needed = neededOf(columns, items, needed)
          const { cells, headings, narrow } = columns
          const laid = laidOut(painted, headings, items.map(cells), { ...narrow, least: needed })
          // Prints the headings once, and again if later rows need other widths.
          const isHeaded = laid.head.join("\n") === head
          head = laid.head.join("\n")
          yield* Console.log([...(isHeaded ? [] : [...laid.note, ...laid.head]), ...laid.rows].join("\n"))
        })

        const look = Effect.gen(function* () {
          if (state === "away" && resume !== undefined) {
            after = yield* resume(client, company, after, last)
          }
          const { items, next } = yield* ask(client, company, after)
          if (state === "away") yield* Console.error("The sandbox responds again.")
          if (state === "starting" && !asJson) yield* Console.error(`Following ${what}; Ctrl+C ends it.`)
          state = "there"
          yield* print(items)
          const isFurther = next !== after
          after = next
          last = items.at(-1) ?? last
          return isFurther && items.length > 0
        })

        const patient = Effect.catch(look, (error) => {
          if (state === "starting" || !isAway(error)) return Effect.fail(error)
          const isNews = state === "there"
          state = "away"
          return Effect.as(
            isNews ? Console.error("The sandbox does not respond: waiting for it ..") : Effect.void,
            false
          )
        })

        // Existing pages are read without pauses.
        return yield* Effect.repeat(Effect.repeat(patient, { while: (hasMore) => hasMore }), Schedule.spaced(pause))
      }),
    0
  )
