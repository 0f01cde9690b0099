/**
 * Snapshots of companies in SQL.
 *
 * **Details**
 *
 * A snapshot or restore locks the company's row from its first statement to its commit, and every command locks the row before it writes.
 * So a command comes before or after a snapshot. This store and the secondary store commit separately. So a restore is recorded
 * first, in a commit of its own, and the commit that ends the restore removes the record. After a crash, `finish` repeats the whole restore.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import {
  type CompanySnapshot,
  CompanySnapshots,
  type EndedRestore,
  maxRows,
  maxSnapshots,
  type Restored,
  type SettleRequest,
  SnapshotRefused,
  type SnapshotRequest
} from "@parcela/engine/ports/CompanySnapshots"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as CompanyRows from "./CompanyRows.ts"
import * as Columns from "./sql/Columns.ts"
import { forUpdate } from "./sql/Dialect.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import { companyTables } from "./tables/CompanyTables.ts"
import * as Spans from "@parcela/engine/Spans"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CompanySnapshots, never, SqlClient.SqlClient> = Layer.effect(
  CompanySnapshots,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const parts: Parts = {
      sql,
      rows: CompanyRows.make(sql, companyTables)
    }
    return CompanySnapshots.of({
      take: (companyId, name, request) => inStore(sql.withTransaction(take(parts, companyId, name, request))),
      list: Spans.fn("CompanySnapshots.list")((companyId: CompanyId) => inStore(list(sql, companyId))),
      remove: Spans.fn("CompanySnapshots.remove")((companyId: CompanyId, name: string) =>
        inStore(sql.withTransaction(remove(parts, companyId, name)))
      ),
      restore: (companyId, name, request) => restore(parts, companyId, name, request),
      unfinished: inStore(unfinished(sql)),
      finish: (companyId, request) => finish(parts, companyId, request),
      settle: (companyId, at, request) => finish(parts, companyId, { ...request, begunAt: at }),
      sweep: (secondary) => inStore(sql.withTransaction(sweep(sql, secondary)))
    })
  })
)

interface Parts {
  readonly sql: SqlClient.SqlClient
  readonly rows: CompanyRows.CompanyRows
}

/** Translates errors of the database; other errors are unchanged. */
const inStore = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError | Schema.SchemaError, R>
): Effect.Effect<A, Exclude<E, SqlError | Schema.SchemaError> | StoreError, R> =>
  Effect.mapError(effect, (error) =>
    isSqlError(error) || Schema.isSchemaError(error)
      ? toStoreError("company_snapshots")(error)
      : // The condition has excluded the errors of the database, which the compiler cannot infer.
        (error as Exclude<E, SqlError | Schema.SchemaError>)
  )

const refused = (reason: SnapshotRefused["reason"]) => new SnapshotRefused({ reason })

const decodeSnapshots = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Columns.integer(Schema.Int),
      name: Schema.String,
      layout: Schema.String,
      clockOffset: Columns.integer(Schema.Int),
      rows: Columns.integer(Schema.Int),
      takenAt: Columns.integer(MachineTime)
    })
  )
)

const select = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, companyId: CompanyId) {
  const rows = yield* sql`
    SELECT id, name, layout, clock_offset AS "clockOffset", row_count AS "rows", taken_at AS "takenAt"
    FROM company_snapshots WHERE company_id = ${companyId} ORDER BY name
  `
  return yield* decodeSnapshots(rows)
})

const shown = ({ id, name, rows, takenAt }: CompanySnapshot): CompanySnapshot => ({ id, name, rows, takenAt })

const list = (sql: SqlClient.SqlClient, companyId: CompanyId) =>
  Effect.map(select(sql, companyId), (found) => found.map(shown))

/** Keeps commands of the company from writing until the transaction ends. Refuses during a clock advance. */
const hold = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, companyId: CompanyId, at: MachineTime) {
  const [company] = yield* sql<{ readonly offset: number | string; readonly restores: number | string }>`
    SELECT clock_offset AS "offset", restores FROM companies WHERE id = ${companyId} ${forUpdate(sql)}
  `
  if (company === undefined) return yield* refused("CompanyNotFound")
  const advances = yield* sql`
    SELECT 1 FROM clock_advances WHERE company_id = ${companyId} AND lease IS NOT NULL AND due_at > ${at}
  `
  if (advances.length > 0) return yield* refused("AdvanceUnderWay")
  return { offset: Number(company.offset), restores: Number(company.restores) }
})

const take = Spans.fn("CompanySnapshots.take")(function* <E>(
  { rows, sql }: Parts,
  companyId: CompanyId,
  name: string,
  { at, secondary, layout }: SnapshotRequest<number, number, E>
) {
  yield* sweeps(sql, "taking")
  const { offset } = yield* hold(sql, companyId, at)
  const known = yield* select(sql, companyId)
  const replaced = known.find((one) => one.name === name)?.id
  if (replaced !== undefined) yield* drop({ rows, sql }, replaced)
  else if (known.length >= maxSnapshots) return yield* refused("TooMany")
  const row = { company_id: companyId, name, layout, clock_offset: offset, row_count: 0, taken_at: at }
  const [made] = yield* sql<{ readonly id: number | string }>`
    INSERT INTO company_snapshots ${sql.insert(row)} RETURNING id
  `
  const id = Number(made?.id)
  const own = yield* rows.copy(companyId, id)
  if (own > maxRows) return yield* refused("TooLarge")
  const all = own + (yield* secondary(id))
  yield* sql`UPDATE company_snapshots SET row_count = ${all} WHERE id = ${id}`
  return { id, name, rows: all, takenAt: at, replaced }
}, Effect.uninterruptible)

