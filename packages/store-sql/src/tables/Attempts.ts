/**
 * The table of attempts to charge or refund a payment.
 *
 * @since 0.1.0
 */
import { type Attempt, AttemptId, AttemptKind, AttemptProvider, AttemptResult } from "@parcela/core/attempts/Attempt"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "../sql/Columns.ts"
import * as Shapes from "../sql/Shapes.ts"

const AttemptRow = Schema.Struct({
  id: AttemptId,
  companyId: Columns.integer(CompanyId),
  transactionId: Columns.integer(SvcPayId),
  kind: AttemptKind,
  cardId: Schema.NullOr(Columns.integer(SvcPayId)),
  value: Columns.integer(Cents),
  provider: AttemptProvider,
  startedAt: Columns.integer(MachineTime),
  businessAt: Columns.integer(BusinessTime),
  settledAt: Schema.NullOr(Columns.integer(MachineTime)),
  outcome: Schema.NullOr(AttemptResult.fields.outcome),
  code: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  merchantAdviceCode: Schema.NullOr(Schema.String),
  reference: Schema.NullOr(Schema.String)
})

const table = Columns.rowTable({
  table: "attempts",
  schema: AttemptRow,
  columns: {
    id: "id",
    companyId: "company_id",
    transactionId: "transaction_id",
    kind: "kind",
    cardId: "card_id",
    value: "value",
    provider: "provider",
    startedAt: "started_at",
    businessAt: "business_at",
    settledAt: "settled_at",
    outcome: "outcome",
    code: "code",
    message: "message",
    merchantAdviceCode: "merchant_advice_code",
    reference: "reference"
  }
})

/**
 * The columns of an attempt, by the names of its fields.
 *
 * @category tables
 * @since 0.1.0
 */
export const { fields } = table

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
 * Decodes a JSON array of objects with `fields`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const read = (json: unknown): Result.Result<ReadonlyArray<Attempt>, StoreError> =>
  Result.map(table.decodeJson(json), (rows) => rows.map(attemptOf))

/** The columns of the result of an attempt. */
const result: Shapes.Cells<Pick<Attempt, "result">> = {
  settled_at: ({ result }) => result?.at ?? null,
  outcome: ({ result }) => result?.outcome ?? null,
  code: ({ result }) => result?.code ?? null,
  message: ({ result }) => result?.message ?? null,
  merchant_advice_code: ({ result }) => result?.merchantAdviceCode ?? null,
  reference: ({ result }) => result?.reference ?? null
}

/**
 * New rows.
 *
 * @category columns
 * @since 0.1.0
 */
export const newAttempts = Shapes.rows<Attempt>("attempts", {
  id: ({ id }) => id,
  company_id: ({ companyId }) => companyId,
  transaction_id: ({ transactionId }) => transactionId,
  kind: ({ kind }) => kind,
  card_id: ({ cardId }) => cardId ?? null,
  value: ({ value }) => value,
  provider: ({ provider }) => provider,
  started_at: ({ startedAt }) => startedAt,
  business_at: ({ businessAt }) => businessAt,
  ...result
})

/**
 * The update that ends an attempt. An attempt ends once.
 *
 * @category columns
 * @since 0.1.0
 */
export const settledAttempt: Shapes.UpdateShape = {
  table: "attempts",
  set: Object.keys(result),
  where: ["id"],
  empty: ["settled_at"],
  versioned: false
}

/**
 * The values of {@link settledAttempt}.
 *
 * @category conversions
 * @since 0.1.0
 */
export const resultValues = Shapes.valuesOf(result)
