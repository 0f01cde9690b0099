/**
 * Scheduled jobs in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, type MachineTime } from "@parcela/core/time/Instant"
import {
  companyKinds,
  type DueTime,
  DueWork,
  type LeasedWork,
  type LeaseRequest,
  type NewWork,
  type TakeRequest,
  type WorkKind,
  type WorkLease
} from "@parcela/engine/ports/DueWork"
import { isRequested, Origin } from "@parcela/engine/ports/WriteContext"
import * as Spans from "@parcela/engine/Spans"
import { IsBackground } from "@parcela/sqlite/GroupCommit"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { workToLease } from "./DueWorkLeases.ts"
import * as Columns from "./sql/Columns.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import { decodeLeased, decodeQuarantined, dueColumns, dueWorkRow } from "./tables/DueWork.ts"

const storeErrors = Effect.mapError(toStoreError("due_work"))

const decodeNext = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ next: Schema.NullOr(Columns.integer(BusinessTime)) }))
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<DueWork, never, SqlClient.SqlClient> = Layer.effect(
  DueWork,
  Effect.map(SqlClient.SqlClient, (sql) =>
    DueWork.of({
      maxAtOnce: sql.onDialectOrElse({ pg: () => 128, orElse: () => maxAtOnceOnSqlite }),
      ...writing(sql),
      ...leasing(sql),
      ...ending(sql),
      ...quarantining(sql),
      ...reading(sql)
    })
  )
)

/**
 * The most jobs at once on SQLite: enough that some jobs share commits while others wait for their provider. They do not delay other writes.
 * On PostgreSQL all jobs wait for the same connections.
 */
const maxAtOnceOnSqlite = 512

/** Only workers do this, also the workers of a clock advance for which a request waits. */
const inBackground = Effect.provideService(IsBackground, true)

/** A request does this too: before it responds, it ends its lease of an attempt with an unknown outcome. */
const unlessRequested = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Origin, (origin) => Effect.provideService(effect, IsBackground, !isRequested(origin)))

const writing = (sql: SqlClient.SqlClient): Pick<DueWork["Service"], "schedule" | "ensure" | "cancel"> => ({
  schedule: Spans.fn("DueWork.schedule")(function* (work: ReadonlyArray<NewWork>) {
    if (!Arr.isReadonlyArrayNonEmpty(work)) return
    yield* sql`
      INSERT INTO due_work ${sql.insert(Arr.map(work, dueWorkRow))}
      ON CONFLICT (kind, subject) DO UPDATE SET company_id = excluded.company_id, clock = excluded.clock,
        due_at = excluded.due_at, waits_since = excluded.waits_since, lease_owner = excluded.lease_owner, lease = NULL,
        failures = 0, last_problem = NULL, quarantined_at = NULL
    `
  }, storeErrors),

  ensure: Spans.fn("DueWork.ensure")(function* (work: NewWork) {
    yield* sql`INSERT INTO due_work ${sql.insert(dueWorkRow(work))} ON CONFLICT (kind, subject) DO NOTHING`
  }, storeErrors),

  cancel: Spans.fn("DueWork.cancel")(function* (kind: WorkKind, subjects: ReadonlyArray<string>) {
    if (subjects.length === 0) return
    yield* sql`DELETE FROM due_work WHERE kind = ${kind} AND ${sql.in("subject", subjects)}`
  }, storeErrors)
})

const held = (sql: SqlClient.SqlClient, { kind, subject, token }: WorkLease) =>
  sql`kind = ${kind} AND subject = ${subject} AND lease = ${token}`

/** A leased job is due by the machine's clock, whichever clock it had before. */
const leased = (
  sql: SqlClient.SqlClient,
  { now, owner, until }: Pick<LeaseRequest, "now" | "owner" | "until">,
  token: string
) => sql`clock = 'machine', due_at = ${until}, waits_since = ${now}, lease_owner = ${owner}, lease = ${token}`

/** Decodes a leased row. A row that cannot be decoded is quarantined. */
const leasedOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  row: unknown,
  { kind, now }: Pick<LeaseRequest, "kind" | "now">,
  token: string
) {
  const decoded = yield* Effect.result(decodeLeased(row))
  if (decoded._tag === "Success") {
    const { companyId, subject, failures } = decoded.success
    return Option.some<LeasedWork>({ kind, subject, companyId: companyId ?? undefined, failures, token })
  }
  yield* Effect.logError(`A row of due_work (${kind}) cannot be read and is quarantined`, decoded.failure)
  // `subject` is a column of text.
  const { subject } = row as { readonly subject: string }
  yield* sql`
    UPDATE due_work SET quarantined_at = ${now}, last_problem = 'The row cannot be read', lease = NULL, lease_owner = NULL
    WHERE ${held(sql, { kind, subject, token })}
  `
  return Option.none<LeasedWork>()
})

