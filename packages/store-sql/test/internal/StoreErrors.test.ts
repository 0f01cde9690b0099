import { assert, describe, it } from "@effect/vitest"
import { commitOperation, fromThrown } from "@parcela/sqlite/SqliteErrors"
import * as SqlError from "effect/sql/SqlError"
import { ofCommit, toStoreError } from "../../src/sql/StoreErrors.ts"

const sqlite = (errcode: number) => fromThrown(Object.assign(new Error("native"), { errcode }), "a.db", "execute")

const postgres = (
  tag: "ConnectionError" | "UnknownError" | "SqlSyntaxError" | "StatementTimeoutError",
  code?: string
) => new SqlError.SqlError({ reason: new SqlError[tag]({ cause: code === undefined ? new Error("gone") : { code } }) })

// SQLITE_BUSY, LOCKED, NOMEM, READONLY, IOERR_WRITE, FULL, CANTOPEN
const outages = [5, 6, 7, 8, 778, 13, 14].map(sqlite)

// SQLITE_ERROR, CORRUPT, CONSTRAINT_FOREIGNKEY, MISUSE, NOTADB
const faults = [1, 11, 787, 21, 26].map(sqlite)

describe("the error of a store", () => {
  it("is Unavailable when the store cannot be used for a while", () => {
    const states = ["53100", "53300", "57P01", "57P03", "58030", "08006"]
    for (const error of [
      ...outages,
      postgres("ConnectionError"),
      ...states.map((code) => postgres("UnknownError", code))
    ]) {
      assert.strictEqual(toStoreError("cards")(error).reason._tag, "Unavailable", String(error.reason.cause))
    }
  })

  it("is Rejected when the store would refuse the statement again", () => {
    for (const error of [...faults, postgres("SqlSyntaxError", "42601"), postgres("UnknownError", "XX001")]) {
      assert.strictEqual(toStoreError("cards")(error).reason._tag, "Rejected")
      assert.strictEqual(ofCommit(error).reason._tag, "Rejected")
    }
  })

  it("has an unknown outcome when the connection or the disk failed during a COMMIT, and otherwise changed nothing", () => {
    for (const error of [postgres("ConnectionError"), postgres("StatementTimeoutError", "57014"), sqlite(1034)]) {
      assert.strictEqual(ofCommit(error).reason._tag, "CommitUnknown")
    }
    const onSqlite = fromThrown(Object.assign(new Error("disk"), { errcode: 1034 }), "test.db", commitOperation)
    assert.strictEqual(toStoreError("cards")(onSqlite).reason._tag, "CommitUnknown")
    for (const error of [sqlite(13), sqlite(5), postgres("UnknownError", "53100")]) {
      assert.strictEqual(ofCommit(error).reason._tag, "Unavailable")
    }
  })
})
