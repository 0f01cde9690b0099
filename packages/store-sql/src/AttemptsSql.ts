/**
 * Attempts in SQL.
 *
 * @since 0.1.0
 */
import type { Attempt, AttemptResult } from "@parcela/core/attempts/Attempt"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EpochMillis } from "@parcela/core/time/EpochMillis"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import { Attempts } from "@parcela/engine/ports/Attempts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { toStoreError } from "./internal/StoreErrors.ts"
import { attemptRow, attemptsOf, fields, resultColumns } from "./tables/Attempts.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Attempts, never, SqlClient.SqlClient> = Layer.effect(
  Attempts,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("attempts"))
    const columns = sql.literal(
      Object.entries(fields("attempts"))
        .map(([name, column]) => `${column} AS "${name}"`)
        .join(", ")
    )
    return Attempts.of({
      insert: Effect.fn("Attempts.insert")(function* (attempt: Attempt) {
        yield* sql`INSERT INTO attempts ${sql.insert(attemptRow(attempt))}`
      }, storeErrors),

      find: Effect.fn("Attempts.find")(function* (id: AttemptId) {
        const rows = yield* sql`SELECT ${columns} FROM attempts WHERE id = ${id}`
        const [found] = yield* Effect.fromResult(attemptsOf(rows))
        return Option.fromUndefinedOr(found)
      }, storeErrors),

      settle: Effect.fn("Attempts.settle")(function* (id: AttemptId, result: AttemptResult) {
        const settled = yield* sql`
          UPDATE attempts SET ${sql.update(resultColumns({ result }))} WHERE id = ${id} AND settled_at IS NULL
          RETURNING id
        `
        return settled.length > 0
      }, storeErrors),

      ofTransaction: Effect.fn("Attempts.ofTransaction")(function* (companyId: CompanyId, transactionId: SvcPayId) {
        const rows = yield* sql`
          SELECT ${columns} FROM attempts WHERE company_id = ${companyId} AND transaction_id = ${transactionId}
          ORDER BY started_at, id
        `
        return yield* Effect.fromResult(attemptsOf(rows))
      }, storeErrors),

      ofCard: Effect.fn("Attempts.ofCard")(function* (companyId: CompanyId, cardId: SvcPayId, from: EpochMillis) {
        const rows = yield* sql`
          SELECT ${columns} FROM attempts
          WHERE company_id = ${companyId} AND card_id = ${cardId} AND started_at >= ${from} ORDER BY started_at, id
        `
        return yield* Effect.fromResult(attemptsOf(rows))
      }, storeErrors)
    })
  })
)