const leasing = (sql: SqlClient.SqlClient): Pick<DueWork["Service"], "lease" | "renew" | "take"> => {
  let leases = 0
  // Without statistics PostgreSQL would read all rows of the kind for a list of unknown subjects.
  const isChosen = sql.onDialectOrElse({
    pg: () => sql`subject = ANY (ARRAY(SELECT subject FROM chosen))`,
    orElse: () => sql`subject IN (SELECT subject FROM chosen)`
  })
  const newToken = (owner: string) => `${owner} ${++leases}`
  return {
    lease: Spans.fn("DueWork.lease")(
      function* (request: LeaseRequest) {
        const token = newToken(request.owner)
        const rows = yield* sql`
          WITH chosen AS MATERIALIZED (${workToLease(sql, request)})
          UPDATE due_work SET ${leased(sql, request, token)}
          WHERE kind = ${request.kind} AND ${isChosen}
          RETURNING subject, company_id AS "companyId", failures
        `
        return Arr.getSomes(yield* Effect.forEach(rows, (row) => leasedOf(sql, row, request, token)))
      },
      inBackground,
      storeErrors
    ),

    take: Spans.fn("DueWork.take")(function* (request: TakeRequest) {
      const { kind, now, owner, subject } = request
      const token = newToken(owner)
      const [row] = yield* sql`
        UPDATE due_work SET ${leased(sql, request, token)}
        WHERE kind = ${kind} AND subject = ${subject} AND quarantined_at IS NULL
          AND (lease_owner IS NULL OR due_at <= ${now} OR (lease_owner = ${owner} AND lease IS NULL))
        RETURNING subject, company_id AS "companyId", failures
      `
      return row === undefined ? Option.none() : yield* leasedOf(sql, row, request, token)
    }, storeErrors),

    renew: Spans.fn("DueWork.renew")(
      function* ({ kind, now, owner, subject, until }: TakeRequest) {
        yield* sql`
          UPDATE due_work SET due_at = ${until}, waits_since = ${now}
          WHERE kind = ${kind} AND subject = ${subject} AND lease_owner = ${owner}
        `
      },
      inBackground,
      storeErrors
    )
  }
}

const ending = (sql: SqlClient.SqlClient): Pick<DueWork["Service"], "done" | "postpone"> => ({
  done: Spans.fn("DueWork.done")(
    function* (lease: WorkLease) {
      return (yield* sql`DELETE FROM due_work WHERE ${held(sql, lease)} RETURNING subject`).length > 0
    },
    inBackground,
    storeErrors
  ),

  postpone: Spans.fn("DueWork.postpone")(
    function* (lease: WorkLease, next: DueTime & { readonly problem?: string | undefined }) {
      const columns = { ...dueColumns(next), lease_owner: null, lease: null, last_problem: next.problem ?? null }
      const tried = next.problem === undefined ? sql`failures = 0` : sql`failures = failures + 1`
      const rows = yield* sql`
        UPDATE due_work SET ${sql.update(columns)}, ${tried} WHERE ${held(sql, lease)} RETURNING subject
      `
      return rows.length > 0
    },
    unlessRequested,
    storeErrors
  )
})

const quarantining = (
  sql: SqlClient.SqlClient
): Pick<DueWork["Service"], "quarantine" | "listQuarantined" | "release"> => ({
  quarantine: Spans.fn("DueWork.quarantine")(function* (
    lease: WorkLease,
    { now, problem }: { readonly now: MachineTime; readonly problem: string }
  ) {
    const rows = yield* sql`
      UPDATE due_work SET quarantined_at = ${now}, last_problem = ${problem}, lease_owner = NULL, lease = NULL,
        failures = failures + 1
      WHERE ${held(sql, lease)} RETURNING subject
    `
    return rows.length > 0
  }, storeErrors),

  listQuarantined: Spans.fn("DueWork.listQuarantined")(function* (limit: number) {
    const rows = yield* sql`
      SELECT kind, company_id AS "companyId", subject, quarantined_at AS "quarantinedAt", failures, last_problem AS problem
      FROM due_work WHERE quarantined_at IS NOT NULL ORDER BY quarantined_at, kind, subject LIMIT ${limit}
    `
    return (yield* decodeQuarantined(rows)).map(({ companyId, problem, ...row }) => ({
      ...row,
      companyId: companyId ?? undefined,
      problem: problem ?? ""
    }))
  }, storeErrors),

  release: Spans.fn("DueWork.release")(function* (kind: WorkKind, subject: string, now: MachineTime) {
    const rows = yield* sql`
      UPDATE due_work SET quarantined_at = NULL, due_at = ${now}, waits_since = ${now}, failures = 0
      WHERE kind = ${kind} AND subject = ${subject} AND quarantined_at IS NOT NULL RETURNING subject
    `
    return rows.length > 0
  }, storeErrors)
})

