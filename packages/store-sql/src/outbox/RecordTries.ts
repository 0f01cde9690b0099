/**
 * Records tries that have ended, many with one commit.
 *
 * @since 0.1.0
 */
import type { EndedTry } from "@parcela/engine/ports/Outbox"
import type { GroupCommit } from "@parcela/sqlite/GroupCommit"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { addRow, type Row, rowOf, settleAll, settleRow } from "./EndedTries.ts"

/** In a commit that is shared with what others write. */
const onSqlite = (groupCommit: GroupCommit["Service"], rows: ReadonlyArray<Row>) =>
  groupCommit.run((transaction) => {
    const held = rows.filter((row) => transaction.change(settleRow.text, settleRow.values(row)) > 0)
    for (const row of held) transaction.write(addRow.text, addRow.values(row))
    return held
  }, true)

const onPostgres = (sql: SqlClient, rows: ReadonlyArray<Row>) =>
  sql.unsafe<Pick<Row, "webhook_id">>(settleAll("$1"), [JSON.stringify(rows)])

/**
 * The numbers of the deliveries whose leases held. `groupCommit` is that of SQLite.
 *
 * @category statements
 * @since 0.1.0
 */
export const record = Effect.fnUntraced(function* (
  sql: SqlClient,
  groupCommit: GroupCommit["Service"] | undefined,
  tries: ReadonlyArray<EndedTry>
) {
  const rows = tries.map(rowOf)
  const held = yield* groupCommit === undefined ? onPostgres(sql, rows) : onSqlite(groupCommit, rows)
  return new Set(held.map(({ webhook_id }) => Number(webhook_id)))
})
