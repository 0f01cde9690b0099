/** A turn of an endpoint by itself: when it leases, and how many. */
import { assert, describe, it } from "@effect/vitest"
import type { SentTry } from "@parcela/engine/workers/DeliveryTries"
import { LaneTurn } from "@parcela/engine/workers/LaneTurn"
import { SendingPlaces } from "@parcela/engine/workers/SendingPlaces"
import { Array, Effect } from "effect"

/** A turn that has leased so many; `end` ends so many of its tries, the oldest first. */
const turnOf = (leased: number) => {
  const sent: Array<() => void> = []
  const turn = new LaneTurn({
    tries: {
      target: () => Effect.die("It is not asked for"),
      send: (delivery, _, ended) => {
        // No more of a try is looked at.
        sent.push(() => ended({ delivery, isStop: false } as SentTry))
        return () => {}
      },
      settle: (_tried, _isFirst, settled) => settled(undefined)
    },
    places: new SendingPlaces(512),
    now: () => 0,
    wake: () => {}
  })
  turn.lease()(false)
  const deliveries = Array.makeBy(leased, (index) => ({ webhookId: index + 1 }))
  // A turn looks at nothing of a delivery and its target.
  turn.add({ deliveries, target: {}, endpointChanges: 0, at: 0, until: 60_000 } as never)
  turn.begin()
  const end = (count: number) => {
    for (let ended = 0; ended < count; ended++) sent.shift()?.()
  }
  return { end, turn }
}

describe("a turn", () => {
  it("leases the next of many while the other half of the last ones is sent, so that it waits for no commit", () => {
    const { end, turn } = turnOf(200)
    end(99)
    assert.isFalse(turn.mayLease)
    end(1)
    assert.isTrue(turn.mayLease)
    // 32 of the other hundred are on their way.
    assert.strictEqual(turn.leaseLimit(false), 256 - 68)
  })

  it("leases the next of a few when half of its places are free", () => {
    const { end, turn } = turnOf(20)
    end(3)
    assert.isFalse(turn.mayLease)
    end(1)
    assert.isTrue(turn.mayLease)
  })
})