/**
 * The kinds of jobs as rows. An index has the waiting jobs of a company by clock, kind and due time. Each kind is a lookup of its own, so
 * that later jobs are not read.
 */
const eachKind = (sql: SqlClient.SqlClient) => sql.csv(companyKinds.map((kind) => sql`(${kind})`))

/** PostgreSQL returns long numbers as text. */
interface WaitingRow {
  readonly kind: WorkKind
  readonly subject: string
  readonly failures: number | string
  readonly problem: string | null
  readonly clock: string
  readonly dueAt: number | string
}

/** The jobs of a row of `kinds`. Without the name of the index SQLite uses the primary key, and reads all jobs of the kind. */
const ofKind = (sql: SqlClient.SqlClient, companyId: CompanyId, clock: "business" | "machine") => sql`
  due_work AS w ${sql.onDialectOrElse({ pg: () => sql``, orElse: () => sql`INDEXED BY due_work_company` })}
  WHERE w.company_id = ${companyId} AND w.clock = ${clock} AND w.kind = kinds.kind AND w.quarantined_at IS NULL
`

const reading = (sql: SqlClient.SqlClient): Pick<DueWork["Service"], "listWaiting" | "nextDue"> => ({
  listWaiting: Spans.fn("DueWork.listWaiting")(function* (
    companyId: CompanyId,
    now: BusinessTime,
    limit = Number.MAX_SAFE_INTEGER
  ) {
    const columns = sql.literal("w.kind, w.subject, w.failures, w.last_problem AS problem, w.clock, w.due_at")
    const ofEachKind = (clock: "business" | "machine", until = sql``) =>
      sql.onDialectOrElse({
        // PostgreSQL may turn another form into a join that reads all rows.
        pg: () => sql`
          SELECT w.* FROM kinds CROSS JOIN LATERAL (
            SELECT ${columns} FROM ${ofKind(sql, companyId, clock)} ${until}
            ORDER BY w.due_at, w.subject LIMIT ${limit}
          ) AS w
        `,
        // CROSS JOIN keeps the order of the tables.
        orElse: () => sql`SELECT ${columns} FROM kinds CROSS JOIN ${ofKind(sql, companyId, clock)} ${until}`
      })
    const rows = yield* sql<WaitingRow>`
      WITH kinds (kind) AS (VALUES ${eachKind(sql)})
      SELECT kind, subject, failures, problem, clock, due_at AS "dueAt" FROM (
        ${ofEachKind("machine")} UNION ALL ${ofEachKind("business", sql`AND w.due_at <= ${now}`)}
      ) AS waiting
      ORDER BY due_at, kind, subject LIMIT ${limit}
    `
    return rows.map(({ clock, dueAt, kind, problem, subject, failures }) => ({
      kind,
      subject,
      failures: Number(failures),
      problem: problem ?? undefined,
      // The column has whole numbers. Decoding it by a schema would take two thirds of the time of a thousand rows.
      waitsUntil: clock === "machine" ? (Number(dueAt) as MachineTime) : undefined
    }))
  }, storeErrors),

  nextDue: Spans.fn("DueWork.nextDue")(function* (companyId: CompanyId, after: BusinessTime) {
    const [row] = yield* decodeNext(
      yield* sql`
        WITH kinds (kind) AS (VALUES ${eachKind(sql)})
        SELECT min(next) AS next FROM (
          SELECT (
            SELECT min(w.due_at) FROM ${ofKind(sql, companyId, "business")} AND w.due_at > ${after}
          ) AS next FROM kinds
        ) AS nexts
      `
    )
    return Option.fromNullishOr(row?.next)
  }, storeErrors)
})
