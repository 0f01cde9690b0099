/**
 * The journal in SQL: rows are added and never changed.
 *
 * **Details**
 *
 * A cursor goes by the order of commits. On SQLite one writes at a time, and numbers are in that order. On PostgreSQL a
 * number may be given early and committed late, behind the back of a follower that is past it. There an entry has the
 * number of its transaction too, and a follower reads in the order of both, only below the oldest transaction that is
 * under way: nothing can be committed there any more. A transaction that stays open, in any database of the server, so
 * delays followers, and no writer.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { Journal, JournalCursor, UnknownCursor } from "@parcela/engine/ports/Journal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { toStoreError } from "./internal/StoreErrors.ts"
import { columns, entriesOf } from "./tables/Journal.ts"

/** A place by the numbers of transaction and entry; SQLite has no number of the first kind. */
const cursorPattern = /^(\d{1,20})-(\d{1,18})$/

const beginning = "0-0"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Journal, never, SqlClient.SqlClient> = Layer.effect(
  Journal,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("journal"))
    const isPg = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
    const order = (direction: "ASC" | "DESC") =>
      sql.literal(isPg ? `xid ${direction}, id ${direction}` : `id ${direction}`)

    const after = (cursor: string) => {
      const [, xid = "", id = ""] = cursorPattern.exec(cursor) ?? []
      return isPg
        ? sql`(xid, id) > (${xid}::text::xid8, ${id}::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())`
        : sql`id > ${Number(id)}`
    }

    const following = Effect.fnUntraced(function* (cursor: string, limit: number, companyId: CompanyId | undefined) {
      const ofCompany = companyId === undefined ? sql`` : sql`company_id = ${companyId} AND`
      const rows = yield* sql<{ readonly place: string }>`
        SELECT ${sql.literal(isPg ? "xid::text || '-' || id" : "'0-' || id")} AS place, ${sql.literal(columns)}
        FROM journal WHERE ${ofCompany} ${after(cursor)} ORDER BY ${order("ASC")} LIMIT ${limit}
      `
      return { entries: yield* entriesOf(rows), place: rows.at(-1)?.place }
    }, storeErrors)

    return Journal.of({
      latest: Effect.fn("Journal.latest")(function* (companyId: CompanyId, limit: number) {
        const rows = yield* sql`
          SELECT ${sql.literal(columns)} FROM journal
          WHERE company_id = ${companyId} ORDER BY ${order("DESC")} LIMIT ${limit}
        `
        return (yield* entriesOf(rows)).toReversed()
      }, storeErrors),

      follow: Effect.fn("Journal.follow")(function* (cursor, limit, companyId) {
        if (cursor !== undefined && !cursorPattern.test(cursor)) return yield* new UnknownCursor({ cursor })
        const { entries, place } = yield* following(cursor ?? beginning, limit, companyId)
        return { entries, next: place === undefined ? cursor : JournalCursor.make(place) }
      })
    })
  })
)
