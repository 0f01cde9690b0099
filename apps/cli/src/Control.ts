/**
 * One control of a sandbox: ask, print.
 *
 * @since 0.1.0
 */
import { ApiFailure } from "@parcela/transport/client/ClientError"
import { make, type SandboxClient } from "@parcela/transport/sandbox/SandboxClient"
import { Console, Effect, Ref } from "effect"
import { Argument } from "effect/cli"
import { controls } from "./Connection.ts"
import { ControlNotFound } from "./Failure.ts"
import { Json } from "./GlobalFlags.ts"
import { type Paint, paint } from "./Paint.ts"

export type Client = SandboxClient["Service"]

/**
 * Asks the sandbox and prints: with `--json` the response as it came, else what `show` makes of it. `company` is the
 * client id of the connection.
 */
export const control = Effect.fn("Control.control")(function* <A, E, R>(
  ask: (client: Client, company: string) => Effect.Effect<A, E, R>,
  show: (response: A, paint: Paint, company: string) => string
) {
  const { clientId, ...options } = yield* controls
  const body = yield* Ref.make<unknown>(undefined)
  const client = yield* make({ ...options, onResponse: (response) => Ref.set(body, response.body) })
  const response = yield* Effect.mapError(ask(client, clientId), (error) =>
    isNotFound(error) ? new ControlNotFound({ failure: error }) : error
  )
  yield* (yield* Json)
    ? Effect.flatMap(Ref.get(body), (json) => Console.log(JSON.stringify(json, null, 2)))
    : Effect.flatMap(paint, (paint) => Console.log(show(response, paint, clientId)))
})

const isNotFound = (error: unknown): error is ApiFailure => error instanceof ApiFailure && error.status === 404

export const endpointId = Argument.Int("endpoint").pipe(
  Argument.withDescription("The endpoint's number, as parcela sandbox endpoints list shows it")
)

/** An instant as a list shows it, in UTC to the second. */
export const timeOf = (millis: number | undefined | null): string =>
  millis === undefined || millis === null ? "" : `${new Date(millis).toISOString().slice(0, 19)}Z`
