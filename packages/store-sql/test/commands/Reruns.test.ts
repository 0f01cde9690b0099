/** Tests of commands that a `CommandStore` runs again. */
import { SqlClient } from "effect/sql"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { assert, describe, it } from "@effect/vitest"
import { ClockOffset } from "@parcela/core/time/Instant"
import { bySvcPayId, MyId } from "@parcela/core/values/Identifier"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import type { Args, Found } from "@parcela/engine/command/Loads"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { Effect, Option, Result } from "effect"
import { newTransaction, conflictOf, minute, onEmptyStore } from "../fixtures/StoreFixtures.ts"
import { look, writeTransaction } from "@parcela/test-world/StoreWrites"
import {
  writes,
  storedPayment,
  counting,
  type OnEmpty,
  paymentsIn,
  withPayments
} from "../fixtures/CommandStoreFixtures.ts"

/** A payment that is to be added, and another one of the same `myId`. */
const addition = Effect.gen(function* () {
  const { companyId, opened, subscription } = yield* storedPayment
  const make = yield* writes
  const myId = MyId.make("added")
  const owned = { owner: opened.owner, cardId: opened.cardId, myId }
  const added = yield* newTransaction(companyId, owned)
  const adding = (found: Found<"newPayment">) =>
    make(
      { guards: [found.guard], changes: [{ table: "transactions", next: added, customerId: found.customer.id }] },
      found
    )
  const args = { companyId, subscription: bySvcPayId(subscription.id), myId }
  return { adding, args, twin: yield* newTransaction(companyId, owned) }
})

/** Commands that have the data of an earlier command. */
const known = (onEmpty: OnEmpty): void => {
  /** Counts a payment of the subscription. Returns the number of payments that each decision found. */
  const counts = Effect.fnUntraced(function* (args: Args<"payment">, loaded: PaymentContext) {
    const store = yield* CommandStore
    const counted = yield* counting
    const seen: Array<number | undefined> = []
    const { value } = yield* store.run({
      load: "payment",
      args,
      loaded,
      decide: ({ found }) => {
        seen.push(paymentsIn(found))
        return Result.succeed({ value: seen, writes: counted(found!) })
      }
    })
    return value
  })

  it.effect("decides on the data of an earlier command, and on a new load once its root has changed", () =>
    Effect.gen(function* () {
      const { args } = yield* storedPayment
      const found = (yield* look("payment", args)).found!
      assert.deepStrictEqual(yield* counts(args, withPayments(found, 7)), [7])
      assert.deepStrictEqual(yield* counts(args, found), [0, 8])
    }).pipe(onEmpty)
  )

  it.effect("decides on a new load once the clock of the company has changed", () =>
    Effect.gen(function* () {
      const { args, companyId } = yield* storedPayment
      const found = (yield* look("payment", args)).found!
      const clocks = yield* CompanyClocks
      const times = { from: minute(1), target: minute(9), now: minute(1), until: minute(2) }
      const lease = Option.getOrThrow(yield* clocks.lease(companyId, { owner: "test", ...times }))
      yield* clocks.advance(lease, { now: minute(1), offset: ClockOffset.make(60_000) })
      assert.deepStrictEqual(yield* counts(args, withPayments(found, 7)), [7, 0])
    }).pipe(onEmpty)
  )

  it.effect("loads if its decision writes nothing, because no guard has confirmed the data", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args } = yield* storedPayment
      const found = (yield* look("payment", args)).found!
      const ran = store.run({
        load: "payment",
        args,
        loaded: withPayments(found, 7),
        decide: ({ found }) => Result.succeed({ value: paymentsIn(found), writes: undefined })
      })
      assert.strictEqual((yield* ran).value, 0)
    }).pipe(onEmpty)
  )
}

