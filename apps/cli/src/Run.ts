/**
 * One operation of a command: connect, ask, print.
 *
 * @since 0.1.0
 */
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import { ApiFailure, InvalidRequest } from "@parcela/transport/client/ClientError"
import { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import { Console, Effect, Layer, Ref } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Connection, connection } from "./Connection.ts"
import { Json } from "./GlobalFlags.ts"
import { type Paint, paint } from "./Paint.ts"

/**
 * Asks the service and prints: with `--json` the response as it came, or what `join` makes of several, else what `show`
 * makes of it.
 */
export const run = Effect.fn("Run.run")(function* <A, E, R>(
  ask: (client: ParcelaClient["Service"], to: Connection) => Effect.Effect<A, E, R>,
  show: (response: A, paint: Paint) => string,
  join: (bodies: ReadonlyArray<unknown>) => unknown = (bodies) => bodies.at(-1)
) {
  const to = yield* connection
  const bodies = yield* Ref.make<ReadonlyArray<unknown>>([])
  const client = ParcelaClient.layerNoDeps({
    ...to,
    onResponse: ({ body }) => Ref.update(bodies, (all) => [...all, body])
  }).pipe(Layer.provide(SecureRandom.layerWebCrypto))
  const response = yield* Effect.flatMap(ParcelaClient, (parcela) => ask(parcela, to)).pipe(
    Effect.provide(client),
    Effect.mapError((error) => (to.naming === undefined ? error : named(error, to.naming)))
  )
  yield* (yield* Json)
    ? Effect.flatMap(Ref.get(bodies), (all) => Console.log(JSON.stringify(join(all), null, 2)))
    : Effect.flatMap(paint, (paint) => Console.log(show(response, paint)))
})

/** A failure with the service's names in its fields and its messages. */
const named = <E>(error: E, naming: NamingProfile): E | ApiFailure | InvalidRequest => {
  if (error instanceof InvalidRequest) return new InvalidRequest({ details: detailsIn(error.details, naming) })
  return error instanceof ApiFailure && error.details !== undefined
    ? new ApiFailure({ ...error, details: detailsIn(error.details, naming) })
    : error
}

const detailsIn = (details: InvalidRequest["details"], naming: NamingProfile): InvalidRequest["details"] =>
  Object.fromEntries(
    Object.entries(details).map(([field, problems]) => [
      naming.toWireName(field),
      problems.map((problem) => naming.toWireSentence(problem))
    ])
  )
