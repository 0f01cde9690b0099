/**
 * Selects the jobs that a worker leases: those due by the machine's clock, and those due by the clock of a company that is ahead.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { LeaseRequest } from "@parcela/engine/ports/DueWork"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as Dialect from "./sql/Dialect.ts"

/** The rows that a lease reads for each row that it may take, because one company may have a long queue. */
const rowsPerLease = 8

/** Repeats an identifier up to a power of two, so that lists of any length have few different statements. */
const padded = (ids: ReadonlyArray<CompanyId>): ReadonlyArray<CompanyId> => {
  const length = 2 ** Math.ceil(Math.log2(ids.length))
  // An empty list is not filled.
  return [...ids, ...Array.from({ length: length - ids.length }, () => ids[0]!)]
}

type Request = Pick<LeaseRequest, "among" | "except" | "kind" | "limit" | "now" | "only" | "perCompany">

/** The companies whose jobs may be leased. During a clock advance only the advancing worker may lease jobs of the company. */
const companies = (sql: SqlClient, column: string, { among, except, now, only }: Request): ReadonlyArray<Fragment> => {
  const company = sql(column)
  if (only !== undefined) return [sql`${company} = ${only}`]
  const advancing = sql`
    SELECT 1 FROM clock_advances AS a WHERE a.company_id = ${company} AND a.lease IS NOT NULL AND a.due_at > ${now}
  `
  return [
    sql`NOT EXISTS (${advancing})`,
    ...(except.length === 0 ? [] : [sql`NOT ${sql.in(column, padded(except))}`]),
    ...(among === undefined ? [] : [sql`${company} % ${among.of} = ${among.at}`])
  ]
}

/** Jobs due by the machine's clock. They are due by the company's clock too, which is never behind. */
const byMachine = (sql: SqlClient, request: Request): Fragment => {
  const { kind, limit, now, only } = request
  const isAllowed = sql.and(companies(sql, "due_work.company_id", request))
  const conditions = [
    sql`kind = ${kind}`,
    sql`due_at <= ${now}`,
    sql`quarantined_at IS NULL`,
    only === undefined ? sql`(company_id IS NULL OR ${isAllowed})` : isAllowed
  ]
  return sql`
    SELECT subject, company_id, due_at AS since FROM due_work WHERE ${sql.and(conditions)}
    ORDER BY due_at, subject LIMIT ${limit * rowsPerLease} ${Dialect.skipLocked(sql)}
  `
}

/** Jobs due by the clock of a company that is ahead, and not yet by the machine's: the share of each company, by an index. */
const byCompany = (sql: SqlClient, request: Request): Fragment => {
  const { kind, now, perCompany } = request
  const isAllowed = sql.and([sql`ahead.clock_offset > 0`, ...companies(sql, "ahead.id", request)])
  const share = (columns: string) => sql`
    SELECT ${sql.literal(columns)} FROM due_work AS own
    WHERE own.company_id = ahead.id AND own.clock = 'business' AND own.kind = ${kind} AND own.quarantined_at IS NULL
      AND own.due_at > ${now} AND own.due_at <= ${now} + ahead.clock_offset
    ORDER BY own.due_at, own.subject LIMIT ${perCompany} ${Dialect.skipLocked(sql)}
  `
  return sql.onDialectOrElse({
    pg: () => sql`
      SELECT w.subject, w.company_id, w.due_at - ahead.clock_offset AS since
      FROM companies AS ahead CROSS JOIN LATERAL (${share("own.subject, own.company_id, own.due_at")}) AS w
      WHERE ${isAllowed}
    `,
    // CROSS JOIN keeps the order of the tables.
    orElse: () => sql`
      SELECT w.subject, w.company_id, w.due_at - ahead.clock_offset AS since
      FROM companies AS ahead CROSS JOIN due_work AS w
      WHERE ${isAllowed} AND w.kind = ${kind} AND w.subject IN (${share("own.subject")})
    `
  })
}

/**
 * The subjects of the leased jobs: longest due first, with a share for each company.
 *
 * @category queries
 * @since 0.1.0
 */
export const workToLease = (sql: SqlClient, request: Request): Fragment => sql`
  SELECT subject FROM (
    SELECT subject, since, row_number() OVER (PARTITION BY company_id ORDER BY since, subject) AS position FROM (
      SELECT subject, company_id, since FROM (${byMachine(sql, request)}) AS by_machine
      UNION ALL SELECT subject, company_id, since FROM (${byCompany(sql, request)}) AS by_company
    ) AS oldest
  ) AS placed
  WHERE position <= ${request.perCompany} ORDER BY since, subject LIMIT ${request.limit}
`
