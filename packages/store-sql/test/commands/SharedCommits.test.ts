/** Compares commands that share a commit on SQLite with the same commands one after another. */
import { assert, describe, it } from "@effect/vitest"
import { bySvcPayId, MyId } from "@parcela/core/values/Identifier"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { storedPayment, writes } from "../fixtures/CommandStoreFixtures.ts"
import { captured, newTransaction } from "../fixtures/StoreFixtures.ts"
import { Arbitrary, Cause, Effect, Exit, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as SqliteCommandStore from "../../src/commands/SqliteCommandStore.ts"
import * as DatabaseMigrator from "@parcela/sqlite/DatabaseMigrator"
import * as Migrations from "../../src/migrations/Migrations.ts"
import * as OutboxSql from "../../src/OutboxSql.ts"
import * as StoreSql from "../../src/StoreSql.ts"

/**
 * - `capture`: refused when it was captured already
 * - `add`: refused when there is a payment of that `myId`
 * - `add blindly`: a payment of that `myId` stands in the way
 * - `break`: a defect, after it was loaded
 */
const Command = Schema.Struct({
  kind: Schema.Literals(["capture", "add", "add blindly", "break"]),
  /** The index of a payment, or a `myId`. */
  of: Schema.Literals([0, 1, 2])
})

const Commands = Schema.Array(Command).check(Schema.isMinLength(2), Schema.isMaxLength(12))

const capture = Effect.fnUntraced(function* (of: Payment) {
  const store = yield* CommandStore
  const make = yield* writes
  return store.run({
    load: "payment",
    args: of.args,
    decide: ({ found }) => {
      const { customer, guard, transaction } = found!
      if (transaction.status === "captured") return Result.fail("captured already")
      const next = captured(of.opened)
      const changes = [{ table: "transactions", before: transaction, next, customerId: customer.id } as const]
      const events = [
        { _tag: "TransactionStatusChanged", transactionId: next.id, from: "notSend", to: "captured" } as const
      ]
      return Result.succeed({ value: "captured", writes: make({ guards: [guard], changes, events }, found!) })
    }
  })
})

const add = Effect.fnUntraced(function* (of: Payment, next: TransactionState, isBlind: boolean) {
  const store = yield* CommandStore
  const make = yield* writes
  return store.run({
    load: "newPayment",
    args: { companyId: of.companyId, subscription: bySvcPayId(of.subscription.id), myId: next.myId! },
    decide: ({ found }) => {
      const { customer, guard, sameMyId } = found!
      if (sameMyId !== undefined && !isBlind) return Result.fail(`taken by ${sameMyId.id}`)
      const changes = [{ table: "transactions", next, customerId: customer.id } as const]
      return Result.succeed({ value: "added", writes: make({ guards: [guard], changes }, found!) })
    }
  })
})

const broken = Effect.fnUntraced(function* (of: Payment) {
  const store = yield* CommandStore
  return store.run<"payment", string, string>({
    load: "payment",
    args: of.args,
    decide: () => {
      throw new Error("broken")
    }
  })
})

type Payment = Effect.Success<typeof storedPayment>

/** The result of each command, and the rows of a new company afterwards. */
const ran = Effect.fnUntraced(function* (commands: ReadonlyArray<typeof Command.Type>, concurrency: "unbounded" | 1) {
  const payments = [yield* storedPayment, yield* storedPayment, yield* storedPayment] as const
  const units = yield* Effect.forEach(commands, ({ kind, of }) =>
    Effect.gen(function* () {
      const payment = payments[of]
      switch (kind) {
        case "capture":
          return yield* capture(payment)
        case "break":
          return yield* broken(payment)
        default: {
          const { cardId, owner } = payment.opened
          const next = yield* newTransaction(payment.companyId, { owner, cardId, myId: MyId.make(`added ${of}`) })
          return yield* add(payment, next, kind === "add blindly")
        }
      }
    })
  )
  const exits = yield* Effect.forEach(units, Effect.exit, { concurrency })
  const sql = yield* SqlClient.SqlClient
  const transactions = yield* sql`SELECT * FROM transactions ORDER BY id`
  const journal = yield* sql`SELECT * FROM journal ORDER BY id`
  return { ends: exits.map(endOf), transactions, journal }
})

const endOf = (exit: Exit.Exit<{ readonly value: string }, unknown>): string =>
  Exit.match(exit, { onSuccess: ({ value }) => value, onFailure: (cause) => `${Cause.squash(cause)}` })

const conflict = "StoreError: A row with this key exists already (transactions.my_id)"

const onStore = Layer.mergeAll(StoreSql.layerNoDeps, OutboxSql.layerSqlite, SqliteCommandStore.layerNoDeps).pipe(
  Layer.provideMerge(DatabaseMigrator.layer(Migrations)),
  Layer.provideMerge(NodeSqliteClient.layer({ filename: ":memory:" })),
  Layer.fresh
)

describe("commands that share commits", () => {
  it.effect("have the same results and rows as without group commit", () =>
    Effect.gen(function* () {
      const [shared, alone] = [yield* Layer.build(onStore), yield* Layer.build(onStore)]
      const samples = yield* Arbitrary.sampleEffect(Arbitrary.schema(Commands), { count: 20, seed: 62 })
      const ends = new Set<string>()
      for (const commands of samples) {
        const together = yield* Effect.provide(ran(commands, "unbounded"), shared)
        const oneByOne = yield* Effect.provide(ran(commands, 1), alone)
        assert.deepStrictEqual(together, oneByOne)
        for (const end of together.ends) ends.add(end.replace(/ by \d+/, ""))
      }
      assert.sameMembers([...ends], ["captured", "captured already", "added", "taken", "Error: broken", conflict])
    })
  )
})
