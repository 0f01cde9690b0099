/**
 * The clocks of companies in SQL.
 *
 * @since 0.1.0
 */
import { BusinessTime, ClockOffset } from "@parcela/core/time/BusinessTime"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type ClockLease, CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

type Port = CompanyClocks["Service"]

const decodeClocks = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      offset: Columns.integer(ClockOffset),
      target: Schema.NullOr(Columns.integer(BusinessTime)),
      name: Schema.NullOr(Schema.String),
      namedTarget: Schema.NullOr(Columns.integer(BusinessTime))
    })
  )
)

const storeErrors = Effect.mapError(toStoreError("companies"))

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CompanyClocks, never, SqlClient.SqlClient> = Layer.effect(
  CompanyClocks,
  Effect.map(SqlClient.SqlClient, (sql) =>
    CompanyClocks.of({ find: find(sql), ...leasing(sql), advance: advance(sql) })
  )
)

const find = (sql: SqlClient.SqlClient): Port["find"] =>
  Effect.fn("CompanyClocks.find")(function* (companyId: CompanyId) {
    const rows = yield* sql`
      SELECT c.clock_offset AS "offset", a.target, n.name, n.target AS "namedTarget" FROM companies AS c
      LEFT JOIN clock_advances AS a ON a.company_id = c.id
      LEFT JOIN named_advances AS n ON n.company_id = c.id WHERE c.id = ${companyId}
    `
    const [row] = yield* decodeClocks(rows)
    if (row === undefined) return Option.none()
    const { name, namedTarget, offset, target } = row
    return Option.some({
      offset,
      advancingTo: target ?? undefined,
      named: name === null || namedTarget === null ? undefined : { name, target: namedTarget }
    })
  }, storeErrors)

const held = (sql: SqlClient.SqlClient, { companyId, token }: ClockLease) =>
  sql`company_id = ${companyId} AND lease = ${token}`

const leasing = (sql: SqlClient.SqlClient): Pick<Port, "lease" | "extend" | "release"> => {
  let leases = 0
  return {
    lease: Effect.fn("CompanyClocks.lease")(function* (companyId, { name, now, owner, target, until }) {
      const token = `${owner} clock ${++leases}`
      const row = {
        company_id: companyId,
        target,
        due_at: until,
        waits_since: now,
        lease_owner: owner,
        lease: token
      }
      const leased = sql`
        INSERT INTO clock_advances ${sql.insert(row)}
        ON CONFLICT (company_id) DO UPDATE SET target = excluded.target, due_at = excluded.due_at,
          waits_since = excluded.waits_since, lease_owner = excluded.lease_owner, lease = excluded.lease
        WHERE clock_advances.lease IS NULL OR clock_advances.due_at <= ${now}
        RETURNING company_id
      `
      const isLeased =
        name === undefined
          ? (yield* leased).length > 0
          : yield* sql.withTransaction(
              Effect.gen(function* () {
                if ((yield* leased).length === 0) return false
                yield* sql`
                  INSERT INTO named_advances ${sql.insert({ company_id: companyId, name, target })}
                  ON CONFLICT (company_id) DO UPDATE SET name = excluded.name, target = excluded.target
                `
                return true
              })
            )
      return isLeased ? Option.some({ companyId, token }) : Option.none()
    }, storeErrors),

    extend: Effect.fn("CompanyClocks.extend")(function* (lease, { now, until }) {
      const rows = yield* sql`
        UPDATE clock_advances SET due_at = ${until}, waits_since = ${now} WHERE ${held(sql, lease)} RETURNING company_id
      `
      return rows.length > 0
    }, storeErrors),

    release: Effect.fn("CompanyClocks.release")(function* (lease) {
      yield* sql`DELETE FROM clock_advances WHERE ${held(sql, lease)}`
    }, storeErrors)
  }
}

const advance = (sql: SqlClient.SqlClient): Port["advance"] => {
  // No other process takes the lease over between the read and the change.
  const locked = sql.onDialectOrElse({ pg: () => sql.literal("FOR UPDATE"), orElse: () => sql.literal("") })
  return Effect.fn("CompanyClocks.advance")(function* (lease, offset) {
    const rows = yield* sql`
      UPDATE companies SET clock_offset = CASE WHEN clock_offset < ${offset} THEN ${offset} ELSE clock_offset END
      WHERE id = ${lease.companyId} AND EXISTS (SELECT 1 FROM clock_advances WHERE ${held(sql, lease)} ${locked})
      RETURNING id
    `
    return rows.length > 0
  }, storeErrors)
}
