/** A COMMIT that fails under a command on SQLite: a disk without space, or one that does not say what it wrote. */
import { look } from "@parcela/test-world/StoreWrites"
import { assert, describe, it } from "@effect/vitest"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import { Journal } from "@parcela/engine/ports/Journal"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { commitOperation, fromThrown } from "@parcela/sqlite/SqliteErrors"
import { type Transaction, GroupCommit } from "@parcela/sqlite/GroupCommit"
import { storedPayment, writes } from "../fixtures/CommandStoreFixtures.ts"
import { captured, minute } from "../fixtures/StoreFixtures.ts"
import { Effect, Layer, Result } from "effect"
import { recordOnSqlite } from "../../src/outbox/AttemptRecords.ts"
import * as SqliteCommandStore from "../../src/commands/SqliteCommandStore.ts"
import * as DatabaseMigrator from "@parcela/sqlite/DatabaseMigrator"
import * as Migrations from "../../src/migrations/Migrations.ts"
import * as OutboxSql from "../../src/OutboxSql.ts"
import * as StoreSql from "../../src/StoreSql.ts"
import { toStoreError } from "../../src/sql/StoreErrors.ts"

/** SQLITE_FULL, and SQLITE_IOERR_WRITE. */
const codes = { full: 13, io: 778 }

interface Failure {
  readonly code: keyof typeof codes
  /** True if the file contains the transaction nevertheless. */
  readonly isDone: boolean
}

class RolledBack extends Error {}

const failureOf = (code: keyof typeof codes) =>
  fromThrown(
    Object.assign(new Error("disk"), { code: "ERR_SQLITE_ERROR", errcode: codes[code] }),
    "test.db",
    commitOperation
  )

/** Units whose next COMMITs fail, in this order. */
const failing = (failures: Array<Failure>) =>
  Layer.effect(
    GroupCommit,
    Effect.map(GroupCommit, (inner) => ({
      run: <A>(body: (tick: Transaction) => A) =>
        Effect.suspend(() => {
          const failure = failures.shift()
          if (failure === undefined) return inner.run(body)
          const run = inner.run((tick) => {
            body(tick)
            if (!failure.isDone) throw new RolledBack()
          })
          return Effect.andThen(Effect.exit(run), Effect.fail(failureOf(failure.code)))
        })
    }))
  )

const onFailing = (failures: Array<Failure>) =>
  Effect.provide(
    Layer.mergeAll(
      StoreSql.layerNoDeps,
      OutboxSql.layerSqlite,
      Layer.provide(SqliteCommandStore.layerNoDeps, failing(failures))
    ).pipe(
      Layer.provideMerge(DatabaseMigrator.layer({ loader: Migrations.loader, table: Migrations.table })),
      Layer.provideMerge(NodeSqliteClient.layer({ filename: ":memory:" }))
    ),
    { local: true }
  )

/** Captures a payment while COMMITs fail; says how it ended, and what stands afterwards. */
const capturedWhile = Effect.fnUntraced(function* (failures: Array<Failure>, planned: ReadonlyArray<Failure>) {
  const store = yield* CommandStore
  const make = yield* writes
  const { args, companyId, opened } = yield* storedPayment
  const next = captured(opened)
  let decisions = 0
  failures.push(...planned)
  const result = yield* store
    .run({
      load: "payment",
      args,
      decide: ({ found }) => {
        decisions += 1
        if (found!.transaction.status === "captured") return Result.succeed({ value: "was there", writes: undefined })
        const { customer, guard, transaction } = found!
        const changes = [{ table: "transactions", before: transaction, next, customerId: customer.id } as const]
        const events = [
          { _tag: "TransactionStatusChanged", transactionId: opened.id, from: "notSend", to: "captured" } as const
        ]
        return Result.succeed({ value: "written", writes: make({ guards: [guard], changes, events }, found!) })
      }
    })
    .pipe(
      Effect.match({
        onSuccess: ({ value }) => value,
        onFailure: ({ reason }) => reason._tag
      })
    )
  const { found } = yield* look("payment", { companyId, transaction: bySvcPayId(opened.id) })
  const journal = yield* Journal.use((all) => all.latest(companyId, 10))
  return { result, decisions, status: found!.transaction.status, entries: journal.length }
})

const nothing = { status: "notSend", entries: 0 } as const
const all = { status: "captured", entries: 1 } as const
const full: Failure = { code: "full", isDone: false }
const lost: Failure = { code: "io", isDone: false }
const done: Failure = { code: "io", isDone: true }

describe("a COMMIT that fails", () => {
  it.effect.each([
    ["on a full disk stores nothing and is reported", [full], { result: "Unavailable", decisions: 1, ...nothing }],
    ["with an unknown outcome runs again if nothing was stored", [lost], { result: "written", decisions: 2, ...all }],
    ["with an unknown outcome is recognized if it was stored", [done], { result: "was there", decisions: 2, ...all }],
    [
      "repeatedly has an unknown outcome, because one of them may be stored",
      [lost, lost, lost, lost, lost, lost],
      { result: "CommitUnknown", decisions: 6, ...nothing }
    ],
    [
      "with an unknown outcome is never reported as unchanged, also with a full disk afterwards",
      [lost, full],
      { result: "CommitUnknown", decisions: 2, ...nothing }
    ]
  ] as const)("%s", ([, planned, expected]) =>
    Effect.suspend(() => {
      const failures: Array<Failure> = []
      return Effect.map(capturedWhile(failures, planned), (stands) => assert.deepStrictEqual(stands, expected)).pipe(
        onFailing(failures)
      )
    })
  )

  it.effect("has an unknown outcome also while it records delivery attempts", () =>
    Effect.gen(function* () {
      const made = { startedAt: minute(1), duration: 1, status: 200, problem: undefined }
      const ended = { webhookId: 1, token: "t", result: { _tag: "Delivered", at: minute(1) }, made } as const
      const failed = yield* Effect.flip(recordOnSqlite({ run: () => Effect.fail(failureOf("io")) })([ended]))
      assert.strictEqual(toStoreError("deliveries")(failed).reason._tag, "CommitUnknown")
    }).pipe(onFailing([]))
  )
})
