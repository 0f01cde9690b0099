/**
 * Idempotency keys in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EpochMillis } from "@parcela/core/EpochMillis"
import { IdempotencyKeys, type KeptAnswer, type KeyedRequest, type KeyState } from "@parcela/engine/IdempotencyKeys"
import { Conflict, StoreError } from "@parcela/engine/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const KeyRow = Schema.Struct({
  fingerprint: Schema.String,
  claimedUntil: Columns.integer(Schema.Int),
  subject: Schema.NullOr(Schema.String),
  answerStatus: Schema.NullOr(Columns.integer(Schema.Int)),
  answerBody: Schema.NullOr(Schema.String)
})

/** What migration 0003 left of fingerprints that were made from card data: which request it was is not known any more. */
const erased = ""

const decodeRows = Schema.decodeUnknownEffect(Schema.Tuple([KeyRow]))

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<IdempotencyKeys, never, SqlClient.SqlClient> = Layer.effect(
  IdempotencyKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("idempotency_keys"))
    const named = (companyId: CompanyId, key: string) => sql`company_id = ${companyId} AND idempotency_key = ${key}`

    const claim = Effect.fnUntraced(function* (
      { companyId, fingerprint, key }: KeyedRequest,
      now: EpochMillis,
      claimedUntil: EpochMillis
    ) {
      const claimed = yield* sql`
        INSERT INTO idempotency_keys (company_id, idempotency_key, fingerprint, claimed_until, created_at)
        VALUES (${companyId}, ${key}, ${fingerprint}, ${claimedUntil}, ${now})
        ON CONFLICT (company_id, idempotency_key) DO UPDATE SET claimed_until = excluded.claimed_until
        WHERE idempotency_keys.fingerprint = excluded.fingerprint AND idempotency_keys.claimed_until <= ${now}
          AND idempotency_keys.subject IS NULL AND idempotency_keys.answer_status IS NULL
        RETURNING claimed_until
      `
      if (claimed.length > 0) return { _tag: "Fresh" } as const
      const rows = yield* sql`
        SELECT fingerprint, claimed_until AS "claimedUntil", subject, answer_status AS "answerStatus",
          answer_body AS "answerBody"
        FROM idempotency_keys WHERE ${named(companyId, key)}
      `
      const [row] = yield* decodeRows(rows)
      if (row.fingerprint !== erased) return stateOf(row, fingerprint, now)
      yield* sql`
        UPDATE idempotency_keys SET fingerprint = ${fingerprint}
        WHERE ${named(companyId, key)} AND fingerprint = ${erased}
      `
      return stateOf({ ...row, fingerprint }, fingerprint, now)
    })

    return IdempotencyKeys.of({
      // One transaction, so that the row that stood in the way is still the one that is read.
      claim: Effect.fn("IdempotencyKeys.claim")(function* (
        request: KeyedRequest,
        now: EpochMillis,
        claimedUntil: EpochMillis
      ) {
        return yield* sql.withTransaction(claim(request, now, claimedUntil))
      }, storeErrors),

      noteWritten: Effect.fn("IdempotencyKeys.noteWritten")(function* (
        companyId: CompanyId,
        key: string,
        subject: string
      ) {
        const noted = yield* Effect.mapError(
          sql`
            UPDATE idempotency_keys SET subject = ${subject}
            WHERE ${named(companyId, key)} AND subject IS NULL RETURNING subject
          `,
          toStoreError("idempotency_keys")
        )
        // Two that hold the same key (a claim ran out under the first) must not both write: the later one is undone.
        if (noted.length === 0) {
          return yield* new StoreError({ reason: new Conflict({ constraint: "idempotency_keys.subject" }) })
        }
      }),

      answer: Effect.fn("IdempotencyKeys.answer")(function* (companyId: CompanyId, key: string, answer: KeptAnswer) {
        // The first answer went out; a repeat must get the same one.
        yield* sql`
          UPDATE idempotency_keys SET answer_status = ${answer.status}, answer_body = ${answer.body}
          WHERE ${named(companyId, key)} AND answer_status IS NULL
        `
      }, storeErrors),

      release: Effect.fn("IdempotencyKeys.release")(function* (
        companyId: CompanyId,
        key: string,
        claimedUntil: EpochMillis
      ) {
        const leased = sql`${named(companyId, key)} AND claimed_until = ${claimedUntil} AND answer_status IS NULL`
        yield* sql.withTransaction(
          Effect.andThen(
            sql`DELETE FROM idempotency_keys WHERE ${leased} AND subject IS NULL`,
            sql`UPDATE idempotency_keys SET claimed_until = 0 WHERE ${leased}`
          )
        )
      }, storeErrors)
    })
  })
)

const stateOf = (row: typeof KeyRow.Type, fingerprint: string, now: EpochMillis): KeyState => {
  if (row.fingerprint !== fingerprint) return { _tag: "OtherRequest" }
  if (row.answerStatus !== null) {
    return { _tag: "Answered", answer: { status: row.answerStatus, body: row.answerBody ?? "" } }
  }
  // Whoever wrote may still be asking the outside: only when the claim is over was the answer lost.
  if (row.claimedUntil > now || row.subject === null) return { _tag: "Running" }
  return { _tag: "Written", subject: row.subject }
}
