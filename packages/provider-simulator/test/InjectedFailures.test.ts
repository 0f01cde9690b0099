import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { BoletoBank } from "@parcela/engine/ports/BoletoBank"
import { CardOperator } from "@parcela/engine/ports/CardOperator"
import { PixProvider } from "@parcela/engine/ports/PixProvider"
import { boletoRequestOf } from "@parcela/provider-tests/BoletoBankSuite"
import { cardOf } from "@parcela/provider-tests/CardOperatorSuite"
import { pixRequestOf } from "@parcela/provider-tests/PixProviderSuite"
import { Duration, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { ProviderLedger } from "../src/ProviderLedger.ts"
import * as ProviderSimulator from "../src/ProviderSimulator.ts"
import { Fault, FaultPlan, layerPlan, InjectedFailures } from "../src/InjectedFailures.ts"
import { memory, repeatableChance } from "./fixtures/Layers.ts"

const company = CompanyId.make(1)
const other = CompanyId.make(2)

const simulators = ProviderSimulator.layerNoDeps().pipe(
  Layer.provide(repeatableChance),
  Layer.provideMerge(layerPlan),
  Layer.provide(memory)
)

const fresh = Effect.provide(simulators, { local: true })

const next = (...planned: Parameters<FaultPlan["Service"]["next"]>) => FaultPlan.use((plan) => plan.next(...planned))

const about = (attempt: string, companyId = company) => ({
  attemptId: AttemptId.make(attempt),
  companyId,
  transactionId: SvcPayId.make(1),
  at: BusinessTime.make(Date.UTC(2026, 2, 10))
})

const lookup = CardOperator.use((operator) => operator.lookup(about("attempt")))

const chargeFor = Effect.fnUntraced(function* (companyId: CompanyId, attempt = "attempt") {
  const operator = yield* CardOperator
  const card = yield* operator.tokenize(companyId, cardOf("4111111111111111"))
  return yield* operator.charge({ ...about(attempt, companyId), card, value: Cents.make(4_990) })
})

const charge = chargeFor(company)

/** Outcome, effect and failure of each request to the providers, except vault and lookups. */
const requested = Effect.gen(function* () {
  const ledger = yield* ProviderLedger
  const entries = (yield* ledger.all()).filter(({ call }) => call !== "tokenize" && call !== "lookup")
  return entries.map(({ effect, fault, outcome }) => [outcome, effect, fault])
})

const denial = { code: "57", message: "Not allowed" }

/** Requests that were begun have got as far as they get without time. */
const untilPending = Effect.forEach(Array.from({ length: 10 }), () => Effect.yieldNow, { discard: true })

describe("charges", () => {
  it.effect("that never arrive store nothing, and the next attempt succeeds", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.RequestLost())
      assert.strictEqual((yield* Effect.flip(charge))._tag, "ProviderError")
      assert.deepStrictEqual(yield* requested, [])
      assert.deepStrictEqual(yield* lookup, Option.none())
      assert.strictEqual((yield* charge)._tag, "Captured")
    }).pipe(fresh)
  )

  it.effect("that find the provider unavailable are received without effect, and the next attempt succeeds", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.Unavailable())
      assert.include(String((yield* Effect.flip(charge)).cause), "503")
      assert.deepStrictEqual(yield* requested, [[null, "none", "Unavailable"]])
      assert.deepStrictEqual(yield* lookup, Option.none())
      assert.strictEqual((yield* charge)._tag, "Captured")
    }).pipe(fresh)
  )

  it.effect("whose response is lost move the money once", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.ResponseLost(), Fault.ResponseLost())
      yield* Effect.flip(charge)
      yield* Effect.flip(charge)
      assert.deepStrictEqual(yield* lookup, Option.some(yield* charge))
      assert.deepStrictEqual(yield* requested, [
        ["Captured", "captured", "ResponseLost"],
        ["Captured", "none", "ResponseLost"],
        ["Captured", "none", null]
      ])
    }).pipe(fresh)
  )

  it.effect("that are denied for good stay denied for their attempt, and are found denied", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.Denied(denial))
      const outcome = yield* charge
      assert.deepInclude(outcome, { _tag: "Denied", ...denial })
      assert.deepStrictEqual(yield* charge, outcome)
      assert.deepStrictEqual(yield* lookup, Option.some(outcome))
      assert.strictEqual((yield* chargeFor(company, "another attempt"))._tag, "Captured")
    }).pipe(fresh)
  )

  it.effect("that arrive twice have two responses and move the money once", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.Duplicated())
      assert.strictEqual((yield* charge)._tag, "Captured")
      assert.deepStrictEqual(yield* requested, [
        ["Captured", "captured", "Duplicated"],
        ["Captured", "none", "Duplicated"]
      ])
    }).pipe(fresh)
  )

  it.effect.each([
    { isDone: true, entry: ["Captured", "captured", "Hang"] },
    { isDone: false, entry: [null, "none", "Hang"] }
  ])("that hang (done: $isDone) end at the caller's timeout, although the caller is uninterruptible", (one) =>
    Effect.gen(function* () {
      yield* next("charge", Fault.Hang({ isDone: one.isDone }))
      const requesting = yield* Effect.forkChild(Effect.uninterruptible(Effect.timeoutOption(charge, "20 seconds")))
      yield* TestClock.adjust("19 seconds")
      assert.isUndefined(requesting.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(requesting), Option.none())
      assert.deepStrictEqual(yield* requested, [one.entry])
      assert.strictEqual((yield* charge)._tag, "Captured")
    }).pipe(fresh)
  )

  it.effect("that are slow respond after their delay, and move the money before it", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.Slow({ delay: Duration.seconds(30) }))
      const requesting = yield* Effect.forkChild(charge)
      yield* untilPending
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(requesting.pollUnsafe())
      const found = yield* lookup
      assert.isTrue(Option.isSome(found))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(Option.some(yield* Fiber.join(requesting)), found)
    }).pipe(fresh)
  )

  it.effect("that are slow delay no other caller", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.Slow({ delay: Duration.seconds(30) }))
      const requesting = yield* Effect.forkChild(charge)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* charge)._tag, "Captured")
      yield* Fiber.interrupt(requesting)
    }).pipe(fresh)
  )
})

