/** What only a store with several writers can show; `UnitOfWorkSuite` has what holds of every store. */
import { assert, describe, it } from "@effect/vitest"
import { byMyId, bySvcPayId, MyId } from "@parcela/core/values/Identifier"
import { Customers } from "@parcela/engine/ports/Customers"
import { Sequences } from "@parcela/engine/ports/Sequences"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { UnitOfWork } from "@parcela/engine/ports/UnitOfWork"
import { keptCompany, keptCustomer, keptSubscription, newCustomer } from "@parcela/testing/StoreFixtures"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { Cause, Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { toStoreError } from "../../src/internal/StoreErrors.ts"

const onEmpty = Effect.provide(storeOf("PostgreSQL"), { local: true })

describe("UnitOfWork on PostgreSQL", () => {
  it.effect("a row that another command changed is noticed, and the unit decides again on what it is now", () =>
    Effect.gen(function* () {
      const { transact } = yield* UnitOfWork
      const customers = yield* Customers
      const { id: companyId } = yield* keptCompany
      const kept = yield* keptCustomer(companyId, { name: "Ana" })
      const hasRead = yield* Deferred.make<void>()
      const mayWrite = yield* Deferred.make<void>()
      const seen: Array<string> = []
      const slow = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* customers.find(companyId, bySvcPayId(kept.id)))
            seen.push(found.name)
            yield* Deferred.succeed(hasRead, undefined)
            yield* Deferred.await(mayWrite)
            yield* customers.update({ ...found, emails: ["new@example.com"] })
          })
        )
      )
      yield* Deferred.await(hasRead)
      yield* transact(customers.update({ ...kept, name: "Ana Maria" }))
      yield* Deferred.succeed(mayWrite, undefined)
      yield* Fiber.join(slow)
      assert.deepStrictEqual(seen, ["Ana", "Ana Maria"])
      assert.deepStrictEqual(
        yield* customers.find(companyId, bySvcPayId(kept.id)),
        Option.some({ ...kept, name: "Ana Maria", emails: ["new@example.com"] })
      )
    }).pipe(onEmpty)
  )

  it.effect("a unit that loses every time ends after five reruns, and says that the store is unavailable", () =>
    Effect.gen(function* () {
      const { transact } = yield* UnitOfWork
      const subscriptions = yield* Subscriptions
      const company = yield* keptCompany
      const kept = yield* keptSubscription(company.id)
      const outside = yield* outsideOfUnits
      let runs = 0
      const losing = transact(
        Effect.gen(function* () {
          // A list locks nothing in a rerun, so another one is always faster.
          const page = { startAt: 0, limit: 1, order: [] } as const
          const [found] = yield* subscriptions.list(company.id, { svcPayIds: [kept.id] }, page)
          runs += 1
          yield* outside(subscriptions.update({ ...kept, payments: runs }))
          yield* subscriptions.update({ ...found!.subscription, payments: 99 })
        })
      )
      const { reason } = yield* Effect.flip(losing)
      assert.strictEqual(reason._tag, "Unavailable")
      assert.strictEqual(runs, 6)
    }).pipe(onEmpty)
  )

  it.effect("two units that wait for one another both end", () =>
    Effect.gen(function* () {
      const { transact } = yield* UnitOfWork
      const subscriptions = yield* Subscriptions
      const { id: companyId } = yield* keptCompany
      const [one, two] = [yield* keptSubscription(companyId), yield* keptSubscription(companyId)]
      const bothHoldOne = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
      const add = Effect.fnUntraced(function* (id: typeof one.id) {
        const found = Option.getOrThrow(yield* subscriptions.findForUpdate(companyId, bySvcPayId(id)))
        yield* subscriptions.update({ ...found, payments: found.payments + 1 })
      })
      const inOrder = (first: typeof one.id, second: typeof one.id, mine: 0 | 1) =>
        transact(
          Effect.gen(function* () {
            yield* add(first)
            yield* Deferred.succeed(bothHoldOne[mine], undefined)
            yield* Deferred.await(bothHoldOne[mine === 0 ? 1 : 0])
            yield* add(second)
          })
        )
      yield* Effect.all([inOrder(one.id, two.id, 0), inOrder(two.id, one.id, 1)], { concurrency: 2 })
      const after = yield* Effect.forEach([one, two], ({ id }) => subscriptions.find(companyId, bySvcPayId(id)))
      assert.deepStrictEqual(
        after.map((found) => Option.getOrThrow(found).payments),
        [2, 2]
      )
    }).pipe(onEmpty)
  )

  it.effect("a row that another command inserted first is seen by the rerun, which refuses instead of a conflict", () =>
    Effect.gen(function* () {
      const { transact } = yield* UnitOfWork
      const customers = yield* Customers
      const { id: companyId } = yield* keptCompany
      const myId = MyId.make("the same")
      const hasLooked = yield* Deferred.make<void>()
      const isTaken = yield* Deferred.make<void>()
      const create = (between: Effect.Effect<void>) =>
        transact(
          Effect.gen(function* () {
            const found = yield* customers.find(companyId, byMyId(myId))
            if (Option.isSome(found)) return yield* Effect.fail("MyIdTaken" as const)
            yield* between
            yield* customers.insert(yield* newCustomer(companyId, { myId }))
          })
        )
      const slow = yield* Effect.forkChild(
        create(Effect.andThen(Deferred.succeed(hasLooked, undefined), Deferred.await(isTaken)))
      )
      yield* Deferred.await(hasLooked)
      yield* create(Effect.void)
      yield* Deferred.succeed(isTaken, undefined)
      assert.strictEqual(yield* Effect.flip(Fiber.join(slow)), "MyIdTaken")
    }).pipe(onEmpty)
  )

  it.effect("the same key twice in one unit is run again once, and then says which key", () =>
    Effect.gen(function* () {
      const { transact } = yield* UnitOfWork
      const customers = yield* Customers
      const { id: companyId } = yield* keptCompany
      yield* keptCustomer(companyId, { myId: MyId.make("taken") })
      const twin = yield* newCustomer(companyId, { myId: MyId.make("taken") })
      let runs = 0
      const blind = transact(
        Effect.suspend(() => {
          runs += 1
          return customers.insert(twin)
        })
      )
      const { reason } = yield* Effect.flip(blind)
      assert.deepInclude(reason, { _tag: "Conflict", constraint: "customers.my_id" })
      assert.strictEqual(runs, 2)
    }).pipe(onEmpty)
  )

  it.effect("a connection that ends within a unit or a transaction is an unavailable store, not a defect", () =>
    Effect.gen(function* () {
      const { transact } = yield* UnitOfWork
      const sql = yield* SqlClient.SqlClient
      const outside = yield* outsideOfUnits
      const disconnected = Effect.gen(function* () {
        const [own] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
        yield* outside(sql`SELECT pg_terminate_backend(${own!.pid}, 5000)`)
        yield* sql`SELECT 1`
      })
      const unit = yield* Effect.flip(Effect.sandbox(transact(Effect.mapError(disconnected, toStoreError("the test")))))
      assert.deepStrictEqual(
        unit.reasons.map((reason) => Cause.isFailReason(reason) && reason.error.reason._tag),
        ["Unavailable"]
      )
      const transaction = yield* Effect.flip(Effect.sandbox(sql.withTransaction(disconnected)))
      assert.deepStrictEqual(
        transaction.reasons.map(
          (reason) => Cause.isFailReason(reason) && toStoreError("the test")(reason.error).reason._tag
        ),
        ["Unavailable"]
      )
    }).pipe(onEmpty)
  )

  it.effect("a refusal is not run again", () =>
    Effect.gen(function* () {
      const { transact } = yield* UnitOfWork
      let runs = 0
      const refused = transact(
        Effect.suspend(() => {
          runs += 1
          return Effect.fail("refused")
        })
      )
      assert.strictEqual(yield* Effect.flip(refused), "refused")
      assert.strictEqual(runs, 1)
    }).pipe(onEmpty)
  )

  it.effect("a unit that took an identifier and is still open holds nobody up who wants one", () =>
    Effect.gen(function* () {
      const { transact } = yield* UnitOfWork
      const sequences = yield* Sequences
      const taken = yield* Deferred.make<number>()
      const open = yield* Effect.forkChild(
        transact(
          Effect.flatMap(sequences.next("card"), (id) => Effect.andThen(Deferred.succeed(taken, id), Effect.never))
        )
      )
      const first = yield* Deferred.await(taken)
      assert.isAbove(yield* transact(sequences.next("card")), first)
      yield* Fiber.interrupt(open)
    }).pipe(onEmpty)
  )
})

/** Runs an effect in a fiber that was started outside of every unit. */
const outsideOfUnits = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  return <A, E>(effect: Effect.Effect<A, E>) => Effect.promise(() => Effect.runPromise(Effect.provide(effect, context)))
})
