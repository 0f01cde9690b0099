/**
 * Due work in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import {
  DueWork,
  type LeasedWork,
  type LeaseRequest,
  type NewWork,
  type TakeRequest,
  type WorkKind,
  type WorkLease
} from "@parcela/engine/ports/DueWork"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Claims from "./internal/Claims.ts"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"
import { dueWorkRow } from "./tables/DueWork.ts"

const companyId = Schema.NullOr(Columns.integer(CompanyId))

const decodeLeased = Schema.decodeUnknownEffect(
  Schema.Struct({ subject: Schema.String, companyId, tries: Columns.integer(Schema.Int) })
)

// A kind that this version does not know may stand there.
const decodeParked = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      kind: Schema.declare((_: unknown): _ is WorkKind => typeof _ === "string"),
      companyId,
      subject: Schema.String,
      parkedAt: Columns.integer(EpochMillis),
      tries: Columns.integer(Schema.Int),
      problem: Schema.NullOr(Schema.String)
    })
  )
)

/** As many again as make a power of two, so that lists of any length have few different statements. */
const padded = (ids: ReadonlyArray<CompanyId>): ReadonlyArray<CompanyId> => {
  const length = 2 ** Math.ceil(Math.log2(ids.length))
  return [...ids, ...Array.from({ length: length - ids.length }, () => ids[0]!)]
}

