import { assert, describe, it } from "@effect/vitest"
import type { LoadName } from "@parcela/engine/command/Loads"
import { Origin } from "@parcela/engine/ports/WriteContext"
import { CommandStore, type StoreCommand } from "@parcela/engine/command/CommandStore"
import { Deliveries } from "@parcela/engine/webhooks/Replays"
import { DeliverySignal } from "@parcela/engine/ports/DeliverySignal"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { Deferred, Effect, Fiber, Layer } from "effect"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

/** A store whose next command has run and waits for its COMMIT, as one of a lot does. */
const waitingForCommit = Effect.gen(function* () {
  const ran = yield* Deferred.make<void>()
  const committed = yield* Deferred.make<void>()
  let isNext = false
  const layer = Layer.effect(
    CommandStore,
    Effect.map(CommandStore, ({ run }) => ({
      run: <N extends LoadName, A, R>(command: StoreCommand<N, A, R>) =>
        Effect.tap(run(command), () => {
          if (!isNext) return Effect.void
          isNext = false
          return Effect.andThen(Deferred.succeed(ran, undefined), Deferred.await(committed))
        })
    }))
  )
  const next = () => {
    isNext = true
  }
  return { committed, layer, next, ran }
})

/** True if there was a signal since the last one. */
const isHinted = Effect.gen(function* () {
  const signal = yield* DeliverySignal
  return yield* Effect.raceFirst(Effect.as(signal.wait, true), Effect.as(Effect.yieldNow, false))
})

describe("a command whose caller is interrupted", () => {
  it.effect("signals its deliveries after the commit", () =>
    Effect.gen(function* () {
      const { committed, layer, next, ran } = yield* waitingForCommit
      yield* Effect.gen(function* () {
        const deliveries = yield* Deliveries
        const worker = yield* DeliveryWorker
        const company = yield* World.company()
        yield* World.listen(company)
        yield* World.subscribeByCard(company, Samples.cards.captured)
        yield* World.pay(company, "p", { payday: "2099-01-01" })
        yield* worker.deliverDue
        assert.isTrue(yield* isHinted)
        next()
        const replay = yield* Effect.forkChild(deliveries.replay(company, 1))
        yield* Deferred.await(ran)
        const interrupted = yield* Effect.forkChild(Fiber.interrupt(replay))
        yield* Effect.yieldNow
        assert.isFalse(yield* isHinted, "nothing is committed")
        yield* Deferred.succeed(committed, undefined)
        yield* Fiber.join(interrupted)
        assert.isTrue(yield* isHinted)
        assert.strictEqual(yield* worker.deliverDue, 1)
      }).pipe(World.inWorld({ store: Layer.provideMerge(layer, World.storeAt(undefined)) }))
    })
  )
})

describe("the priority of a command", () => {
  it.effect("is foreground for a request, and background otherwise", () =>
    Effect.gen(function* () {
      const ran: Array<boolean | undefined> = []
      const watched = Layer.effect(
        CommandStore,
        Effect.map(CommandStore, ({ run }) => ({
          run: <N extends LoadName, A, R>(command: StoreCommand<N, A, R>) => {
            ran.push(command.isBackground)
            return run(command)
          }
        }))
      )
      yield* Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.subscribeByCard(company, Samples.cards.captured)
        const pay = World.pay(company, "p", { payday: "2099-01-01" })
        ran.length = 0
        yield* Effect.provideService(pay, Origin, {
          actor: { _tag: "Client", clientId: "shop" },
          cause: { _tag: "Request" }
        })
        assert.deepStrictEqual(ran, [false])
        const cause = { _tag: "DueWork", kind: "send payment", subject: "1" } as const
        yield* Effect.provideService(World.pay(company, "q", { payday: "2099-01-01" }), Origin, {
          actor: { _tag: "Worker", kind: "send payment" },
          cause
        })
        assert.deepStrictEqual(ran, [false, true])
      }).pipe(World.inWorld({ store: Layer.provideMerge(watched, World.storeAt(undefined)) }))
    })
  )
})
