/**
 * The table of attempts.
 *
 * @since 0.1.0
 */
import { type Attempt, AttemptKind, AttemptProvider, AttemptResult } from "@parcela/core/attempts/Attempt"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { Cents } from "@parcela/core/money/Cents"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/MachineTime"
import { SvcPayId } from "@parcela/core/values/Identifier"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import type * as EntityTable from "../internal/EntityTable.ts"
import { toStoreError } from "../internal/StoreErrors.ts"

const AttemptRow = Schema.Struct({
  id: AttemptId,
  companyId: Columns.integer(CompanyId),
  transactionId: Columns.integer(SvcPayId),
  kind: AttemptKind,
  cardId: Schema.NullOr(Columns.integer(SvcPayId)),
  value: Columns.integer(Cents),
  provider: AttemptProvider,
  startedAt: Columns.integer(MachineTime),
  settledAt: Schema.NullOr(Columns.integer(MachineTime)),
  outcome: Schema.NullOr(AttemptResult.fields.outcome),
  code: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  merchantAdviceCode: Schema.NullOr(Schema.String),
  reference: Schema.NullOr(Schema.String)
})

/**
 * The columns of an attempt by the names that it is read under.
 *
 * @category tables
 * @since 0.1.0
 */
export const fields = (alias: string): Readonly<Record<keyof typeof AttemptRow.Type, string>> => ({
  id: `${alias}.id`,
  companyId: `${alias}.company_id`,
  transactionId: `${alias}.transaction_id`,
  kind: `${alias}.kind`,
  cardId: `${alias}.card_id`,
  value: `${alias}.value`,
  provider: `${alias}.provider`,
  startedAt: `${alias}.started_at`,
  settledAt: `${alias}.settled_at`,
  outcome: `${alias}.outcome`,
  code: `${alias}.code`,
  message: `${alias}.message`,
  merchantAdviceCode: `${alias}.merchant_advice_code`,
  reference: `${alias}.reference`
})

const decodeRows = Schema.decodeUnknownResult(Schema.Array(AttemptRow))
const decodeJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Array(AttemptRow)))

const attemptOf = (row: typeof AttemptRow.Type): Attempt => {
  const { cardId, code, merchantAdviceCode, message, outcome, reference, settledAt, ...attempt } = row
  return {
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
  }
}

/**
 * Attempts from a JSON array of objects with `fields`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const read = (json: unknown): Result.Result<ReadonlyArray<Attempt>, StoreError> =>
  Result.map(Result.mapError(decodeJson(json), toStoreError("attempts")), (rows) => rows.map(attemptOf))

/**
 * Attempts from rows with `fields`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const attemptsOf = (rows: ReadonlyArray<unknown>): Result.Result<ReadonlyArray<Attempt>, StoreError> =>
  Result.map(Result.mapError(decodeRows(rows), toStoreError("attempts")), (read) => read.map(attemptOf))

/**
 * What became of an attempt, in columns.
 *
 * @category conversions
 * @since 0.1.0
 */
export const resultColumns = ({ result }: Pick<Attempt, "result">): EntityTable.Columns => ({
  settled_at: result?.at ?? null,
  outcome: result?.outcome ?? null,
  code: result?.code ?? null,
  message: result?.message ?? null,
  merchant_advice_code: result?.merchantAdviceCode ?? null,
  reference: result?.reference ?? null
})

/**
 * @category conversions
 * @since 0.1.0
 */
export const attemptRow = (attempt: Attempt): EntityTable.Columns => ({
  id: attempt.id,
  company_id: attempt.companyId,
  transaction_id: attempt.transactionId,
  kind: attempt.kind,
  card_id: attempt.cardId ?? null,
  value: attempt.value,
  provider: attempt.provider,
  started_at: attempt.startedAt,
  ...resultColumns(attempt)
})
