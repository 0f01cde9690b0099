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
import * as Work from "./internal/Work.ts"

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
  /** The same in a unit of the providers' store; false where `hold` fails. */
  readonly holding: (companyId: number, count: number) => Work.Work<boolean>
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

const find = "SELECT restores FROM company_restores WHERE company_id = ?"

/** Undefined where there is no row yet: a company that was never restored. */
function* countIn(companyId: number, locking = ""): Work.Work<number | undefined> {
  const [row] = yield* Work.read<{ restores: number }>(`${find}${locking}`, companyId)
  return row?.restores
}

const write = (sql: SqlClient.SqlClient, companyId: number, count: number) => sql`
  INSERT INTO company_restores (company_id, restores) VALUES (${companyId}, ${count})
  ON CONFLICT (company_id) DO UPDATE SET restores = excluded.restores`

/**
 * Both ways to hold a company, where `count` keeps the number as it is until the end of the transaction; `remembered`: the
 * number, where nobody has to be asked.
 */
const holdingBy = (
  sql: SqlClient.SqlClient,
  count: (companyId: number) => Work.Work<number | undefined>,
  remembered: (companyId: number) => number | undefined
): Pick<CompanyRestores, "hold" | "holding"> => {
  const run = Work.within(sql)
  const held = (companyId: number, asked: number, there = 0) =>
    there === asked ? Effect.void : Effect.fail(new RestoredMeanwhile({ companyId }))
  return {
    *holding(companyId, asked) {
      return ((yield* count(companyId)) ?? 0) === asked
    },
    hold: (companyId, asked) =>
      Effect.suspend(() => {
        const known = remembered(companyId)
        return known === undefined
          ? Effect.flatMap(
              run(() => count(companyId)),
              (there) => held(companyId, asked, there)
            )
          : held(companyId, asked, known)
      })
  }
}

const onSqlite = (sql: SqlClient.SqlClient): CompanyRestores => {
  const known = new Map<number, number>()
  let changes = 0
  function* count(companyId: number): Work.Work<number> {
    const remembered = known.get(companyId)
    if (remembered !== undefined) return remembered
    const before = changes
    const there = (yield* countIn(companyId)) ?? 0
    // What was read before a change is not remembered after it.
    if (before === changes) known.set(companyId, there)
    return there
  }
  return {
    count: (companyId) => Work.within(sql)(() => count(companyId)),
    ...holdingBy(sql, count, (companyId) => known.get(companyId)),
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
  /** A row that is not there cannot be locked. */
  const locked = (locking: string) =>
    function* (companyId: number): Work.Work<number | undefined> {
      const there = yield* countIn(companyId, locking)
      if (there !== undefined) return there
      yield* Work.write(
        "INSERT INTO company_restores (company_id, restores) VALUES (?, 0) ON CONFLICT DO NOTHING",
        companyId
      )
      return yield* countIn(companyId, locking)
    }
  const [shared, alone] = [locked(" FOR SHARE"), locked(" FOR UPDATE")]
  const run = Work.within(sql)
  return {
    count: (companyId) =>
      Effect.map(
        run(() => countIn(companyId)),
        (there) => there ?? 0
      ),
    ...holdingBy(sql, shared, () => undefined),
    turn: (companyId) => Effect.asVoid(run(() => alone(companyId))),
    set: (companyId, count) => Effect.asVoid(write(sql, companyId, count))
  }
}