/** How many rows a lease looks at for each that it may take: more, where one company has a long queue. */
const lookAhead = 8

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<DueWork, never, SqlClient.SqlClient> = Layer.effect(
  DueWork,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("due_work"))
    const skipLocked = Claims.skipLocked(sql)
    let leases = 0

    const held = ({ kind, subject, token }: WorkLease) =>
      sql`kind = ${kind} AND subject = ${subject} AND lease = ${token}`

    const chosen = ({ among, except, kind, limit, now, perCompany }: LeaseRequest) => {
      const others = [
        ...(except.length === 0 ? [] : [sql`(company_id IS NULL OR NOT ${sql.in("company_id", padded(except))})`]),
        ...(among === undefined ? [] : [sql`(company_id IS NULL OR company_id % ${among.of} = ${among.at})`])
      ]
      return sql`
        SELECT subject FROM (
          SELECT subject, due_at, row_number() OVER (PARTITION BY company_id ORDER BY due_at, subject) AS place FROM (
            SELECT subject, company_id, due_at FROM due_work
            WHERE ${sql.and([sql`kind = ${kind}`, sql`due_at <= ${now}`, sql`parked_at IS NULL`, ...others])}
            ORDER BY due_at, subject LIMIT ${limit * lookAhead} ${skipLocked}
          ) AS oldest
        ) AS placed
        WHERE place <= ${perCompany} ORDER BY due_at, subject LIMIT ${limit}
      `
    }

    const leasedOf = Effect.fnUntraced(function* (
      row: unknown,
      lease: Pick<LeaseRequest, "kind" | "now">,
      token: string
    ) {
      const decoded = yield* Effect.result(decodeLeased(row))
      if (decoded._tag === "Success") {
        const { companyId, subject, tries } = decoded.success
        return Option.some<LeasedWork>({ kind: lease.kind, subject, companyId: companyId ?? undefined, tries, token })
      }
      yield* Effect.logError(`A row of due_work (${lease.kind}) cannot be read and is parked`, decoded.failure)
      const { subject } = row as { readonly subject: string }
      yield* sql`
        UPDATE due_work SET parked_at = ${lease.now}, last_problem = 'The row cannot be read', lease = NULL, lease_owner = NULL
        WHERE ${held({ kind: lease.kind, subject, token })}
      `
      return Option.none<LeasedWork>()
    })

    return DueWork.of({
      schedule: Effect.fn("DueWork.schedule")(function* (work: ReadonlyArray<NewWork>) {
        if (!Arr.isReadonlyArrayNonEmpty(work)) return
        yield* sql`
          INSERT INTO due_work ${sql.insert(Arr.map(work, dueWorkRow))}
          ON CONFLICT (kind, subject) DO UPDATE SET company_id = excluded.company_id, due_at = excluded.due_at,
            waits_since = excluded.waits_since, lease_owner = excluded.lease_owner, lease = NULL, tries = 0,
            last_problem = NULL, parked_at = NULL
        `
      }, storeErrors),

      ensure: Effect.fn("DueWork.ensure")(function* (work: NewWork) {
        yield* sql`INSERT INTO due_work ${sql.insert(dueWorkRow(work))} ON CONFLICT (kind, subject) DO NOTHING`
      }, storeErrors),

      cancel: Effect.fn("DueWork.cancel")(function* (kind: WorkKind, subjects: ReadonlyArray<string>) {
        if (subjects.length === 0) return
        yield* sql`DELETE FROM due_work WHERE kind = ${kind} AND ${sql.in("subject", subjects)}`
      }, storeErrors),

      lease: Effect.fn("DueWork.lease")(function* (request: LeaseRequest) {
        const { kind, now, owner, until } = request
        const token = `${owner} ${++leases}`
        const rows = yield* sql`
          WITH chosen AS MATERIALIZED (${chosen(request)})
          UPDATE due_work SET due_at = ${until}, waits_since = ${now}, lease_owner = ${owner}, lease = ${token}
          WHERE kind = ${kind} AND subject IN (SELECT subject FROM chosen)
          RETURNING subject, company_id AS "companyId", tries
        `
        return Arr.getSomes(yield* Effect.forEach(rows, (row) => leasedOf(row, request, token)))
      }, storeErrors),

      take: Effect.fn("DueWork.take")(function* ({ kind, now, owner, subject, until }: TakeRequest) {
        const token = `${owner} ${++leases}`
        const rows = yield* sql`
          UPDATE due_work SET due_at = ${until}, waits_since = ${now}, lease_owner = ${owner}, lease = ${token}
          WHERE kind = ${kind} AND subject = ${subject} AND parked_at IS NULL
            AND (lease_owner IS NULL OR due_at <= ${now} OR (lease_owner = ${owner} AND lease IS NULL))
          RETURNING subject, company_id AS "companyId", tries
        `
        const [row] = rows
        return row === undefined ? Option.none() : yield* leasedOf(row, { kind, now }, token)
      }, storeErrors),

      done: Effect.fn("DueWork.done")(function* (lease: WorkLease) {
        return (yield* sql`DELETE FROM due_work WHERE ${held(lease)} RETURNING subject`).length > 0
      }, storeErrors),

      postpone: Effect.fn("DueWork.postpone")(function* (
        lease: WorkLease,
        {
          at,
          now,
          problem
        }: { readonly now: EpochMillis; readonly at: EpochMillis; readonly problem?: string | undefined }
      ) {
        const tried = problem === undefined ? sql`tries = 0` : sql`tries = tries + 1`
        const rows = yield* sql`
          UPDATE due_work SET due_at = ${at}, waits_since = ${now}, lease_owner = NULL, lease = NULL, ${tried},
            last_problem = ${problem ?? null}
          WHERE ${held(lease)} RETURNING subject
        `
        return rows.length > 0
      }, storeErrors),

      park: Effect.fn("DueWork.park")(function* (
        lease: WorkLease,
        { now, problem }: { readonly now: EpochMillis; readonly problem: string }
      ) {
        const rows = yield* sql`
          UPDATE due_work SET parked_at = ${now}, last_problem = ${problem}, lease_owner = NULL, lease = NULL,
            tries = tries + 1
          WHERE ${held(lease)} RETURNING subject
        `
        return rows.length > 0
      }, storeErrors),

      listParked: Effect.fn("DueWork.listParked")(function* (limit: number) {
        const rows = yield* sql`
          SELECT kind, company_id AS "companyId", subject, parked_at AS "parkedAt", tries, last_problem AS problem
          FROM due_work WHERE parked_at IS NOT NULL ORDER BY parked_at, kind, subject LIMIT ${limit}
        `
        return (yield* decodeParked(rows)).map(({ companyId, problem, ...row }) => ({
          ...row,
          companyId: companyId ?? undefined,
          problem: problem ?? ""
        }))
      }, storeErrors),

      release: Effect.fn("DueWork.release")(function* (kind: WorkKind, subject: string, now: EpochMillis) {
        const rows = yield* sql`
          UPDATE due_work SET parked_at = NULL, due_at = ${now}, waits_since = ${now}, tries = 0
          WHERE kind = ${kind} AND subject = ${subject} AND parked_at IS NOT NULL RETURNING subject
        `
        return rows.length > 0
      }, storeErrors)
    })
  })
)
