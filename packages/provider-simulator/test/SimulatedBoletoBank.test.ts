import { assert, describe, it } from "@effect/vitest"
import * as BankLine from "@parcela/core/boleto/BankLine"
import * as BoletoBarcode from "@parcela/core/boleto/BoletoBarcode"
import { Cents } from "@parcela/core/money/Cents"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { BoletoBank, type BoletoRequest } from "@parcela/engine/ports/BoletoBank"
import { boletoRequestOf, slipOf, suite } from "@parcela/provider-tests/BoletoBankSuite"
import { Effect, Layer } from "effect"
import * as SimulatedBoletoBank from "../src/SimulatedBoletoBank.ts"
import { memory, storeNames, stores } from "./fixtures/Layers.ts"

for (const store of storeNames) suite(store, SimulatedBoletoBank.layer().pipe(Layer.provide(stores[store])))

const account = { bank: "341", agency: "1234", account: "7654321", wallet: "109" }

const fresh = Effect.provide(SimulatedBoletoBank.layer(account).pipe(Layer.provideMerge(memory)), { local: true })

const register = (request: BoletoRequest) => BoletoBank.use((bank) => bank.register(request))

const slip = (request: BoletoRequest) => Effect.map(register(request), slipOf)

describe("a slip", () => {
  it.effect("contains wallet, our number, agency and account in its free field", () =>
    Effect.gen(function* () {
      const registered = yield* slip(boletoRequestOf(42))
      const barcode = yield* Effect.fromResult(BoletoBarcode.parse(registered.barcode))
      const { bank, freeField } = BoletoBarcode.partsOf(barcode)
      assert.strictEqual(bank, "341")
      assert.strictEqual(freeField, ["109", "00000000042", "1234", "7654321"].join(""))
      assert.strictEqual(BankLine.fromBarcode(barcode), registered.bankLine)
      assert.strictEqual(registered.bankAgency, "1234")
      assert.strictEqual(registered.bankAccount, "7654321")
    }).pipe(fresh)
  )

  it.effect("stays unchanged when value or account change afterwards", () =>
    Effect.gen(function* () {
      const registered = yield* slip(boletoRequestOf(42))
      const moved = SimulatedBoletoBank.layer({ ...account, agency: "9999" })
      const again = slip({ ...boletoRequestOf(42), value: Cents.make(1) })
      assert.deepStrictEqual(yield* again.pipe(Effect.provide(moved, { local: true })), registered)
    }).pipe(fresh)
  )
})

describe("a slip that the bank cannot issue", () => {
  it.effect.each([
    { because: "BoletoPartError", change: { value: Cents.make(10_000_000_000) } },
    { because: "DueDateTooEarly", change: { dueDate: LocalDate.make("1997-01-01") } }
  ])("is denied for good, and stays denied for the attempt: $because", ({ because, change }) =>
    Effect.gen(function* () {
      const outcome = yield* register({ ...boletoRequestOf(42), ...change })
      assert.deepInclude(outcome, { _tag: "FinallyDenied", code: because })
      assert.deepStrictEqual(yield* register(boletoRequestOf(42)), outcome)
      assert.strictEqual((yield* register(boletoRequestOf(42, "another attempt")))._tag, "BoletoRegistered")
    }).pipe(fresh)
  )

  it.effect("is detected for a malformed account when the bank is created", () =>
    Effect.gen(function* () {
      const layer = SimulatedBoletoBank.layer({ agency: "123" }).pipe(Layer.provide(memory))
      const error = yield* Effect.flip(Layer.build(layer))
      assert.include(error.message, "4 digits")
      assert.include(error.message, "agency")
    })
  )
})
