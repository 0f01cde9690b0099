/**
 * What becomes of leases at a start, at an end, and when the clock was set back, in SQL.
 *
 * @since 0.1.0
 */
import type { EpochMillis } from "@parcela/core/EpochMillis"
import { Leases } from "@parcela/engine/ports/Leases"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { toStoreError } from "./internal/StoreErrors.ts"

/**
 * On SQLite one process has the file (a lock holds a second one off), so at its start no lease can be alive. On
 * PostgreSQL leases of other processes may be, and every lease runs out by itself.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Leases, never, SqlClient.SqlClient> = Layer.effect(
  Leases,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("due_work"))
    const isShared = sql.onDialectOrElse({ pg: () => true, orElse: () => false })

    const releaseAll = Effect.fnUntraced(function* (now: EpochMillis) {
      yield* sql`
        UPDATE due_work SET due_at = ${now}, waits_since = ${now}, lease_owner = NULL, lease = NULL
        WHERE parked_at IS NULL AND (lease_owner IS NOT NULL OR tries > 0)
      `
      yield* sql`
        UPDATE deliveries SET due_at = ${now}, waits_since = ${now}, lease_owner = NULL, lease = NULL
        WHERE state = 'pending' AND lease_owner IS NOT NULL
      `
      yield* sql`
        UPDATE idempotency_keys SET claimed_until = ${now} WHERE answer_status IS NULL AND claimed_until > ${now}
      `
    })

    const shorten = Effect.fnUntraced(function* (now: EpochMillis) {
      yield* sql`
        UPDATE due_work SET due_at = ${now} + (due_at - waits_since), waits_since = ${now} WHERE waits_since > ${now}
      `
      yield* sql`
        UPDATE deliveries SET due_at = ${now} + (due_at - waits_since), waits_since = ${now}
        WHERE state = 'pending' AND waits_since > ${now}
      `
      yield* sql`
        UPDATE webhook_endpoints SET next_at = ${now} + (next_at - waits_since), waits_since = ${now}
        WHERE waits_since > ${now}
      `
    })

    return Leases.of({
      recover: Effect.fn("Leases.recover")(function* (now: EpochMillis) {
        yield* sql.withTransaction(isShared ? shorten(now) : Effect.andThen(releaseAll(now), shorten(now)))
      }, storeErrors),

      releaseOwned: Effect.fn("Leases.releaseOwned")(function* (owner: string, now: EpochMillis) {
        yield* sql`
          UPDATE due_work SET due_at = ${now}, waits_since = ${now}, lease_owner = NULL, lease = NULL
          WHERE lease_owner = ${owner}
        `
        yield* sql`
          UPDATE deliveries SET due_at = ${now}, waits_since = ${now}, lease_owner = NULL, lease = NULL
          WHERE state = 'pending' AND lease_owner = ${owner}
        `
      }, storeErrors),

      shortenWaits: Effect.fn("Leases.shortenWaits")(function* (now: EpochMillis) {
        yield* sql.withTransaction(shorten(now))
      }, storeErrors)
    })
  })
)
