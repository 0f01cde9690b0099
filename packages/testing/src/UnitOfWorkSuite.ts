/**
 * What every adapter of the port `UnitOfWork` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { byMyId, bySvcPayId, MyId } from "@parcela/core/values/Identifier"
import { Companies } from "@parcela/engine/ports/Companies"
import { Customers } from "@parcela/engine/ports/Customers"
import { Journal } from "@parcela/engine/ports/Journal"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { UnitOfWork } from "@parcela/engine/ports/UnitOfWork"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import {
  keptCompany,
  keptCustomer,
  keptSubscription,
  newCustomer,
  newEntry,
  onEmptyStore,
  type StoreLayer
} from "./StoreFixtures.ts"

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`UnitOfWork (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    /** Writes through two ports, then goes on with `after`. */
    const writing = Effect.fnUntraced(function* <A, E, R>(after: Effect.Effect<A, E, R>) {
      const unitOfWork = yield* UnitOfWork
      const customers = yield* Customers
      const journal = yield* Journal
      const company = yield* keptCompany
      const customer = yield* newCustomer(company.id)
      const exit = yield* Effect.exit(
        unitOfWork.transact(
          Effect.gen(function* () {
            yield* customers.insert(customer)
            yield* journal.append([newEntry(company.id, customer.id)])
            return yield* after
          })
        )
      )
      const found = yield* customers.find(company.id, bySvcPayId(customer.id))
      const entries = yield* journal.latest(company.id, 10)
      return { exit, kept: [Option.isSome(found), entries.length === 1] }
    })

    it.effect("keeps all that was written, and answers what the effect answers", () =>
      Effect.gen(function* () {
        const { exit, kept } = yield* writing(Effect.succeed("done"))
        assert.deepStrictEqual(exit, Exit.succeed("done"))
        assert.deepStrictEqual(kept, [true, true])
      }).pipe(onEmpty)
    )

    it.effect("undoes all when the effect fails, and fails as it did", () =>
      Effect.gen(function* () {
        const { exit, kept } = yield* writing(Effect.fail("refused" as const))
        assert.deepStrictEqual(exit, Exit.fail("refused"))
        assert.deepStrictEqual(kept, [false, false])
      }).pipe(onEmpty)
    )

    it.effect("undoes all when the effect dies", () =>
      Effect.gen(function* () {
        const { exit, kept } = yield* writing(Effect.die("bug"))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        assert.deepStrictEqual(kept, [false, false])
      }).pipe(onEmpty)
    )

    it.effect("undoes all when the effect is interrupted, and the store goes on working", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const customers = yield* Customers
        const company = yield* keptCompany
        const customer = yield* newCustomer(company.id)
        const written = yield* Deferred.make<void>()
        const fiber = yield* Effect.forkChild(
          unitOfWork.transact(
            customers
              .insert(customer)
              .pipe(Effect.andThen(Deferred.succeed(written, undefined)), Effect.andThen(Effect.never))
          )
        )
        yield* Deferred.await(written)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* customers.find(company.id, bySvcPayId(customer.id)), Option.none())
        yield* customers.insert(customer)
      }).pipe(onEmpty)
    )

    it.effect("undoes an inner unit alone when its failure is caught outside it", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const customers = yield* Customers
        const company = yield* keptCompany
        const [before, inside, after] = [
          yield* newCustomer(company.id),
          yield* newCustomer(company.id),
          yield* newCustomer(company.id)
        ]
        yield* unitOfWork.transact(
          Effect.gen(function* () {
            yield* customers.insert(before)
            const inner = unitOfWork.transact(Effect.andThen(customers.insert(inside), Effect.fail("refused")))
            assert.strictEqual(yield* Effect.flip(inner), "refused")
            yield* customers.insert(after)
          })
        )
        const found = yield* Effect.forEach([before, inside, after], ({ id }) =>
          customers.find(company.id, bySvcPayId(id))
        )
        assert.deepStrictEqual(found, [Option.some(before), Option.none(), Option.some(after)])
      }).pipe(onEmpty)
    )

    it.effect("undoes an inner unit with the outer one", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const customers = yield* Customers
        const company = yield* keptCompany
        const customer = yield* newCustomer(company.id)
        const inner = unitOfWork.transact(customers.insert(customer))
        yield* Effect.flip(unitOfWork.transact(Effect.andThen(inner, Effect.fail("refused"))))
        assert.deepStrictEqual(yield* customers.find(company.id, bySvcPayId(customer.id)), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("goes on after a conflict inside it that was caught", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const customers = yield* Customers
        const company = yield* keptCompany
        const first = yield* keptCustomer(company.id)
        const second = yield* newCustomer(company.id)
        yield* unitOfWork.transact(
          Effect.gen(function* () {
            yield* Effect.flip(unitOfWork.transact(customers.insert(first)))
            yield* customers.insert(second)
          })
        )
        assert.deepStrictEqual(yield* customers.find(company.id, bySvcPayId(second.id)), Option.some(second))
      }).pipe(onEmpty)
    )

    it.effect("loses no update of units that read and write the same row at once", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const subscriptions = yield* Subscriptions
        const company = yield* keptCompany
        const { id } = yield* keptSubscription(company.id)
        const countOne = unitOfWork.transact(
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* subscriptions.findForUpdate(company.id, bySvcPayId(id)))
            yield* Effect.yieldNow
            yield* subscriptions.update({ ...found, payments: found.payments + 1 })
          })
        )
        yield* Effect.all(
          Array.from({ length: 20 }, () => countOne),
          { concurrency: "unbounded" }
        )
        const after = Option.getOrThrow(yield* subscriptions.find(company.id, bySvcPayId(id)))
        assert.strictEqual(after.payments, 20)
      }).pipe(onEmpty)
    )

    it.effect("loses no update of a customer, and none of a company, found without a word about locks", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const companies = yield* Companies
        const customers = yield* Customers
        const company = yield* keptCompany
        const { id } = yield* keptCustomer(company.id, { phones: [] })
        const addPhone = (phone: number) =>
          unitOfWork.transact(
            Effect.gen(function* () {
              const found = Option.getOrThrow(yield* customers.find(company.id, bySvcPayId(id)))
              yield* Effect.yieldNow
              yield* customers.update({ ...found, phones: [...found.phones, phone] })
            })
          )
        const allow = (address: string) =>
          unitOfWork.transact(
            Effect.gen(function* () {
              const found = Option.getOrThrow(yield* companies.find(company.id))
              yield* Effect.yieldNow
              yield* companies.update({ ...found, allowedAddresses: [...found.allowedAddresses, address] })
            })
          )
        const phones = Array.from({ length: 20 }, (_, number) => 11_987_654_300 + number)
        const addresses = phones.map((_, number) => `192.0.2.${number}`)
        yield* Effect.all([...phones.map(addPhone), ...addresses.map(allow)], { concurrency: "unbounded" })
        const customer = Option.getOrThrow(yield* customers.find(company.id, bySvcPayId(id)))
        assert.sameMembers([...customer.phones], phones)
        assert.sameMembers([...Option.getOrThrow(yield* companies.find(company.id)).allowedAddresses], addresses)
      }).pipe(onEmpty)
    )

    it.effect("of units that insert the same myId at once one inserts, and every other sees its row", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const customers = yield* Customers
        const company = yield* keptCompany
        const myId = MyId.make("the same")
        const create = unitOfWork.transact(
          Effect.gen(function* () {
            if (Option.isSome(yield* customers.find(company.id, byMyId(myId)))) return "taken"
            yield* Effect.yieldNow
            yield* customers.insert(yield* newCustomer(company.id, { myId }))
            return "inserted"
          })
        )
        const ended = yield* Effect.all(
          Array.from({ length: 10 }, () => create),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(ended.toSorted(), ["inserted", ...Array.from({ length: 9 }, () => "taken")])
      }).pipe(onEmpty)
    )

    it.effect("what a unit reads twice is the same, whatever others write meanwhile", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const customers = yield* Customers
        const company = yield* keptCompany
        const kept = yield* keptCustomer(company.id)
        // Read first, as every command does: what is run again locks what it reads, so that all ten come through.
        const rename = (number: number) =>
          unitOfWork.transact(
            Effect.gen(function* () {
              const found = Option.getOrThrow(yield* customers.find(company.id, bySvcPayId(kept.id)))
              yield* customers.update({ ...found, name: `Ana ${number}` })
            })
          )
        const readTwice = unitOfWork.transact(
          Effect.gen(function* () {
            const first = yield* customers.find(company.id, bySvcPayId(kept.id))
            yield* Effect.yieldNow
            const again = yield* customers.find(company.id, bySvcPayId(kept.id))
            assert.deepStrictEqual(again, first)
          })
        )
        yield* Effect.all(Array.from({ length: 10 }, (_, number) => [rename(number), readTwice]).flat(), {
          concurrency: "unbounded"
        })
      }).pipe(onEmpty)
    )

    describe("afterCommit", () => {
      it.effect("runs once the outermost unit is committed, in the order given", () =>
        Effect.gen(function* () {
          const unitOfWork = yield* UnitOfWork
          const events: Array<string> = []
          const note = (event: string) => Effect.sync(() => void events.push(event))
          yield* unitOfWork.transact(
            Effect.gen(function* () {
              yield* unitOfWork.afterCommit(note("first"))
              yield* unitOfWork.transact(unitOfWork.afterCommit(note("second")))
              yield* note("still open")
            })
          )
          assert.deepStrictEqual(events, ["still open", "first", "second"])
        }).pipe(onEmpty)
      )

      it.effect("sees what was committed", () =>
        Effect.gen(function* () {
          const unitOfWork = yield* UnitOfWork
          const customers = yield* Customers
          const company = yield* keptCompany
          const customer = yield* newCustomer(company.id)
          const seen = yield* Deferred.make<boolean>()
          const look = customers.find(company.id, bySvcPayId(customer.id)).pipe(
            Effect.orDie,
            Effect.flatMap((found) => Deferred.succeed(seen, Option.isSome(found))),
            Effect.asVoid
          )
          yield* unitOfWork.transact(Effect.andThen(unitOfWork.afterCommit(look), customers.insert(customer)))
          assert.isTrue(yield* Deferred.await(seen))
        }).pipe(onEmpty)
      )

      it.effect("does not run when the unit is undone, nor for an inner one that is undone alone", () =>
        Effect.gen(function* () {
          const unitOfWork = yield* UnitOfWork
          const events: Array<string> = []
          const noteAndFail = Effect.andThen(
            unitOfWork.afterCommit(Effect.sync(() => void events.push("ran"))),
            Effect.fail("refused")
          )
          yield* Effect.flip(unitOfWork.transact(noteAndFail))
          yield* unitOfWork.transact(Effect.flip(unitOfWork.transact(noteAndFail)))
          assert.deepStrictEqual(events, [])
        }).pipe(onEmpty)
      )

      it.effect("runs at once when no unit is open", () =>
        Effect.gen(function* () {
          const unitOfWork = yield* UnitOfWork
          let ran = false
          yield* unitOfWork.afterCommit(Effect.sync(() => void (ran = true)))
          assert.isTrue(ran)
        }).pipe(onEmpty)
      )
    })
  })
