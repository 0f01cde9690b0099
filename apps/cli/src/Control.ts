/**
 * One control of a sandbox: ask, print.
 *
 * @since 0.1.0
 */
import {
  type AdministrationClient,
  make as makeAdministration
} from "@parcela/transport/administration/AdministrationClient"
import { ApiFailure } from "@parcela/transport/client/ClientError"
import { make, type SandboxClient } from "@parcela/transport/sandbox/SandboxClient"
import { Console, Effect, Ref } from "effect"
import { Argument } from "effect/cli"
import { administration, controls } from "./Connection.ts"
import { ControlNotFound } from "./Failure.ts"
import { Json } from "./GlobalFlags.ts"
import { type Paint, paint } from "./Paint.ts"

export type Client = SandboxClient["Service"]

export type Administration = AdministrationClient["Service"]

interface Made {
  readonly onResponse: (response: { readonly body: unknown }) => Effect.Effect<void>
}

/** Asks what `connect` finds, by the client that `make` makes, and prints. */
const asking = <Options extends { readonly clientId: string }, Client, E0, R0, E1, R1>(
  connect: Effect.Effect<Options, E0, R0>,
  make: (options: Omit<Options, "clientId"> & Made) => Effect.Effect<Client, E1, R1>,
  of: ControlNotFound["of"]
) =>
  Effect.fn("Control.asking")(function* <A, E, R>(
    ask: (client: Client, company: string) => Effect.Effect<A, E, R>,
    show: (response: A, paint: Paint, company: string) => string
  ) {
    const { clientId, ...options } = yield* connect
    const body = yield* Ref.make<unknown>(undefined)
    const client = yield* make({ ...options, onResponse: (response) => Ref.set(body, response.body) })
    const response = yield* Effect.mapError(ask(client, clientId), (error) =>
      isNotFound(error) ? new ControlNotFound({ failure: error, of }) : error
    )
    yield* (yield* Json)
      ? Effect.flatMap(Ref.get(body), (json) => Console.log(JSON.stringify(json, null, 2)))
      : Effect.flatMap(paint, (paint) => Console.log(show(response, paint, clientId)))
  })

/**
 * Asks the sandbox and prints: with `--json` the response as it came, else what `show` makes of it. `company` is the
 * client id of the connection.
 */
export const control = asking(controls, make, "controls")

/** The same of the administration of a service. */
export const administer = asking(administration, makeAdministration, "administration")

const isNotFound = (error: unknown): error is ApiFailure => error instanceof ApiFailure && error.status === 404

export const endpointId = Argument.Int("endpoint").pipe(
  Argument.withDescription("The endpoint's number, as parcela sandbox endpoints list shows it")
)

/** An instant as a list shows it, in UTC to the second. */
export const timeOf = (millis: number | undefined | null): string =>
  millis === undefined || millis === null ? "" : `${new Date(millis).toISOString().slice(0, 19)}Z`
