/**
 * Loads the PostgreSQL client on demand: a program on SQLite starts faster without the driver and TLS.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as PostgresClient from "./PostgresClient.ts"

/**
 * `PostgresClient.layer`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (config: PostgresClient.PostgresClientConfig): ReturnType<typeof PostgresClient.layer> =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./PostgresClient.ts")),
      (client) => client.layer(config)
    )
  )
