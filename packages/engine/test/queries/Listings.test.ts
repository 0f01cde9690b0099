import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { Subscription } from "@parcela/core/subscriptions/Subscription"
import { Listings } from "@parcela/engine/queries/Listings"
import { picked } from "@parcela/test-world/Picked"
import { Effect, Schema } from "effect"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const page = { startAt: 0, limit: 100, order: [] }

const listed = (company: CompanyId) => Listings.use((listings) => listings.subscriptions(company, {}, page))

const payTimes = (company: CompanyId, times: number, subscription: string) =>
  Effect.forEach(
    Array.from({ length: times }, (_, index) => `${subscription} ${index + 1}`),
    (myId) => World.pay(company, myId, { payday: Samples.tomorrow }, subscription),
    { discard: true }
  )

describe("Listings", () => {
  it.effect("returns the latest 100 payments of a subscription, and the total number if there are more", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribeByCard(company, Samples.cards.captured, "many")
      yield* World.subscribeByCard(company, Samples.cards.captured, "few")
      yield* payTimes(company, 104, "many")
      yield* payTimes(company, 3, "few")
      const [many, few] = yield* listed(company)
      assert.lengthOf(many!.Transactions, 100)
      assert.deepStrictEqual(
        many!.Transactions.map(({ myId }) => myId as string),
        Array.from({ length: 100 }, (_, index) => `many ${index + 5}`)
      )
      assert.strictEqual(many!.totalTransactions, 104)
      assert.lengthOf(few!.Transactions, 3)
      assert.isUndefined(few!.totalTransactions)
      assert.isTrue(Schema.is(Subscription)(picked(Subscription, many!)))
    }).pipe(World.inWorld())
  )

  it.effect("returns at most 1,000 payments in a page of subscriptions", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const names = Array.from({ length: 50 }, (_, index) => `s${index}`)
      yield* Effect.forEach(names, (name) => World.subscribeBy(company, "pix", name), { discard: true })
      yield* World.subscribeByCard(company, Samples.cards.captured, "many")
      yield* payTimes(company, 30, "many")
      const all = yield* listed(company)
      assert.lengthOf(all, 51)
      // 1,000 among 51.
      assert.lengthOf(all.at(-1)!.Transactions, 19)
      assert.strictEqual(all.at(-1)!.totalTransactions, 30)
    }).pipe(World.inWorld())
  )
})
