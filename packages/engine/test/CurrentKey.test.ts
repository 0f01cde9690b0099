import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { CurrentKey } from "@parcela/engine/CurrentKey"
import { IdempotencyKeys } from "@parcela/engine/IdempotencyKeys"
import { Clock, Effect, Option } from "effect"
import * as World from "./fixtures/World.ts"

/** Claims a key, as the edge does, and runs an effect under it; no answer is kept, as after a crash. */
const under = Effect.fnUntraced(function* <A, E, R>(companyId: CompanyId, key: string, effect: Effect.Effect<A, E, R>) {
  const keys = yield* IdempotencyKeys
  const now = yield* Clock.currentTimeMillis
  const state = yield* keys.claim(
    { companyId, key, fingerprint: "f" },
    EpochMillis.make(now),
    EpochMillis.make(now + 60_000)
  )
  const written = state._tag === "Written" ? Option.some(state.subject) : Option.none()
  return [state._tag, yield* Effect.provideService(effect, CurrentKey, Option.some({ key, written }))] as const
})

describe("a write that is repeated under its key after a crash", () => {
  it.effect("shows the subscription that was made", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const create = under(company, "k", World.subscribeBy(company, "pix"))
      const [, created] = yield* create
      yield* World.passTime("60 seconds")
      assert.deepStrictEqual(yield* create, ["Written", created])
      assert.strictEqual(yield* World.count("subscriptions"), 1)
    }).pipe(World.inWorld())
  )

  it.effect("shows the payment that was added, and charges nothing", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribeByCard(company, World.cards.captured)
      const add = under(company, "k", World.pay(company, "p"))
      const [, added] = yield* add
      yield* World.passTime("60 seconds")
      assert.deepStrictEqual(yield* add, ["Written", added])
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("shows the outcome of the retry, and does not try again what was denied", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribeByCard(company, World.cards.denied)
      yield* World.pay(company, "p")
      const retry = under(company, "k", World.retry(company, "p"))
      const [, retried] = yield* retry
      assert.strictEqual(retried.status, "denied")
      yield* World.passTime("60 seconds")
      assert.deepStrictEqual(yield* retry, ["Written", retried])
      assert.lengthOf(yield* World.ledger, 2)
    }).pipe(World.inWorld())
  )

  it.effect("resolves the attempt that the crash cut off before it shows it", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* World.subscribeByCard(company, World.cards.captured)
      yield* plan.next("charge", World.NeverArrived())
      const add = under(company, "k", World.pay(company, "p"))
      assert.strictEqual((yield* add)[1].status, "notSend")
      yield* World.passTime("60 seconds")
      const [state, shown] = yield* add
      assert.deepStrictEqual([state, shown.status], ["Written", "captured"])
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("answers the webhook settings that it made, and leaves those that replaced them", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const edit = under(company, "k", World.listen(company, ["company.cashOut"]))
      const [, edited] = yield* edit
      yield* World.listen(company, ["chargeback.update"])
      yield* World.passTime("60 seconds")
      assert.deepStrictEqual(yield* edit, ["Written", edited])
      assert.lengthOf(
        (yield* World.journal).filter((event) => event === "WebhooksEdited"),
        2
      )
    }).pipe(World.inWorld())
  )
})
