/**
 * Runs one operation of a command: connects, sends the request and prints the response. With the commands that act on one
 * entity and that send a body.
 *
 * @since 0.1.0
 */
import { inNames, UnknownOutcome, type WriteError } from "@parcela/transport/client/ClientError"
import { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import { Console, Effect, Layer, Ref, type Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient } from "effect/http"
import { type Connection, connection } from "./Connection.ts"
import { report } from "./Failure.ts"
import { Json } from "./GlobalFlags.ts"
import { type Paint, paint } from "./Terminal.ts"
import type { WriteOptions } from "@parcela/transport/client/ClientOptions"
import type { Ref as EntityRef } from "@parcela/transport/client/RequestEncoder"
import { Command } from "effect/cli"
import { key, argument, ofEntity, refOf } from "./Flags.ts"
import { bodyOf } from "./Body.ts"

/**
 * Sends requests to the service and prints the response: with `--json` the raw JSON, or the result of `join` for
 * several responses, or else the text of `show`.
 */
export const run = Effect.fn("Run.run")(function* <A, E, R>(
  ask: (client: ParcelaClient["Service"], to: Connection) => Effect.Effect<A, E, R>,
  show: (response: A, paint: Paint) => string,
  join: (bodies: ReadonlyArray<unknown>) => unknown = (bodies) => bodies.at(-1)
) {
  const to = yield* connection
  const asJson = yield* Json
  const bodies = yield* Ref.make<ReadonlyArray<unknown>>([])
  const http = yield* HttpClient.HttpClient
  const open = yield* Ref.make<string | undefined>(undefined)
  const client = ParcelaClient.layerNoDeps({
    ...to,
    onResponse: ({ body, status }) =>
      Effect.andThen(
        Ref.update(bodies, (all) => [...all, body]),
        Ref.update(open, (key) => (status < 500 ? undefined : key))
      )
  }).pipe(
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, noting(http, open)))
  )
  const response = yield* Effect.flatMap(ParcelaClient, (parcela) => ask(parcela, to)).pipe(
    Effect.provide(client),
    Effect.mapError((error) =>
      to.naming === undefined ? error : inNames(error, to.naming.toWireName, to.naming.toWireSentence)
    ),
    Effect.onInterrupt(() => Effect.flatMap(Ref.get(open), (key) => reportOpen(key, asJson)))
  )
  yield* asJson
    ? Effect.flatMap(Ref.get(bodies), (all) => Console.log(JSON.stringify(join(all), null, 2)))
    : Effect.flatMap(paint, (paint) => Console.log(show(response, paint)))
})

/** Stores the idempotency key of the pending write. */
const noting = (http: HttpClient.HttpClient, open: Ref.Ref<string | undefined>): HttpClient.HttpClient =>
  HttpClient.tapRequest(http, ({ headers }) => {
    const key = headers["idempotency-key"]
    return key === undefined ? Effect.void : Ref.set(open, key)
  })

/** Reports the key of a pending write after Ctrl+C, because the write may have happened. */
const reportOpen = (idempotencyKey: string | undefined, asJson: boolean) =>
  idempotencyKey === undefined
    ? Effect.void
    : report(
        new UnknownOutcome({
          operation: "the write",
          idempotencyKey,
          attempts: 1,
          reason: "it was interrupted before there was a response"
        }),
        asJson
      )

/** Returns the command. `entity` is the name of its argument, such as `charge`. */
export const action = <const Name extends string, A>(
  name: Name,
  entity: string,
  ask: (client: ParcelaClient["Service"], ref: EntityRef, options: WriteOptions) => Effect.Effect<A, WriteError>,
  show: (response: A, paint: Paint) => string
) =>
  Command.make(name, { id: argument(entity), ...ofEntity }, ({ by, id, idempotencyKey }) =>
    run((client) => ask(client, refOf(by, id), key("idempotencyKey", idempotencyKey)), show)
  )

interface Given {
  readonly body: Option.Option<string>
  readonly idempotencyKey: Option.Option<string>
}

/**
 * Sends the body of `--body`, or of `fields` from flags, and shows the response. `Body` is the operation's type;
 * `missing` returns defaults.
 */
export const write = <Body, A, E, R, E2 = never, R2 = never>(
  given: Given,
  fields: (to: Connection) => Effect.Effect<object, E, R>,
  send: (client: ParcelaClient["Service"], body: Body, options: WriteOptions) => Effect.Effect<A, WriteError>,
  show: (response: A, paint: Paint) => string,
  missing?: (fields: object) => Effect.Effect<object, E2, R2>
) =>
  run(
    (client, to) =>
      Effect.gen(function* () {
        const flagFields = yield* fields(to)
        const body = yield* bodyOf(given.body, flagFields, to, missing?.(flagFields))
        // The client validates the body before it is sent.
        return yield* send(client, body as Body, key("idempotencyKey", given.idempotencyKey))
      }),
    show
  )
