/**
 * A command that acts on one entity: `parcela charges retry order-1`.
 *
 * @since 0.1.0
 */
import type { WriteOptions } from "@parcela/transport/client/ClientOptions"
import type { WriteError } from "@parcela/transport/client/ClientError"
import type { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import type { Ref } from "@parcela/transport/client/RequestEncoder"
import type { Effect } from "effect"
import { Command } from "effect/cli"
import { key } from "./Flags.ts"
import type { Paint } from "./Paint.ts"
import { argument, ofEntity, refOf } from "./Refs.ts"
import { run } from "./Run.ts"

/** Returns the command. `entity` is the name of its argument, such as `charge`. */
export const action = <const Name extends string, A>(
  name: Name,
  entity: string,
  ask: (client: ParcelaClient["Service"], ref: Ref, options: WriteOptions) => Effect.Effect<A, WriteError>,
  show: (response: A, paint: Paint) => string
) =>
  Command.make(name, { id: argument(entity), ...ofEntity }, ({ by, id, idempotencyKey }) =>
    run((client) => ask(client, refOf(by, id), key("idempotencyKey", idempotencyKey)), show)
  )