describe("every other request", () => {
  const tid = "tid-1"
  const value = Cents.make(1)
  const all = Effect.gen(function* () {
    const [operator, bank, provider] = [yield* CardOperator, yield* BoletoBank, yield* PixProvider]
    return {
      capture: operator.capture({ ...about("capture"), authorizedAs: tid, value }),
      reverse: operator.reverse({ ...about("reverse"), tid, value }),
      register: bank.register(boletoRequestOf(1)),
      open: provider.open(pixRequestOf(1)),
      cancel: Effect.andThen(bank.register(boletoRequestOf(2)), bank.cancel(boletoRequestOf(2, "cancel")))
    }
  })

  for (const call of ["capture", "reverse", "register", "open", "cancel"] as const) {
    it.effect(`${call} can be denied, and its attempt stays denied`, () =>
      Effect.gen(function* () {
        const request: Effect.Effect<unknown, unknown> = (yield* all)[call]
        yield* next(call, Fault.Denied(denial))
        const outcome = yield* request
        assert.include(JSON.stringify(outcome), '"code":"57"')
        assert.deepStrictEqual(yield* request, outcome)
        const entries = yield* ProviderLedger.use((ledger) => ledger.all())
        const [first, again] = entries.filter((entry) => entry.call === call)
        assert.deepInclude(first, { code: "57", effect: "none", fault: "Denied", isRepeat: false })
        assert.deepInclude(again, { effect: "none", fault: null, isRepeat: true })
      }).pipe(fresh)
    )

    it.effect(`${call} whose response is lost is executed once`, () =>
      Effect.gen(function* () {
        const charged = yield* charge
        const operator = yield* CardOperator
        const ofCharge = operator.reverse({ ...about("of the charge"), tid: charged.tid, value })
        const request: Effect.Effect<unknown, unknown> = call === "reverse" ? ofCharge : (yield* all)[call]
        yield* next(call, Fault.ResponseLost())
        yield* Effect.flip(request)
        yield* request
        const entries = yield* ProviderLedger.use((ledger) => ledger.all())
        const effects = entries.filter((entry) => entry.call === call).map(({ effect }) => effect)
        const done = { capture: "captured", reverse: "reversed", register: "registered", open: "registered" } as const
        const expected = call === "cancel" ? "canceled" : done[call]
        assert.deepStrictEqual(
          effects.filter((effect) => effect !== "none"),
          [expected]
        )
        assert.isAtLeast(effects.length, 2)
      }).pipe(fresh)
    )
  }

  it.effect("without a possible denial, such as a lookup, finds the provider unavailable instead", () =>
    Effect.gen(function* () {
      yield* next("lookup", Fault.Denied(denial))
      assert.strictEqual((yield* Effect.flip(lookup)).provider, "card operator")
      assert.deepStrictEqual(yield* lookup, Option.none())
    }).pipe(fresh)
  )
})

