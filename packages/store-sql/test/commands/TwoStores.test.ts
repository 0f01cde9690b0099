/** Tests of two `CommandStore`s over one database, like two processes. */
import { emptyDatabase } from "@parcela/tooling-postgres/Database"
import * as StoreSql from "../../src/StoreSql.ts"
import { look } from "@parcela/test-world/StoreWrites"
import { assert, describe, it } from "@effect/vitest"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import type { Found, Loaded } from "@parcela/engine/command/Loads"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import { type Context, Effect, Layer, Redacted, Result, type Scope } from "effect"
import {
  storedPayment,
  writes,
  counting,
  keyOf,
  storedKey,
  countedIn,
  paymentsIn
} from "../fixtures/CommandStoreFixtures.ts"
import { storedTransaction, type StoreLayer } from "../fixtures/StoreFixtures.ts"

type Store = Context.Context<StorePorts>

const isEven = (index: number) => index % 2 === 0

/** Two stores on one database, on which units are counted, compared and refused as on one. */
const together = (
  pair: Effect.Effect<{ readonly first: StoreLayer; readonly second: StoreLayer }, never, Scope.Scope>
): void => {
  const onBoth = <A, E>(test: (first: Store, second: Store) => Effect.Effect<A, E, StorePorts | Scope.Scope>) =>
    Effect.gen(function* () {
      const { first, second } = yield* pair
      const store = yield* Layer.build(Layer.fresh(first))
      return yield* Effect.provide(test(store, yield* Layer.build(Layer.fresh(second))), store)
    })

  it.effect("execute all transactions of both on one root, each on the result of the previous one", () =>
    onBoth(
      Effect.fnUntraced(function* (first, second) {
        const { args } = yield* storedPayment
        const counted = yield* counting
        const count = CommandStore.use((store) =>
          store.run({
            load: "payment",
            args,
            decide: ({ found }) => Result.succeed({ value: paymentsIn(found)!, writes: counted(found!) })
          })
        )
        const all = Array.from({ length: 10 }, (_, index) => index)
        const outcomes = yield* Effect.forEach(all, (index) => Effect.provide(count, isEven(index) ? first : second), {
          concurrency: "unbounded"
        })
        assert.sameMembers(
          outcomes.map(({ value }) => value),
          all
        )
        assert.strictEqual(paymentsIn((yield* look("payment", args)).found), 10)
      })
    )
  )

  it.effect("decide again when the other store has written since the load", () =>
    onBoth(
      Effect.fnUntraced(function* (first, second) {
        const { args } = yield* storedPayment
        const counted = yield* counting
        const seen: Array<number> = []
        const count = (stale?: PaymentContext) =>
          CommandStore.use((store) =>
            store.run({
              load: "payment",
              args,
              decide: ({ found }: Loaded<"payment">) => {
                const used = seen.length === 1 && stale !== undefined ? stale : found!
                seen.push(paymentsIn(used)!)
                return Result.succeed({ value: undefined, writes: counted(used) })
              }
            })
          )
        const stale = (yield* look("payment", args)).found!
        yield* Effect.provide(count(), second)
        yield* Effect.provide(count(stale), first)
        assert.deepStrictEqual(seen, [0, 0, 1])
      })
    )
  )

  it.effect("store a key that reaches both at the same time once, and the other store finds it", () =>
    onBoth(
      Effect.fnUntraced(function* (first, second) {
        const { companyId } = yield* storedPayment
        const make = yield* writes
        const key = keyOf(companyId)
        const roots = yield* Effect.all(Array.from({ length: 6 }, () => storedTransaction(companyId)))
        const decide = (subject: string) => (loaded: Loaded<"payment">) => {
          if (loaded.key !== undefined) return Result.succeed({ value: loaded.key.subject, writes: undefined })
          const found = loaded.found as Found<"payment">
          const set = make({ guards: [found.guard], changes: [countedIn(found)] }, found, storedKey(key, subject))
          return Result.succeed({ value: subject, writes: set })
        }
        const outcomes = yield* Effect.forEach(
          roots,
          ({ id }, index) =>
            CommandStore.use((store) =>
              store.run({
                load: "payment",
                args: { companyId, transaction: bySvcPayId(id) },
                key,
                decide: decide(`transaction:${id}`)
              })
            ).pipe(Effect.provide(isEven(index) ? first : second)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf([...new Set(outcomes.map(({ value }) => value))], 1)
        const counts = yield* Effect.forEach(roots, ({ id }) =>
          look("payment", { companyId, transaction: bySvcPayId(id) })
        )
        assert.strictEqual(counts.filter(({ found }) => paymentsIn(found) === 1).length, 1)
      })
    )
  )
}

// Only one process has a SQLite file open: there is no second store on it.
describe("two CommandStores on one PostgreSQL database", () => {
  together(
    Effect.map(Effect.orDie(emptyDatabase), (url) => {
      const open = () => StoreSql.layerPostgres({ url: Redacted.make(url) })
      return { first: open(), second: open() }
    })
  )
})
