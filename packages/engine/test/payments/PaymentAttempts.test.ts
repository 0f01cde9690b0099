import { assert, describe, it } from "@effect/vitest"
import { Recovery } from "@parcela/engine/work/Recovery"
import * as InjectedFailures from "@parcela/provider-simulator/InjectedFailures"
import { Duration, Effect, Fiber, Layer, Option } from "effect"
import * as FullDisk from "../fixtures/FullDisk.ts"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const { ResponseLost, RequestLost, Slow } = World

describe("a card payment", () => {
  it.effect("is looked up, recorded once and charged once when its response is lost after the money moved", () =>
    Effect.gen(function* () {
      const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* plan.next("charge", ResponseLost())
      const paid = yield* World.pay(company, "p")
      assert.strictEqual(paid.status, "captured")
      assert.lengthOf(yield* World.ledger, 1)
      assert.deepStrictEqual((yield* Rows.journal).slice(-3), [
        "TransactionSent",
        "OperatorResponded",
        "TransactionStatusChanged"
      ])
    }).pipe(World.inWorld())
  )

  it.effect("that never arrived remains open, and the recovery charges it once after its delay", () =>
    Effect.gen(function* () {
      const recovery = yield* Recovery
      const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* plan.next("charge", RequestLost())
      const added = yield* World.pay(company, "p")
      assert.strictEqual(added.status, "notSend")
      assert.lengthOf(yield* World.ledger, 0)

      assert.strictEqual(yield* recovery.runDueWork, 0)
      assert.lengthOf(yield* World.ledger, 0)

      yield* World.passTime("10 seconds")
      assert.strictEqual(yield* recovery.runDueWork, 1)
      assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
      assert.lengthOf(yield* World.ledger, 1)
      assert.lengthOf(yield* Rows.attempts, 1)
    }).pipe(World.inWorld())
  )

  it.effect(
    "that is denied, with the response and the look-up lost, is recorded as denied by the recovery and not charged again",
    () =>
      Effect.gen(function* () {
        const recovery = yield* Recovery
        const { company, plan } = yield* CardPayments.subscribed(Samples.cards.deniedAtFirst)
        yield* plan.next("charge", ResponseLost())
        yield* plan.next("lookup", ResponseLost())
        assert.strictEqual((yield* World.pay(company, "p")).status, "notSend")
        yield* World.passTime("60 seconds")
        yield* recovery.runDueWork
        // The card is denied once and captured after that: a second charge would have been captured.
        assert.strictEqual((yield* Rows.transaction("p")).status, "denied")
        assert.lengthOf(yield* World.ledger, 1)
      }).pipe(World.inWorld())
  )

  it.effect(
    "whose operator is too slow, twice, responds after the timeouts and is resolved later with one charge",
    () =>
      Effect.gen(function* () {
        const recovery = yield* Recovery
        const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
        yield* plan.next("charge", Slow({ delay: Duration.hours(1) }))
        yield* plan.next("lookup", Slow({ delay: Duration.hours(1) }))
        const fiber = yield* Effect.forkChild(World.pay(company, "p"))
        yield* World.passTime("20 seconds")
        yield* World.passTime("20 seconds")
        assert.strictEqual((yield* Fiber.join(fiber)).status, "notSend")
        yield* World.passTime("21 seconds")
        yield* recovery.runDueWork
        assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
        assert.lengthOf(yield* World.ledger, 1)
      }).pipe(World.inWorld())
  )

  it.effect("has its outcome in the response when its operator is slow but in time", () =>
    Effect.gen(function* () {
      const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* plan.next("charge", Slow({ delay: Duration.seconds(19) }))
      const fiber = yield* Effect.forkChild(World.pay(company, "p"))
      yield* World.passTime("19 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).status, "captured")
    }).pipe(World.inWorld())
  )

  it.effect("remains open when its outcome cannot be written; the next run records it without a second charge", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const recovery = yield* Recovery
      yield* World.listen(company)
      yield* World.subscribeByCard(company, Samples.cards.captured)
      // The payment was committed and money moved: what stands is shown, and no response claims that nothing happened.
      const paid = yield* World.pay(company, "p").pipe(FullDisk.whileFull("journal", "OperatorResponded"))
      assert.strictEqual(paid.status, "notSend")
      assert.strictEqual((yield* Rows.transaction("p")).status, "notSend")
      assert.deepStrictEqual(
        (yield* Rows.attempts).map(({ settled_at }) => settled_at),
        [null]
      )
      assert.deepStrictEqual(
        (yield* Rows.deliveries).map(({ event }) => event),
        ["subscription.addTransaction"]
      )

      yield* World.passTime("60 seconds")
      yield* recovery.runDueWork
      assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
      assert.lengthOf(yield* World.ledger, 1)
      assert.lengthOf(yield* Rows.deliveries, 2)
    }).pipe(World.inWorld())
  )

  it.effect("is returned open when the operator's adapter dies after the money moved, and a retry asks at once", () =>
    Effect.suspend(() => {
      let dying = ["charge"]
      const faults = Layer.succeed(InjectedFailures.InjectedFailures, {
        take: (call) =>
          dying.includes(call) ? Effect.die(new Error("A defect of the adapter")) : Effect.succeed(Option.none())
      })
      return Effect.gen(function* () {
        const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
        assert.strictEqual((yield* World.pay(company, "p")).status, "notSend")
        dying = ["lookup"]
        assert.strictEqual((yield* Effect.flip(World.retry(company, "p")))._tag, "OutcomeUnknown")
        dying = []
        // The lease runs for a minute yet, and no time passes: no process runs the attempt any more.
        assert.strictEqual((yield* World.retry(company, "p")).status, "captured")
        assert.lengthOf(yield* World.ledger, 1)
        assert.lengthOf(yield* Rows.attempts, 1)
      }).pipe(World.inWorld({ faults }))
    })
  )

  it.effect("that two recoveries resolve at once is charged and recorded once", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      const recovery = yield* Recovery
      yield* World.listen(company)
      yield* World.subscribeByCard(company, Samples.cards.captured)
      yield* plan.next("charge", RequestLost())
      yield* World.pay(company, "p")
      yield* World.passTime("60 seconds")
      yield* Effect.all([recovery.runDueWork, recovery.runDueWork, recovery.recover], { concurrency: "unbounded" })
      assert.lengthOf(yield* World.ledger, 1)
      assert.lengthOf(yield* Rows.deliveries, 2)
    }).pipe(World.inWorld())
  )
})

