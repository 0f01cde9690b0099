/**
 * When a `CommandStore` runs a unit again.
 *
 * @since 0.1.0
 */
import { assert, it } from "@effect/vitest"
import { bySvcPayId, MyId } from "@parcela/core/values/Identifier"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import type { Found } from "@parcela/engine/command/Loads"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { newTransaction } from "../StoreFixtures.ts"
import { writeTransaction } from "../StoreWrites.ts"
import { conflictOf } from "./Failures.ts"
import { look, writes, keptPayment } from "../CommandStoreFixtures.ts"
import { counting, type OnEmpty, paymentsIn } from "./CommandStoreCases.ts"

/** A payment that is to be added, and another one of the same `myId`. */
const addition = Effect.gen(function* () {
  const { companyId, opened, subscription } = yield* keptPayment
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

/** Guards that moved, and rows in the way. */
export const reruns = (onEmpty: OnEmpty): void => {
  it.effect("decides again on a new load when its root was written since the first one", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args, subscription } = yield* keptPayment
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
      const kept = Option.getOrThrow(yield* all.find(args.companyId, bySvcPayId(subscription.id)))
      assert.strictEqual(kept.payments, 2)
    }).pipe(onEmpty)
  )

  it.effect("meets the row that stood in its way, and refuses by its own rule", () =>
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

  it.effect("is in conflict when the same row stands in its way again", () =>
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
