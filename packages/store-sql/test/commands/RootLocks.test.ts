import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import type { Guard } from "@parcela/engine/command/LoadedCompany"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as PostgresCommandStore from "../../src/commands/PostgresCommandStore.ts"

type Locks = ReturnType<typeof PostgresCommandStore.rootLocks>

const guard = (table: Guard["table"], id: number): Guard => ({ table, id: SvcPayId.make(id), version: 1 })
const first = guard("subscriptions", 1)
const second = guard("customers", 2)
const third = guard("plans", 3)

/** Holds locks until it is ended; `begun` is false until it has them. */
const holding = (locks: Locks, guards: ReadonlyArray<Guard>) => {
  const end = Deferred.makeUnsafe<void>()
  const unit = { started: false, hasWaited: false, end: Deferred.succeed(end, undefined) }
  const run = locks(guards, (hasWaited) =>
    Effect.suspend(() => {
      Object.assign(unit, { started: true, hasWaited })
      return Deferred.await(end)
    })
  )
  return Effect.map(Effect.forkChild(run, { startImmediately: true }), (fiber) => ({ unit, fiber }))
}

describe("the locks of roots", () => {
  it.effect("are granted to one command at a time in the order of requests, and report who waited", () =>
    Effect.gen(function* () {
      const locks = PostgresCommandStore.rootLocks()
      const [a, b, c] = [yield* holding(locks, [first]), yield* holding(locks, [first]), yield* holding(locks, [first])]
      const started = () => [a, b, c].map(({ unit }) => unit.started)
      assert.deepStrictEqual(started(), [true, false, false])
      yield* a.unit.end
      yield* Fiber.join(a.fiber)
      while (!b.unit.started) yield* Effect.yieldNow
      assert.deepStrictEqual(started(), [true, true, false])
      yield* Effect.andThen(b.unit.end, c.unit.end)
      yield* Effect.andThen(Fiber.join(b.fiber), Fiber.join(c.fiber))
      assert.deepStrictEqual(
        [a, b, c].map(({ unit }) => unit.hasWaited),
        [false, true, true]
      )
      assert.isFalse(yield* locks([first], Effect.succeed))
    })
  )

  it.effect("do not delay commands on other roots, nor a command that names a root twice", () =>
    Effect.gen(function* () {
      const locks = PostgresCommandStore.rootLocks()
      const held = yield* holding(locks, [first])
      assert.isFalse(yield* locks([second, second], Effect.succeed))
      yield* Fiber.interrupt(held.fiber)
      assert.isFalse(yield* locks([first], Effect.succeed))
    })
  )

  it.effect("cause no deadlock, in whatever order two commands name their roots", () =>
    Effect.gen(function* () {
      const locks = PostgresCommandStore.rootLocks("1 minute")
      const held = yield* holding(locks, [third])
      const [a, b] = [yield* holding(locks, [first, third, second]), yield* holding(locks, [second, third, first])]
      yield* Effect.andThen(held.unit.end, Effect.andThen(a.unit.end, b.unit.end))
      yield* Effect.andThen(Fiber.join(a.fiber), Fiber.join(b.fiber))
    })
  )

  it.effect("are awaited for at most two seconds", () =>
    Effect.gen(function* () {
      const locks = PostgresCommandStore.rootLocks()
      const held = yield* holding(locks, [first])
      const waiting = yield* Effect.forkChild(locks([first], Effect.succeed))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(yield* Fiber.join(waiting))
      assert.isTrue(held.unit.started)
      yield* Fiber.interrupt(held.fiber)
      assert.isFalse(yield* locks([first], Effect.succeed))
    })
  )
})
