import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import * as AttemptRecords from "@parcela/engine/attempts/AttemptRecords"
import { follow } from "@parcela/engine/attempts/FollowedPayment"
import type { Change } from "@parcela/engine/commands/Decided"
import type { WriteSet } from "@parcela/engine/commands/WriteSet"
import { Effect } from "effect"
import * as World from "../fixtures/World.ts"

const writing = (changes: ReadonlyArray<Change>, more: Partial<WriteSet> = {}) =>
  // Nothing else of a write set is looked at, and only a unit makes a whole one.
  ({ begun: [], settled: [], ...more, changes }) as unknown as WriteSet

describe("a payment that waited for its provider", () => {
  it.effect("has its subscription as others left it, and is loaded where they wrote more", () =>
    Effect.gen(function* () {
      const records = yield* AttemptRecords.make
      const company = yield* World.company()
      yield* World.subscribeByCard(company, World.cards.captured)
      yield* World.pay(company, "p")
      const known = yield* records.load(company, World.ref("p"))
      const { customer, owner, transaction } = known
      assert(owner._tag === "Subscription")
      const followed = (...written: ReadonlyArray<WriteSet>) => follow(known, () => written, 40)
      const guard = { ...known.guard, version: 40 }
      const other = { ...transaction, id: SvcPayId.make(999) }
      const ofOther: Change = { table: "transactions", next: other, customerId: customer.id }
      const inactive = { ...owner.subscription, status: "inactive" } as const
      const ended: Change = { table: "subscriptions", before: owner.subscription, next: inactive }
      assert.deepStrictEqual(followed(), { ...known, guard })
      const after = { ...known, guard, owner: { ...owner, subscription: inactive } }
      assert.deepStrictEqual(followed(writing([ofOther]), writing([ended, ofOther])), after)
      assert.isUndefined(follow(known, () => undefined, 40))
      const own: Change = { table: "transactions", before: transaction, next: transaction, customerId: customer.id }
      const carded = { ...owner.subscription, cardId: SvcPayId.make(998) }
      const attempt = known.attempts[0]!
      for (const written of [
        writing([own]),
        writing([{ table: "subscriptions", before: owner.subscription, next: carded }]),
        writing([{ table: "customers", before: customer, next: customer }]),
        writing([], { begun: [attempt] }),
        writing([], { settled: [attempt] })
      ]) {
        assert.isUndefined(followed(writing([ended]), written))
        assert.isUndefined(followed(written, writing([ended])))
      }
    }).pipe(World.inWorld())
  )
})
