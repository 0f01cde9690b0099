/**
 * What tells a database from every other one, and how far it has come: a store beside it is compared with that at a start.
 *
 * @since 0.1.0
 */
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Columns from "./sql/Columns.ts"
import { blockSize, sequenceOf } from "./SequencesSql.ts"
import { forUpdate } from "./sql/Dialect.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import * as Option from "effect/Option"

const storeErrors = Effect.mapError(toStoreError("database_identity"))

const integer = Columns.integer(Schema.Int)

const decodeIdentity = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ identity: Schema.String, isShared: integer })])
)

const decodeReached = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ companyId: integer })]))

const decodeValues = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ value: integer })))

const decodeRestores = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ companyId: integer, restores: integer }))
)

/**
 * The identity of the database, which it gets here the first time: 32 hexadecimal digits, the same in every copy of it.
 * `isShared`: whether a store beside it has recorded that.
 *
 * @category queries
 * @since 0.1.0
 */
export const ensure: Effect.Effect<
  { readonly identity: string; readonly isShared: boolean },
  StoreError,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = sql`SELECT identity, is_shared AS "isShared" FROM database_identity WHERE id = 1`
  const known = yield* found
  if (known.length === 0) yield* make(sql)
  const [{ identity, isShared }] = yield* decodeIdentity(known.length === 0 ? yield* found : known)
  return { identity, isShared: isShared === 1 }
}).pipe(storeErrors)

/**
 * Notes that a store beside the database has recorded its identity.
 *
 * @category commands
 * @since 0.1.0
 */
export const share: Effect.Effect<void, StoreError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE database_identity SET is_shared = 1 WHERE id = 1`
}).pipe(storeErrors)

/**
 * The highest number of a company, and the highest number of a transaction that was given out: 0 where none was.
 *
 * @category queries
 * @since 0.1.0
 */
export const reached: Effect.Effect<
  { readonly companyId: number; readonly transactionId: number },
  StoreError,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ companyId }] = yield* decodeReached(yield* sql`SELECT coalesce(max(id), 0) AS "companyId" FROM companies`)
  const [last] = yield* decodeValues(yield* lastBlock(sql))
  return { companyId, transactionId: last?.value ?? 0 }
}).pipe(storeErrors)

/**
 * Whether the database has an attempt, which it keeps for good; undefined where its company has been restored, which takes
 * attempts away.
 *
 * @category queries
 * @since 0.1.0
 */
export const hasAttempt = Effect.fn("DatabaseIdentity.hasAttempt")(function* (companyId: number, attemptId: string) {
  const sql = yield* SqlClient.SqlClient
  const restored = yield* sql`
    SELECT 1 FROM companies WHERE id = ${companyId} AND restores > 0
    UNION ALL SELECT 1 FROM company_restores WHERE company_id = ${companyId}
  `
  if (restored.length > 0) return undefined
  const found = yield* sql`SELECT 1 FROM attempts WHERE id = ${attemptId}`
  return found.length > 0
}, storeErrors)

/**
 * How often companies have been restored, of those that have been.
 *
 * @category queries
 * @since 0.1.0
 */
export const restores: Effect.Effect<ReadonlyMap<number, number>, StoreError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* decodeRestores(yield* sql`SELECT id AS "companyId", restores FROM companies WHERE restores > 0`)
    return new Map(rows.map(({ companyId, restores }) => [companyId, restores]))
  }
).pipe(storeErrors)

/**
 * How often a company has been restored, counting one that has begun and not ended. To be called in a transaction: until
 * its end no restore of the company begins or ends.
 *
 * @category queries
 * @since 0.1.0
 */
export const holdRestores = Effect.fn("DatabaseIdentity.holdRestores")(function* (companyId: number) {
  const sql = yield* SqlClient.SqlClient
  const [company] = yield* decodeRestores(
    yield* sql`SELECT id AS "companyId", restores FROM companies WHERE id = ${companyId} ${forUpdate(sql)}`
  )
  const begun = yield* sql`SELECT 1 FROM company_restores WHERE company_id = ${companyId}`
  const done = company?.restores ?? 0
  return { done, atMost: done + begun.length }
}, storeErrors)

/** Of two processes that make one at once both find the same. */
const make = (sql: SqlClient.SqlClient) => {
  const random = sql.onDialectOrElse({
    pg: () => sql.literal("replace(gen_random_uuid()::text, '-', '')"),
    orElse: () => sql.literal("lower(hex(randomblob(16)))")
  })
  return sql`INSERT INTO database_identity (id, identity) VALUES (1, ${random}) ON CONFLICT (id) DO NOTHING`
}

/** The last number of the last block; on PostgreSQL a value of the sequence is the first one of its block. */
const lastBlock = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<object>, SqlError> =>
  sql.onDialectOrElse({
    pg: () => sql`SELECT last_value + ${blockSize - 1} AS value FROM ${sql(sequenceOf("transaction"))} WHERE is_called`,
    orElse: () => sql`SELECT value FROM sequences WHERE name = 'transaction'`
  })

const decodeTags = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ tag: Schema.String })))

const tagErrors = Effect.mapError(toStoreError("master_key_tag"))

/**
 * The tag of the key that the database was made with, if one was recorded.
 *
 * @category queries
 * @since 0.1.0
 */
export const findMasterKeyTag = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* decodeTags(yield* sql`SELECT tag FROM master_key_tag`)
  return Option.map(Option.fromNullishOr(rows[0]), ({ tag }) => tag)
}).pipe(tagErrors)

/**
 * The tag that the database has: this one, when it had none. Of two that are recorded at once both get the same back.
 *
 * @category commands
 * @since 0.1.0
 */
export const recordMasterKeyTag = Effect.fn("MasterKeyTagSql.record")(function* (tag: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO master_key_tag (id, tag) VALUES (1, ${tag}) ON CONFLICT (id) DO NOTHING`
  const rows = yield* decodeTags(yield* sql`SELECT tag FROM master_key_tag`)
  return rows[0]?.tag ?? tag
}, tagErrors)
