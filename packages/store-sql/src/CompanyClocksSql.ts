/**
 * The clocks of companies in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, ClockOffset, type MachineTime } from "@parcela/core/time/Instant"
import {
  type ClockLease,
  CompanyClocks,
  type EndedAdvance,
  type LastAdvance
} from "@parcela/engine/ports/CompanyClocks"
import { JournalCursor } from "@parcela/engine/ports/Journal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./sql/Columns.ts"
import { forUpdate } from "./sql/Dialect.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import * as Spans from "@parcela/engine/Spans"

type Port = CompanyClocks["Service"]

const decodeClocks = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      offset: Columns.integer(ClockOffset),
      restores: Columns.integer(Schema.Int),
      target: Schema.NullOr(Columns.integer(BusinessTime)),
      name: Schema.NullOr(Schema.String),
      namedTarget: Schema.NullOr(Columns.integer(BusinessTime))
    })
  )
)

const decodeAdvances = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      name: Schema.NullOr(Schema.String),
      from: Columns.integer(BusinessTime),
      target: Columns.integer(BusinessTime),
      steps: Columns.integer(Schema.Int),
      eventsAfter: Schema.NullOr(JournalCursor),
      reached: Schema.NullOr(Columns.integer(BusinessTime)),
      eventsUntil: Schema.NullOr(JournalCursor)
    })
  )
)

const lastOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, companyId: CompanyId) {
  const [row] = yield* decodeAdvances(
    yield* sql`
      SELECT name, from_at AS "from", target, hops AS steps, events_after AS "eventsAfter", reached,
        events_until AS "eventsUntil"
      FROM last_advances WHERE company_id = ${companyId}
    `
  )
  if (row === undefined) return undefined
  const { eventsAfter, eventsUntil, name, reached, ...last } = row
  const ended: EndedAdvance | undefined =
    reached === null ? undefined : { reached, eventsUntil: eventsUntil ?? undefined }
  return { ...last, name: name ?? undefined, eventsAfter: eventsAfter ?? undefined, ended } satisfies LastAdvance
})

const storeErrors = Effect.mapError(toStoreError("companies"))

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CompanyClocks, never, SqlClient.SqlClient> = Layer.effect(
  CompanyClocks,
  Effect.map(SqlClient.SqlClient, (sql) =>
    CompanyClocks.of({ find: find(sql), lastAdvance: lastAdvance(sql), ...leasing(sql), advance: advance(sql) })
  )
)

const find = (sql: SqlClient.SqlClient): Port["find"] =>
  Spans.fn("CompanyClocks.find")(function* (companyId: CompanyId) {
    const rows = yield* sql`
      SELECT c.clock_offset AS "offset", c.restores, a.target, n.name, n.target AS "namedTarget" FROM companies AS c
      LEFT JOIN clock_advances AS a ON a.company_id = c.id
      LEFT JOIN named_advances AS n ON n.company_id = c.id WHERE c.id = ${companyId}
    `
    const [row] = yield* decodeClocks(rows)
    if (row === undefined) return Option.none()
    const { name, namedTarget, offset, restores, target } = row
    return Option.some({
      offset,
      restores,
      advancingTo: target ?? undefined,
      named: name === null || namedTarget === null ? undefined : { name, target: namedTarget }
    })
  }, storeErrors)

const lastAdvance = (sql: SqlClient.SqlClient): Port["lastAdvance"] =>
  Spans.fn("CompanyClocks.lastAdvance")(
    (companyId: CompanyId) => Effect.map(lastOf(sql, companyId), Option.fromUndefinedOr),
    storeErrors
  )

const held = (sql: SqlClient.SqlClient, { companyId, token }: ClockLease) =>
  sql`company_id = ${companyId} AND lease = ${token}`

/** After the lease has expired, other workers lease jobs of the company, even if no one has taken over the clock advance. */
const lasting = (sql: SqlClient.SqlClient, lease: ClockLease, now: MachineTime) =>
  sql`${held(sql, lease)} AND due_at > ${now}`

type Request = Parameters<Port["lease"]>[1]