const drop = Effect.fnUntraced(function* ({ rows, sql }: Pick<Parts, "rows" | "sql">, id: number) {
  yield* rows.remove(id)
  yield* sql`DELETE FROM company_snapshots WHERE id = ${id}`
})

const remove = Effect.fnUntraced(function* (parts: Parts, companyId: CompanyId, name: string) {
  const found = (yield* select(parts.sql, companyId)).find((one) => one.name === name)
  if (found === undefined) return Option.none()
  yield* drop(parts, found.id)
  return Option.some(shown(found))
})

/** The same number in every process and version. On PostgreSQL several snapshots run at once, but not during a sweep. */
const advisoryLock = 7_266_835_431

const sweeps = (sql: SqlClient.SqlClient, as: "sweeping" | "taking") =>
  sql.onDialectOrElse({
    pg: () =>
      as === "taking"
        ? Effect.asVoid(sql`SELECT pg_advisory_xact_lock_shared(${advisoryLock})`)
        : Effect.asVoid(sql`SELECT pg_advisory_xact_lock(${advisoryLock})`),
    // SQLite has one transaction at a time.
    orElse: () => Effect.void
  })

const sweep = Spans.fn("CompanySnapshots.sweep")(function* <E>(
  sql: SqlClient.SqlClient,
  secondary: (existing: ReadonlySet<number>) => Effect.Effect<void, E>
) {
  yield* sweeps(sql, "sweeping")
  const rows = yield* sql<{ readonly id: number | string }>`SELECT id FROM company_snapshots`
  yield* secondary(new Set(rows.map(({ id }) => Number(id))))
}, Effect.uninterruptible)

const unfinished = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const rows = yield* sql<{ readonly id: number | string }>`SELECT company_id AS id FROM company_restores ORDER BY id`
  return rows.map(({ id }) => CompanyId.make(Number(id)))
})

/** Records the start of a restore. */
const begin = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  companyId: CompanyId,
  name: string | undefined,
  { at, layout }: Pick<SnapshotRequest<void, Restored, never>, "at" | "layout">
) {
  yield* hold(sql, companyId, at)
  const snapshot = name === undefined ? undefined : (yield* select(sql, companyId)).find((one) => one.name === name)
  if (name !== undefined && snapshot === undefined) return yield* refused("SnapshotNotFound")
  if (snapshot !== undefined && snapshot.layout !== layout) return yield* refused("OtherLayout")
  const row = { company_id: companyId, snapshot_id: snapshot?.id ?? null, begun_at: at }
  yield* sql`
    INSERT INTO company_restores ${sql.insert(row)}
    ON CONFLICT (company_id) DO UPDATE SET snapshot_id = excluded.snapshot_id, begun_at = excluded.begun_at
  `
})

interface Finishing<E> extends SettleRequest<E> {
  /** The start of a failed restore. A restore that changed nothing is cancelled, unless another one has started since. */
  readonly begunAt?: MachineTime
}

/** Runs the recorded restore; does nothing if it has ended. */
const finish = <E>(parts: Parts, companyId: CompanyId, request: Finishing<E>) =>
  inStore(parts.sql.withTransaction(end(parts, companyId, request)))

const end = Spans.fn("CompanySnapshots.finish")(function* <E>(
  { rows, sql }: Parts,
  companyId: CompanyId,
  { at, begunAt, secondary, isDone, layout }: Finishing<E>
): Effect.fn.Return<EndedRestore, SnapshotRefused | SqlError | E> {
  const restores = (yield* hold(sql, companyId, at)).restores + 1
  const [noted] = yield* sql<{ readonly id: number | string | null }>`
    DELETE FROM company_restores
    WHERE company_id = ${companyId} ${begunAt === undefined ? sql.literal("") : sql`AND begun_at = ${begunAt}`}
    RETURNING snapshot_id AS id
  `
  if (noted === undefined) return "Done"
  const id = noted.id === null ? undefined : Number(noted.id)
  const [snapshot] = yield* sql<{ readonly layout: string; readonly offset: number | string }>`
    SELECT layout, clock_offset AS "offset" FROM company_snapshots WHERE id = ${id ?? null}
  `
  // The snapshot was removed, or another version of the server has other tables, since the restore started.
  const canBePutBack = id === undefined || snapshot?.layout === layout
  const restored = { snapshotId: id, restores }
  if ((begunAt !== undefined || !canBePutBack) && !(yield* isDone(restored))) return "Undone"
  if (!canBePutBack) {
    // The requests to the secondary store have this number of restores.
    yield* sql`UPDATE companies SET restores = ${restores} WHERE id = ${companyId}`
    return "SecondaryOnly"
  }
  const offset = Number(snapshot?.offset ?? 0)
  yield* rows.clear(companyId)
  if (id !== undefined) yield* rows.putBack(id)
  yield* sql`UPDATE companies SET restores = ${restores}, clock_offset = ${offset} WHERE id = ${companyId}`
  yield* secondary(restored)
  return "Done"
}, Effect.uninterruptible)

const restore = <E>(
  parts: Parts,
  companyId: CompanyId,
  name: string | undefined,
  { at, secondary, layout }: SnapshotRequest<void, Restored, E>
): Effect.Effect<void, SnapshotRefused | StoreError | E> =>
  inStore(parts.sql.withTransaction(begin(parts.sql, companyId, name, { at, layout }))).pipe(
    // The secondary store is restored only in this step.
    Effect.andThen(finish(parts, companyId, { at, secondary, layout, isDone: () => Effect.succeed(false) })),
    // The snapshot was removed after the start.
    Effect.flatMap((ended) => (ended === "Done" ? Effect.void : Effect.fail(refused("SnapshotNotFound")))),
    Effect.withSpan("CompanySnapshots.restore"),
    Effect.uninterruptible
  )
