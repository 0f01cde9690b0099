/**
 * One control of a sandbox: ask, print.
 *
 * @since 0.1.0
 */
import {
  type AdministrationClient,
  make as makeAdministration
} from "@parcela/transport/administration/AdministrationClient"
import { saoPaulo } from "@parcela/core/time/WallClock"
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
  /** The last response as it came. */
  readonly body: Effect.Effect<unknown>
}

/** Uses the client that `make` makes of what `connect` finds; a 401 and a 404 are reported as of these operations. */
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

/** Asks, and prints. */
const asking =
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

/** Uses the controls of the sandbox. */
export const controlling = using(controls, make, "controls")

const administering = using(administration, makeAdministration, "administration")

/**
 * Asks the sandbox and prints: with `--json` the response as it came, else what `show` makes of it. `company` is the
 * client id of the connection.
 */
export const control = Effect.fn("Control.control")(function* <A, E, R>(
  ask: (client: Client, company: string) => Effect.Effect<A, E, R>,
  show: (response: A, paint: Paint, company: string) => string
) {
  yield* controlling(asking(ask, show))
})

/** The same of the administration of a service. */
export const administer = Effect.fn("Control.administer")(function* <A, E, R>(
  ask: (client: Administration, company: string) => Effect.Effect<A, E, R>,
  show: (response: A, paint: Paint, company: string) => string
) {
  yield* administering(asking(ask, show))
})

const isTheirs = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && (error.status === 401 || error.status === 404)

export const endpointId = Argument.Int("endpoint").pipe(
  Argument.withDescription("The endpoint's number, as parcela sandbox endpoints list shows it")
)

/** An instant as a list shows it and as flags take it: in Brazil time with its offset, to the second. */
export const timeOf = (millis: number | undefined | null): string =>
  millis === undefined || millis === null ? "" : zoned(millis).replace(/\.\d{3}/u, "")

/** The same instant for a command that is to mean no earlier one: with its milliseconds, where it has any. */
export const exactTimeOf = (millis: number): string => zoned(millis).replace(".000", "")

const zoned = (millis: number): string =>
  DateTime.formatIsoOffset(DateTime.makeZonedUnsafe(millis, { timeZone: saoPaulo }))