describe("a plan", () => {
  it.effect("applies its failures in order, each to one request", () =>
    Effect.gen(function* () {
      yield* next("lookup", Fault.RequestLost())
      yield* next("charge", Fault.RequestLost(), Fault.ResponseLost())
      assert.include(String((yield* Effect.flip(charge)).cause), "never arrived")
      assert.include(String((yield* Effect.flip(charge)).cause), "was lost")
      yield* charge
      yield* Effect.flip(lookup)
      yield* lookup
    }).pipe(fresh)
  )

  it.effect("applies to the bank and the Pix provider too", () =>
    Effect.gen(function* () {
      const bank = yield* BoletoBank
      const provider = yield* PixProvider
      yield* next("register", Fault.ResponseLost())
      yield* next("open", Fault.RequestLost())
      assert.strictEqual((yield* Effect.flip(bank.register(boletoRequestOf(1)))).provider, "boleto bank")
      assert.strictEqual((yield* Effect.flip(provider.open(pixRequestOf(1)))).provider, "Pix provider")
      assert.deepStrictEqual(yield* requested, [["BoletoRegistered", "registered", "ResponseLost"]])
    }).pipe(fresh)
  )

  it.effect("applies to one company only, for the given number of requests", () =>
    Effect.gen(function* () {
      const plan = yield* FaultPlan
      yield* plan.add({ call: "charge", fault: Fault.Unavailable(), subject: { companyId: company }, times: 2 })
      assert.strictEqual((yield* chargeFor(other, "of another"))._tag, "Captured")
      yield* Effect.flip(charge)
      assert.deepInclude((yield* plan.planned)[0], { times: 1 })
      yield* Effect.flip(charge)
      assert.deepStrictEqual(yield* plan.planned, [])
      assert.strictEqual((yield* charge)._tag, "Captured")
    }).pipe(fresh)
  )

  it.effect("applies to one attempt, transaction or card only", () =>
    Effect.gen(function* () {
      const plan = yield* FaultPlan
      const operator = yield* CardOperator
      const card = yield* operator.tokenize(company, cardOf("5555555555554444"))
      const mine = { ...about("mine"), transactionId: SvcPayId.make(7), card, value: Cents.make(1) }
      const subjects = [{ attemptId: mine.attemptId }, { transactionId: mine.transactionId }, { card }]
      for (const [index, subject] of subjects.entries()) {
        yield* plan.add({ call: "charge", fault: Fault.Unavailable(), subject, times: 1 })
        assert.strictEqual((yield* chargeFor(company, `other ${index}`))._tag, "Captured")
        yield* Effect.flip(operator.charge(mine))
      }
      assert.strictEqual((yield* operator.charge(mine))._tag, "Captured")
    }).pipe(fresh)
  )

  it.effect("is removed for one company, or completely", () =>
    Effect.gen(function* () {
      const plan = yield* FaultPlan
      const of = (companyId: CompanyId) =>
        plan.add({ call: "charge", fault: Fault.Unavailable(), subject: { companyId }, times: 5 })
      yield* of(company)
      yield* of(other)
      yield* plan.clear(company)
      assert.strictEqual((yield* charge)._tag, "Captured")
      yield* Effect.flip(chargeFor(other, "of another"))
      yield* plan.clear()
      assert.strictEqual((yield* chargeFor(other, "of another"))._tag, "Captured")
    }).pipe(fresh)
  )

  it.effect("without a failure for a request leaves it to the outer failures", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.Unavailable())
      assert.include(String((yield* Effect.flip(charge)).cause), "503")
      assert.include(String((yield* Effect.flip(charge)).cause), "never arrived")
    }).pipe(Effect.provide(Layer.provide(simulators, neverHeard), { local: true }))
  )
})

const neverHeard = Layer.succeed(InjectedFailures, {
  take: (call) => Effect.succeed(call === "charge" ? Option.some(Fault.RequestLost()) : Option.none())
})
