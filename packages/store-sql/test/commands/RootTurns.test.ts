import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import type { Guard } from "@parcela/engine/loads/Guard"
import { Deferred, Effect, Fiber } from "effect"
import { RootTurns } from "../../src/commands/RootTurns.ts"

const guard = (table: Guard["table"], id: number): Guard => ({ table, id: SvcPayId.make(id), version: 1 })
const first = guard("subscriptions", 1)
const second = guard("customers", 2)
const third = guard("plans", 3)

/** Takes a turn that lasts until it is ended; `begun` is false until it has come. */
const taking = (turns: RootTurns, guards: ReadonlyArray<Guard>) => {
  const end = Deferred.makeUnsafe<void>()
  const unit = { begun: false, hasWaited: false, end: Deferred.succeed(end, undefined) }
  const run = turns.during(guards, (hasWaited) =>
    Effect.suspend(() => {
      Object.assign(unit, { begun: true, hasWaited })
      return Deferred.await(end)
    })
  )
  return Effect.map(Effect.forkChild(run, { startImmediately: true }), (fiber) => ({ unit, fiber }))
}

describe("RootTurns", () => {
  it.effect("gives a root to one unit after another, in the order in which they came, and says who waited", () =>
    Effect.gen(function* () {
      const turns = new RootTurns()
      const [a, b, c] = [yield* taking(turns, [first]), yield* taking(turns, [first]), yield* taking(turns, [first])]
      const begun = () => [a, b, c].map(({ unit }) => unit.begun)
      assert.deepStrictEqual(begun(), [true, false, false])
      yield* a.unit.end
      yield* Fiber.join(a.fiber)
      while (!b.unit.begun) yield* Effect.yieldNow
      assert.deepStrictEqual(begun(), [true, true, false])
      yield* Effect.andThen(b.unit.end, c.unit.end)
      yield* Effect.andThen(Fiber.join(b.fiber), Fiber.join(c.fiber))
      assert.deepStrictEqual(
        [a, b, c].map(({ unit }) => unit.hasWaited),
        [false, true, true]
      )
      assert.isFalse(yield* turns.during([first], Effect.succeed))
    })
  )

  it.effect("lets units below other roots go on", () =>
    Effect.gen(function* () {
      const turns = new RootTurns()
      const held = yield* taking(turns, [first])
      assert.isFalse(yield* turns.during([second], Effect.succeed))
      yield* Fiber.interrupt(held.fiber)
    })
  )

  it.effect("takes several roots in one order, so that no two units wait for one another", () =>
    Effect.gen(function* () {
      const turns = new RootTurns(60_000)
      const held = yield* taking(turns, [third])
      const [a, b] = [yield* taking(turns, [first, third, second]), yield* taking(turns, [second, third, first])]
      yield* Effect.andThen(held.unit.end, Effect.andThen(a.unit.end, b.unit.end))
      yield* Effect.andThen(Fiber.join(a.fiber), Fiber.join(b.fiber))
    })
  )

  it.effect("takes a root that is named twice once", () =>
    Effect.gen(function* () {
      const turns = new RootTurns(0)
      assert.isFalse(yield* turns.during([first, first], Effect.succeed))
      assert.isFalse(yield* turns.during([first], Effect.succeed))
    })
  )

  it.effect("passes on what an interrupted unit had, or was about to have", () =>
    Effect.gen(function* () {
      const turns = new RootTurns()
      const a = yield* taking(turns, [first])
      const [b, c] = [yield* taking(turns, [first]), yield* taking(turns, [first])]
      yield* Fiber.interrupt(b.fiber)
      yield* Fiber.interrupt(a.fiber)
      while (!c.unit.begun) yield* Effect.yieldNow
      yield* Fiber.interrupt(c.fiber)
      assert.isFalse(yield* turns.during([first], Effect.succeed))
    })
  )

  it.live("does not wait for a turn that does not come in time", () =>
    Effect.gen(function* () {
      const turns = new RootTurns(1)
      const held = yield* taking(turns, [first])
      assert.isTrue(yield* turns.during([first], Effect.succeed))
      assert.isTrue(held.unit.begun)
      yield* Fiber.interrupt(held.fiber)
      assert.isFalse(yield* turns.during([first], Effect.succeed))
    })
  )
})
