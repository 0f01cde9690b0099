/**
 * Attempts in SQL.
 *
 * @since 0.1.0
 */
import { type Attempt, AttemptKind, AttemptProvider, AttemptResult } from "@parcela/core/Attempt"
import { AttemptId } from "@parcela/core/AttemptId"
import { Cents } from "@parcela/core/Cents"
import { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { SvcPayId } from "@parcela/core/Identifier"
import { Attempts, type LeasedAttempt } from "@parcela/engine/Attempts"
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
    kind: AttemptKind,
    cardId: Schema.NullOr(Columns.integer(SvcPayId)),
    value: Columns.integer(Cents),
    provider: AttemptProvider,
    startedAt: Columns.integer(EpochMillis),
    claimedUntil: Columns.integer(EpochMillis),
    settledAt: Schema.NullOr(Columns.integer(EpochMillis)),
    outcome: Schema.NullOr(AttemptResult.fields.outcome),
    code: Schema.NullOr(Schema.String),
    message: Schema.NullOr(Schema.String),
    merchantAdviceCode: Schema.NullOr(Schema.String),
    reference: Schema.NullOr(Schema.String)
  })
)

const attemptOf = (row: unknown): Effect.Effect<LeasedAttempt, Schema.SchemaError> =>
  Effect.map(
    decodeRow(row),
    ({ cardId, code, merchantAdviceCode, message, outcome, reference, settledAt, ...attempt }) => ({
      ...attempt,
      ...(cardId === null ? {} : { cardId }),
      ...(settledAt === null || outcome === null
        ? {}
        : {
            result: {
              outcome,
              ...(code === null ? {} : { code }),
              ...(message === null ? {} : { message }),
              ...(merchantAdviceCode === null ? {} : { merchantAdviceCode }),
              ...(reference === null ? {} : { reference }),
              at: settledAt
            }
          })
    })
  )

const withoutLease = (leased: LeasedAttempt): Attempt => {
  const { claimedUntil: _, ...attempt } = leased
  return attempt
}

const resultColumns = (result: AttemptResult | undefined) => ({
  settled_at: result?.at ?? null,
  outcome: result?.outcome ?? null,
  code: result?.code ?? null,
  message: result?.message ?? null,
  merchant_advice_code: result?.merchantAdviceCode ?? null,
  reference: result?.reference ?? null
})

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
      `id, company_id AS "companyId", transaction_id AS "transactionId", kind, card_id AS "cardId", value, provider,
       started_at AS "startedAt", claimed_until AS "claimedUntil", settled_at AS "settledAt", outcome, code, message,
       merchant_advice_code AS "merchantAdviceCode", reference`
    )
    const attemptsOf = Effect.fnUntraced(function* (rows: ReadonlyArray<object>) {
      const found = yield* Effect.forEach(rows, attemptOf)
      return found.map(withoutLease)
    })
    return Attempts.of({
      insert: Effect.fn("Attempts.insert")(function* (attempt: LeasedAttempt) {
        const row = {
          id: attempt.id,
          company_id: attempt.companyId,
          transaction_id: attempt.transactionId,
          kind: attempt.kind,
          card_id: attempt.cardId ?? null,
          value: attempt.value,
          provider: attempt.provider,
          started_at: attempt.startedAt,
          claimed_until: attempt.claimedUntil,
          ...resultColumns(attempt.result)
        }
        yield* sql`INSERT INTO attempts ${sql.insert(row)}`
      }, storeErrors),

      find: Effect.fn("Attempts.find")(function* (id: AttemptId) {
        const [row] = yield* sql`SELECT ${columns} FROM attempts WHERE id = ${id}`
        return row === undefined ? Option.none() : Option.some(yield* attemptOf(row))
      }, storeErrors),

      settle: Effect.fn("Attempts.settle")(function* (id: AttemptId, result: AttemptResult) {
        const settled = yield* sql`
          UPDATE attempts SET ${sql.update(resultColumns(result))} WHERE id = ${id} AND settled_at IS NULL RETURNING id
        `
        return settled.length > 0
      }, storeErrors),

      ofTransaction: Effect.fn("Attempts.ofTransaction")(function* (companyId: CompanyId, transactionId: SvcPayId) {
        return yield* attemptsOf(
          yield* sql`
          SELECT ${columns} FROM attempts WHERE company_id = ${companyId} AND transaction_id = ${transactionId}
          ORDER BY started_at, id
        `
        )
      }, storeErrors),

      ofCard: Effect.fn("Attempts.ofCard")(function* (companyId: CompanyId, cardId: SvcPayId, from: EpochMillis) {
        return yield* attemptsOf(
          yield* sql`
          SELECT ${columns} FROM attempts
          WHERE company_id = ${companyId} AND card_id = ${cardId} AND started_at >= ${from} ORDER BY started_at, id
        `
        )
      }, storeErrors)
    })
  })
)
