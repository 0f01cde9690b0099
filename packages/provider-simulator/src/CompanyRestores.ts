/**
 * How often each company was restored in the providers' store, so that a request that came before a restore changes
 * nothing after it.
 *
 * **Details**
 *
 * The number is the service's, as its requests have it. One process has a SQLite file, and remembers the numbers; on
 * PostgreSQL a request shares a row and a restore has it alone: each comes before all of the other, or after it.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as AnyFaults from "./internal/AnyFaults.ts"

/**
 * The company was restored since the request came.
 *
 * @category errors
 * @since 0.1.0
 */
export class RestoredMeanwhile extends Data.TaggedError("RestoredMeanwhile")<{ readonly companyId: number }> {
  override readonly message = "The company was restored meanwhile"
}

/**
 * @category models
 * @since 0.1.0
 */
export interface CompanyRestores {
  /** How often a company has been restored. */
  readonly count: (companyId: number) => Effect.Effect<number, SqlError>
  /** Fails when the company was not restored so often, or oftener. In a transaction no restore comes before its end. */
  readonly hold: (companyId: number, count: number) => Effect.Effect<void, RestoredMeanwhile | SqlError>
  /** In a transaction: until its end nobody else holds the company. */
  readonly turn: (companyId: number) => Effect.Effect<void, SqlError>
  /** In the transaction of a restore, before anything else. */
  readonly set: (companyId: number, count: number) => Effect.Effect<void, SqlError>
}

/** One for each client, however many providers are built on it. */
const made = new WeakMap<SqlClient.SqlClient, CompanyRestores>()

/**
 * @category constructors
 * @since 0.1.0
 */
export const of = (sql: SqlClient.SqlClient): CompanyRestores => {
  const known = made.get(sql)
  if (known !== undefined) return known
  const restores = sql.onDialectOrElse({ pg: () => onPostgres(sql), orElse: () => onSqlite(sql) })
  made.set(sql, restores)
  return restores
}

const write = (sql: SqlClient.SqlClient, companyId: number, count: number) => sql`
  INSERT INTO company_restores (company_id, restores) VALUES (${companyId}, ${count})
  ON CONFLICT (company_id) DO UPDATE SET restores = excluded.restores`

const holdingBy =
  (count: CompanyRestores["count"]): CompanyRestores["hold"] =>
  (companyId, expected) =>
    Effect.flatMap(count(companyId), (found) =>
      found === expected ? Effect.void : Effect.fail(new RestoredMeanwhile({ companyId }))
    )

const onSqlite = (sql: SqlClient.SqlClient): CompanyRestores => {
  const known = new Map<number, number>()
  let changes = 0
  const count = Effect.fnUntraced(function* (companyId: number) {
    const remembered = known.get(companyId)
    if (remembered !== undefined) return remembered
    const before = changes
    const [row] = yield* sql<{ restores: number }>`
      SELECT restores FROM company_restores WHERE company_id = ${companyId}`
    const found = row?.restores ?? 0
    // What was read before a change is not remembered after it.
    if (before === changes) known.set(companyId, found)
    return found
  })
  return {
    count,
    hold: holdingBy(count),
    // A transaction is the only one.
    turn: () => Effect.void,
    set: Effect.fnUntraced(function* (companyId, count) {
      yield* write(sql, companyId, count)
      // Planned faults are put back too.
      yield* AnyFaults.of(sql).forget
      // Read again: this transaction may not be committed.
      known.delete(companyId)
      changes += 1
    })
  }
}

const onPostgres = (sql: SqlClient.SqlClient): CompanyRestores => {
  const find = (companyId: number, locking = "") => sql<{ restores: number }>`
    SELECT restores FROM company_restores WHERE company_id = ${companyId} ${sql.literal(locking)}`
  /** A missing row cannot be locked. */
  const locked = (locking: string) =>
    Effect.fnUntraced(function* (companyId: number) {
      const [found] = yield* find(companyId, locking)
      if (found !== undefined) return found.restores
      yield* sql`INSERT INTO company_restores (company_id, restores) VALUES (${companyId}, 0) ON CONFLICT DO NOTHING`
      const [row] = yield* find(companyId, locking)
      return row?.restores ?? 0
    })
  const [shared, alone] = [locked("FOR SHARE"), locked("FOR UPDATE")]
  return {
    count: (companyId) => Effect.map(find(companyId), ([row]) => row?.restores ?? 0),
    hold: holdingBy(shared),
    turn: (companyId) => Effect.asVoid(alone(companyId)),
    set: (companyId, count) => Effect.asVoid(write(sql, companyId, count))
  }
}
