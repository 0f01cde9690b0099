/**
 * What a command does that sends a body: that of `--body`, or what its flags say.
 *
 * @since 0.1.0
 */
import type { WriteOptions } from "@parcela/transport/client/CallOptions"
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
 * Sends the body that flags make by `fields`, and shows the response. `Body` is what the operation takes; `missing` brings
 * what the flags leave out.
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
        const said = yield* fields(to)
        const body = yield* bodyOf(given.body, said, to, missing?.(said))
        // The client decodes it before it is sent, and says what is wrong.
        return yield* send(client, body as Body, key("idempotencyKey", given.idempotencyKey))
      }),
    show
  )
