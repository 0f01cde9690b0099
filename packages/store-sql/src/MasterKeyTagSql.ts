/**
 * Whether a master key is the one that a database was made with. The database holds a tag of the key (a keyed hash of a
 * constant), from which nothing of the key can be learnt.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { toStoreError } from "./internal/StoreErrors.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ tag: Schema.String })))

const storeErrors = Effect.mapError(toStoreError("master_key_tag"))

/**
 * The tag of the key that the database was made with, if one was recorded.
 *
 * @category queries
 * @since 0.1.0
 */
export const find = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* decodeRows(yield* sql`SELECT tag FROM master_key_tag`)
  return Option.map(Option.fromNullishOr(rows[0]), ({ tag }) => tag)
}).pipe(storeErrors)

/**
 * The tag that the database has: this one, when it had none. Of two that are recorded at once both get the same back.
 *
 * @category commands
 * @since 0.1.0
 */
export const record = Effect.fn("MasterKeyTagSql.record")(function* (tag: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO master_key_tag (id, tag) VALUES (1, ${tag}) ON CONFLICT (id) DO NOTHING`
  const rows = yield* decodeRows(yield* sql`SELECT tag FROM master_key_tag`)
  return rows[0]?.tag ?? tag
}, storeErrors)