/** Guards that moved, and rows in the way. */
const reruns = (onEmpty: OnEmpty): void => {
  it.effect("decides again on a new load when its root has changed since the first load", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args, subscription } = yield* storedPayment
      const counted = yield* counting
      const stale = (yield* look("payment", args)).found!
      const count = (first: PaymentContext | undefined) => {
        const seen: Array<number | undefined> = []
        const ran = store.run({
          load: "payment",
          args,
          decide: ({ found }) => {
            const used = (seen.length === 0 ? first : undefined) ?? found!
            seen.push(paymentsIn(used))
            return Result.succeed({ value: seen, writes: counted(used) })
          }
        })
        return Effect.map(ran, ({ value }) => value)
      }
      assert.deepStrictEqual(yield* count(undefined), [0])
      assert.deepStrictEqual(yield* count(stale), [0, 1])
      const all = yield* Subscriptions
      const stored = Option.getOrThrow(yield* all.find(args.companyId, bySvcPayId(subscription.id)))
      assert.strictEqual(stored.payments, 2)
    }).pipe(onEmpty)
  )

  it.effect("loads the row that caused a conflict, and refuses by its own rule", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { adding, args, twin } = yield* addition
      const stale = (yield* look("newPayment", args)).found!
      // The root does not move: only the row shows it.
      yield* writeTransaction(twin)
      let decisions = 0
      const add = store.run({
        load: "newPayment",
        args,
        decide: ({ found }) => {
          decisions += 1
          const used = decisions === 1 ? stale : found!
          return used.sameMyId === undefined
            ? Result.succeed({ value: undefined, writes: adding(used) })
            : Result.fail("taken" as const)
        }
      })
      assert.strictEqual(yield* Effect.flip(add), "taken")
      assert.strictEqual(decisions, 2)
    }).pipe(onEmpty)
  )

  it.effect("is a conflict when the same row causes a conflict again", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { adding, args, twin } = yield* addition
      yield* writeTransaction(twin)
      let decisions = 0
      const add = store.run({
        load: "newPayment",
        args,
        decide: ({ found }) => {
          decisions += 1
          return Result.succeed({ value: undefined, writes: adding(found!) })
        }
      })
      assert.strictEqual(yield* conflictOf(add), "transactions.my_id")
      assert.strictEqual(decisions, 2)
    }).pipe(onEmpty)
  )
}

forEachStore((name, layer) =>
  describe(`a transaction that runs again (${name})`, () => {
    reruns(onEmptyStore(layer))
  })
)

forEachStore((name, layer) =>
  describe(`a command with the data of an earlier one (${name})`, () => {
    known(onEmptyStore(layer))
  })
)

forEachStore((name, layer) =>
  describe(`a guard (${name})`, () => {
    it.effect("prevents a write to a row that a statement outside the command store has changed", () =>
      Effect.gen(function* () {
        const store = yield* CommandStore
        const sql = yield* SqlClient.SqlClient
        const make = yield* writes
        const { args, companyId, subscription } = yield* storedPayment
        const stale = (yield* look("payment", args)).found!
        yield* sql`UPDATE subscriptions SET version = version + 1 WHERE id = ${subscription.id}`
        const decidedOn: Array<number> = []
        yield* store.run({
          load: "payment",
          args,
          decide: (loaded) => {
            const found = decidedOn.length === 0 ? stale : loaded.found!
            decidedOn.push(found.guard.version)
            const next = { ...subscription, payments: subscription.payments + decidedOn.length }
            const change = { table: "subscriptions", before: subscription, next } as const
            return Result.succeed({
              value: undefined,
              writes: make({ guards: [found.guard], changes: [change] }, found)
            })
          }
        })
        assert.deepStrictEqual(decidedOn, [stale.guard.version, stale.guard.version + 1])
        const stored = yield* Subscriptions.use((all) => all.find(companyId, bySvcPayId(subscription.id)))
        assert.strictEqual(Option.getOrThrow(stored).payments, subscription.payments + 2)
      }).pipe(Effect.provide(layer, { local: true }))
    )
  })
)