describe("a boleto and a Pix", () => {
  for (const { call, method } of [
    { method: "boleto", call: "register" },
    { method: "pix", call: "open" }
  ] as const) {
    const codeOf = (myId: string) =>
      Effect.map(
        Rows.transaction(myId),
        ({ registration }) => registration?.slip?.barcode ?? registration?.charge?.txid ?? null
      )

    for (const fault of [ResponseLost(), RequestLost()]) {
      it.effect(`as ${method} with fault ${fault._tag} is registered by the recovery and announced once`, () =>
        Effect.gen(function* () {
          const company = yield* World.company()
          const plan = yield* World.faults
          const recovery = yield* Recovery
          yield* World.listen(company)
          yield* World.subscribeBy(company, method)
          yield* plan.next(call, fault)
          yield* World.pay(company, "p")
          assert.isNull(yield* codeOf("p"))
          assert.lengthOf(yield* Rows.deliveries, 0)

          yield* World.passTime("60 seconds")
          yield* recovery.runDueWork
          yield* recovery.runDueWork
          const code = yield* codeOf("p")
          const registered = (yield* World.providerRequests).filter(({ effect }) => effect === "registered")
          assert.deepStrictEqual(
            registered.map(({ reference }) => reference),
            [code]
          )
          assert.deepStrictEqual(
            (yield* Rows.deliveries).map(({ event }) => event),
            ["subscription.addTransaction"]
          )
        }).pipe(World.inWorld())
      )
    }
  }
})
