/**
 * Attempts in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { SvcPayId } from "@parcela/core/Identifier"
import { AttemptId } from "@parcela/core/TransactionState"
import { type Attempt, Attempts } from "@parcela/engine/Attempts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const decodeRow = Schema.decodeUnknownEffect(
  Schema.Struct({
    id: AttemptId,
    companyId: Columns.integer(CompanyId),
    transactionId: Columns.integer(SvcPayId),
    startedAt: Columns.integer(EpochMillis),
    claimedUntil: Columns.integer(EpochMillis),
    settledAt: Schema.NullOr(Columns.integer(EpochMillis))
  })
)

const attemptOf = (row: unknown): Effect.Effect<Attempt, Schema.SchemaError> =>
  Effect.map(decodeRow(row), ({ settledAt, ...attempt }) => (settledAt === null ? attempt : { ...attempt, settledAt }))

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
      `id, company_id AS "companyId", transaction_id AS "transactionId", started_at AS "startedAt",
       claimed_until AS "claimedUntil", settled_at AS "settledAt"`
    )
    return Attempts.of({
      insert: Effect.fn("Attempts.insert")(function* (attempt: Attempt) {
        const row = {
          id: attempt.id,
          company_id: attempt.companyId,
          transaction_id: attempt.transactionId,
          started_at: attempt.startedAt,
          claimed_until: attempt.claimedUntil,
          settled_at: attempt.settledAt ?? null
        }
        yield* sql`INSERT INTO attempts ${sql.insert(row)}`
      }, storeErrors),

      find: Effect.fn("Attempts.find")(function* (id: AttemptId) {
        const [row] = yield* sql`SELECT ${columns} FROM attempts WHERE id = ${id}`
        return row === undefined ? Option.none() : Option.some(yield* attemptOf(row))
      }, storeErrors),

      settle: Effect.fn("Attempts.settle")(function* (id: AttemptId, now: EpochMillis) {
        const settled = yield* sql`
          UPDATE attempts SET settled_at = ${now} WHERE id = ${id} AND settled_at IS NULL RETURNING id
        `
        return settled.length > 0
      }, storeErrors)
    })
  })
)
