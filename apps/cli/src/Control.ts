/**
 * Runs one sandbox control: sends the request and prints the response.
 *
 * @since 0.1.0
 */
import {
  type AdministrationClient,
  make as makeAdministration
} from "@parcela/transport/administration/AdministrationClient"
import { saoPaulo } from "@parcela/core/time/Instant"
import { ApiFailure } from "@parcela/transport/client/ClientError"
import { make, type SandboxClient } from "@parcela/transport/sandbox/SandboxClient"
import { Console, DateTime, Effect, Ref } from "effect"
import { Argument } from "effect/cli"
import { administration, controls } from "./Connection.ts"
import { ControlRefused } from "./Failure.ts"
import { Json } from "./GlobalFlags.ts"
import { type Paint, paint } from "./Paint.ts"

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
export const controlling = using(controls, make, "controls")

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
  Argument.withDescription("The endpoint's number, as parcela sandbox endpoints list shows it")
)

/** Formats an instant for lists and flags: Brazil time with its offset, to the second. */
export const timeOf = (millis: number | undefined | null): string =>
  millis === undefined || millis === null ? "" : zoned(millis).replace(/\.\d{3}/u, "")

/** Formats an instant with its milliseconds, if any, for a command that must not use an earlier instant. */
export const exactTimeOf = (millis: number): string => zoned(millis).replace(".000", "")

const zoned = (millis: number): string =>
  DateTime.formatIsoOffset(DateTime.makeZonedUnsafe(millis, { timeZone: saoPaulo }))