/** Stores a clock advance as the company's last one, unless it continues the last one. */
const begin = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  companyId: CompanyId,
  { eventsAfter, from, name, target }: Request,
  cutOffAt: number | undefined
) {
  const last = yield* lastOf(sql, companyId)
  const goesOn = name === undefined ? cutOffAt === target : last?.name === name
  if (last !== undefined && goesOn && last.target === target) return last
  const started: LastAdvance = { name, from, target, steps: 0, eventsAfter, ended: undefined }
  const row = {
    company_id: companyId,
    name: name ?? null,
    from_at: from,
    target,
    hops: 0,
    events_after: eventsAfter ?? null
  }
  yield* sql`
    INSERT INTO last_advances ${sql.insert(row)}
    ON CONFLICT (company_id) DO UPDATE SET name = excluded.name, from_at = excluded.from_at, target = excluded.target,
      hops = 0, events_after = excluded.events_after, reached = NULL, events_until = NULL
  `
  return started
})

const end = (sql: SqlClient.SqlClient, companyId: CompanyId, ended: EndedAdvance) => sql`
  UPDATE last_advances SET reached = ${ended.reached}, events_until = ${ended.eventsUntil ?? null}
  WHERE company_id = ${companyId} AND reached IS NULL
`

const leasing = (sql: SqlClient.SqlClient): Pick<Port, "cancel" | "lease" | "extend" | "release"> => {
  let leases = 0
  return {
    lease: Spans.fn("CompanyClocks.lease")(
      function* (companyId, request) {
        const { name, now, owner, target, until } = request
        const token = `${owner} clock ${++leases}`
        const row = { company_id: companyId, target, due_at: until, waits_since: now, lease_owner: owner, lease: token }
        const [cutOff] = yield* sql<{ readonly target: number | string }>`
          SELECT target FROM clock_advances WHERE company_id = ${companyId}
        `
        const leased = yield* sql`
          INSERT INTO clock_advances ${sql.insert(row)}
          ON CONFLICT (company_id) DO UPDATE SET target = excluded.target, due_at = excluded.due_at,
            waits_since = excluded.waits_since, lease_owner = excluded.lease_owner, lease = excluded.lease
          WHERE clock_advances.lease IS NULL OR clock_advances.due_at <= ${now}
          RETURNING company_id
        `
        if (leased.length === 0) return Option.none()
        if (name !== undefined) {
          yield* sql`
            INSERT INTO named_advances ${sql.insert({ company_id: companyId, name, target })}
            ON CONFLICT (company_id) DO UPDATE SET name = excluded.name, target = excluded.target
          `
        }
        const started = yield* begin(sql, companyId, request, cutOff === undefined ? undefined : Number(cutOff.target))
        return Option.some({ companyId, token, begun: started })
      },
      sql.withTransaction,
      storeErrors
    ),

    extend: Spans.fn("CompanyClocks.extend")(function* (lease, { now, until }) {
      const rows = yield* sql`
        UPDATE clock_advances SET due_at = ${until}, waits_since = ${now} WHERE ${lasting(sql, lease, now)}
        RETURNING company_id
      `
      return rows.length > 0
    }, storeErrors),

    release: Spans.fn("CompanyClocks.release")(
      function* (lease, ended) {
        const released = yield* sql`DELETE FROM clock_advances WHERE ${held(sql, lease)} RETURNING company_id`
        if (released.length > 0 && ended !== undefined) yield* end(sql, lease.companyId, ended)
      },
      sql.withTransaction,
      storeErrors
    ),

    cancel: Spans.fn("CompanyClocks.cancel")(
      function* (companyId, ended) {
        const cancelled = yield* sql`DELETE FROM clock_advances WHERE company_id = ${companyId} RETURNING company_id`
        if (cancelled.length > 0) yield* end(sql, companyId, ended)
        return cancelled.length > 0
      },
      sql.withTransaction,
      storeErrors
    )
  }
}

const advance = (sql: SqlClient.SqlClient): Port["advance"] =>
  Spans.fn("CompanyClocks.advance")(
    function* (lease, { now, offset }) {
      const { companyId } = lease
      // The lock keeps other processes from taking over the lease between the read and the change.
      const rows = yield* sql`
        UPDATE companies SET version = version + 1,
          clock_offset = CASE WHEN clock_offset < ${offset} THEN ${offset} ELSE clock_offset END
        WHERE id = ${companyId} AND EXISTS (SELECT 1 FROM clock_advances WHERE ${lasting(sql, lease, now)} ${forUpdate(sql)})
        RETURNING id
      `
      if (rows.length === 0) return false
      yield* sql`
        UPDATE last_advances SET hops = hops + 1, reached = NULL, events_until = NULL WHERE company_id = ${companyId}
      `
      return true
    },
    sql.withTransaction,
    storeErrors
  )
