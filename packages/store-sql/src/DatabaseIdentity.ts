/**
 * The identity of a database, its progress, and the tag of its master key. At a start the store of the providers is compared with them.
 *
 * @since 0.1.0
 */
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { blockSize, sequenceOf } from "./SequencesSql.ts"
import * as Columns from "./sql/Columns.ts"
import { forUpdate } from "./sql/Dialect.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import * as Spans from "@parcela/engine/Spans"

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
 * The identity of the database: 32 hexadecimal digits, which every copy of the database shares. The first call creates it. `isShared`: the
 * store of the providers has recorded the identity.
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
 * Records that the store of the providers has recorded the identity.
 *
 * @category commands
 * @since 0.1.0
 */
export const share: Effect.Effect<void, StoreError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE database_identity SET is_shared = 1 WHERE id = 1`
}).pipe(storeErrors)

/**
 * The highest number of a company and the highest assigned number of a transaction; 0 if absent.
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
 * True if the database has an attempt. Attempts are never deleted, except by a restore: the result is undefined if the company was restored.
 *
 * @category queries
 * @since 0.1.0
 */
export const hasAttempt = Spans.fn("DatabaseIdentity.hasAttempt")(function* (companyId: number, attemptId: string) {
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
 * The number of restores of each restored company.
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
 * The number of restores of a company. `atMost` includes a running restore. Until the end of the caller's transaction no restore of the
 * company starts or ends.
 *
 * @category queries
 * @since 0.1.0
 */
export const holdRestores = Spans.fn("DatabaseIdentity.holdRestores")(function* (companyId: number) {
  const sql = yield* SqlClient.SqlClient
  const [company] = yield* decodeRestores(
    yield* sql`SELECT id AS "companyId", restores FROM companies WHERE id = ${companyId} ${forUpdate(sql)}`
  )
  const running = yield* sql`SELECT 1 FROM company_restores WHERE company_id = ${companyId}`
  const done = company?.restores ?? 0
  return { done, atMost: done + running.length }
}, storeErrors)

/** If two processes create an identity at once, both read the same one. */
const make = (sql: SqlClient.SqlClient) => {
  const random = sql.onDialectOrElse({
    pg: () => sql.literal("replace(gen_random_uuid()::text, '-', '')"),
    orElse: () => sql.literal("lower(hex(randomblob(16)))")
  })
  return sql`INSERT INTO database_identity (id, identity) VALUES (1, ${random}) ON CONFLICT (id) DO NOTHING`
}

/** The last number of the last block. On PostgreSQL a value of the sequence is the first number of a block. */
const lastBlock = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<object>, SqlError> =>
  sql.onDialectOrElse({
    pg: () => sql`SELECT last_value + ${blockSize - 1} AS value FROM ${sql(sequenceOf("transaction"))} WHERE is_called`,
    orElse: () => sql`SELECT value FROM sequences WHERE name = 'transaction'`
  })

const decodeTags = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ tag: Schema.String })))

const tagErrors = Effect.mapError(toStoreError("master_key_tag"))

/**
 * The tag of the master key of the database: a keyed hash of a constant, which reveals nothing about the key.
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
 * Records the tag if the database has none, and returns the tag of the database. Two processes at once get the same tag.
 *
 * @category commands
 * @since 0.1.0
 */
export const recordMasterKeyTag = Spans.fn("DatabaseIdentity.recordMasterKeyTag")(function* (tag: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO master_key_tag (id, tag) VALUES (1, ${tag}) ON CONFLICT (id) DO NOTHING`
  const rows = yield* decodeTags(yield* sql`SELECT tag FROM master_key_tag`)
  return rows[0]?.tag ?? tag
}, tagErrors)
