import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import * as AttemptRecords from "@parcela/engine/attempts/AttemptRecords"
import { follow } from "@parcela/engine/attempts/FollowedPayment"
import type { Since } from "@parcela/engine/commands/Follow"
import { Effect } from "effect"
import * as World from "../fixtures/World.ts"

describe("a payment that waited for its provider", () => {
  it.effect("has its subscription as others left it, and is loaded where they wrote more", () =>
    Effect.gen(function* () {
      const records = yield* AttemptRecords.make
      const company = yield* World.company()
      yield* World.subscribeByCard(company, World.cards.captured)
      yield* World.pay(company, "p")
      const known = yield* records.load(company, World.ref("p"))
      const { guard, owner, transaction } = known
      assert(owner._tag === "Subscription")
      const followed = (written: ReturnType<Since>) =>
        follow(
          known,
          (...asked) => {
            assert.deepStrictEqual(asked, [guard, transaction.id])
            return written
          },
          40
        )
      const now = { ...known, guard: { ...guard, version: 40 } }
      assert.deepStrictEqual(followed({ subscription: undefined }), now)
      const subscription = { ...owner.subscription, status: "inactive" } as const
      assert.deepStrictEqual(followed({ subscription }), { ...now, owner: { ...owner, subscription } })
      assert.isUndefined(followed(undefined))
      assert.isUndefined(followed({ subscription: { ...subscription, cardId: SvcPayId.make(998) } }))
    }).pipe(World.inWorld())
  )
})
