import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/CompanyState"
import { Cents } from "@parcela/core/Cents"
import { SvcPayId } from "@parcela/core/Identifier"
import { AttemptId } from "@parcela/core/AttemptId"
import { BoletoBank } from "@parcela/engine/BoletoBank"
import { CardOperator } from "@parcela/engine/CardOperator"
import { PixProvider } from "@parcela/engine/PixProvider"
import { boletoRequestOf } from "@parcela/testing/BoletoBankSuite"
import { cardOf } from "@parcela/testing/CardOperatorSuite"
import { pixRequestOf } from "@parcela/testing/PixProviderSuite"
import { Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as ProviderSimulator from "../src/ProviderSimulator.ts"
import { Fault, FaultPlan, layerPlan } from "../src/SimulatorFaults.ts"
import { memory, repeatableChance } from "./fixtures/Layers.ts"

const company = CompanyId.make(1)

const fresh = Effect.provide(
  ProviderSimulator.layerNoDeps().pipe(
    Layer.provide(repeatableChance),
    Layer.provideMerge(layerPlan),
    Layer.provideMerge(memory)
  ),
  { local: true }
)

const next = (...planned: Parameters<FaultPlan["Service"]["next"]>) => FaultPlan.use((plan) => plan.next(...planned))

const attemptId = AttemptId.make("attempt")

const lookup = CardOperator.use((operator) => operator.lookup(attemptId))

const charge = Effect.gen(function* () {
  const operator = yield* CardOperator
  const card = yield* operator.keep(company, cardOf("4111111111111111"))
  return yield* operator.charge({ attemptId, reference: SvcPayId.make(1), card, value: Cents.make(4_990) })
})

const rowsIn = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT created_at FROM ${sql(table)}`).length
})

describe("charges", () => {
  it.effect("that never arrive leave nothing behind, and the next try goes well", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.NeverArrived())
      assert.strictEqual((yield* Effect.flip(charge))._tag, "OutsideError")
      assert.deepStrictEqual(yield* lookup, Option.none())
      assert.strictEqual((yield* charge)._tag, "Captured")
    }).pipe(fresh)
  )

  it.effect("whose answer is lost have moved the money, once", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.AnswerLost(), Fault.AnswerLost())
      yield* Effect.flip(charge)
      yield* Effect.flip(charge)
      assert.deepStrictEqual(yield* lookup, Option.some(yield* charge))
      assert.strictEqual(yield* rowsIn("operator_charges"), 1)
    }).pipe(fresh)
  )

  it.effect("that are slow answer after their delay, and have moved the money before", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.Slow({ delay: Duration.seconds(30) }))
      const asked = yield* Effect.forkChild(charge)
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(asked.pollUnsafe())
      const found = yield* lookup
      assert.isTrue(Option.isSome(found))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(Option.some(yield* Fiber.join(asked)), found)
    }).pipe(fresh)
  )

  it.effect("that are slow keep nobody else waiting", () =>
    Effect.gen(function* () {
      yield* next("charge", Fault.Slow({ delay: Duration.seconds(30) }))
      const asked = yield* Effect.forkChild(charge)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* charge)._tag, "Captured")
      yield* Fiber.interrupt(asked)
    }).pipe(fresh)
  )
})

describe("a plan", () => {
  it.effect("is followed in order, call by call, each fault once", () =>
    Effect.gen(function* () {
      yield* next("lookup", Fault.NeverArrived())
      yield* next("charge", Fault.NeverArrived(), Fault.AnswerLost())
      assert.include(String((yield* Effect.flip(charge)).cause), "never arrived")
      assert.include(String((yield* Effect.flip(charge)).cause), "was lost")
      yield* charge
      yield* Effect.flip(lookup)
      yield* lookup
    }).pipe(fresh)
  )

  it.effect("reaches the bank and the Pix provider too", () =>
    Effect.gen(function* () {
      const bank = yield* BoletoBank
      const provider = yield* PixProvider
      yield* next("register", Fault.AnswerLost())
      yield* next("open", Fault.NeverArrived())
      assert.strictEqual((yield* Effect.flip(bank.register(boletoRequestOf(1)))).party, "boleto bank")
      assert.strictEqual((yield* Effect.flip(provider.open(pixRequestOf(1)))).party, "Pix provider")
      assert.deepStrictEqual([yield* rowsIn("operator_boletos"), yield* rowsIn("operator_pix")], [1, 0])
      yield* bank.register(boletoRequestOf(1))
      yield* provider.open(pixRequestOf(1))
      assert.deepStrictEqual([yield* rowsIn("operator_boletos"), yield* rowsIn("operator_pix")], [1, 1])
    }).pipe(fresh)
  )
})
