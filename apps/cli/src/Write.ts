/**
 * Commands that send a body, from `--body` or from flags.
 *
 * @since 0.1.0
 */
import type { WriteOptions } from "@parcela/transport/client/ClientOptions"
import type { WriteError } from "@parcela/transport/client/ClientError"
import type { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import { Effect, type Option } from "effect"
import { bodyOf } from "./Body.ts"
import type { Connection } from "./Connection.ts"
import { key } from "./Flags.ts"
import type { Paint } from "./Paint.ts"
import { run } from "./Run.ts"

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
