import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { BoletoBank } from "@parcela/engine/ports/BoletoBank"
import { CardOperator } from "@parcela/engine/ports/CardOperator"
import { PixProvider } from "@parcela/engine/ports/PixProvider"
import { boletoRequestOf, slipOf } from "@parcela/provider-tests/BoletoBankSuite"
import { cardOf } from "@parcela/provider-tests/CardOperatorSuite"
import { chargeOf, pixRequestOf } from "@parcela/provider-tests/PixProviderSuite"
import { Effect, Layer } from "effect"
import * as ProviderSimulator from "../src/ProviderSimulator.ts"
import { memory, repeatableChance } from "./fixtures/Layers.ts"

const company = CompanyId.make(1)

const responses = Effect.gen(function* () {
  const [operator, bank, provider] = [yield* CardOperator, yield* BoletoBank, yield* PixProvider]
  return {
    token: yield* operator.tokenize(company, cardOf("4111111111111111")),
    slip: slipOf(yield* bank.register(boletoRequestOf(1))),
    charge: chargeOf(yield* provider.open(pixRequestOf(1)))
  }
})

describe("layer", () => {
  it.effect("provides three providers with defaults over one store", () =>
    Effect.gen(function* () {
      const { charge, slip, token } = yield* responses
      assert.match(token, /^card_[\da-f]{48}$/)
      assert.isTrue(slip.barcode.startsWith("999"))
      assert.include(charge.qrCode, "pix.parcela.example/qr/v2/")
    }).pipe(Effect.provide(ProviderSimulator.layer().pipe(Layer.provide(memory)), { local: true }))
  )

  it.effect("passes on its configuration", () =>
    Effect.gen(function* () {
      const { charge, slip } = yield* responses
      assert.isTrue(slip.barcode.startsWith("341"))
      assert.include(charge.qrCode, "pix.example/qr/v2/")
    }).pipe(
      Effect.provide(
        ProviderSimulator.layer({ boleto: { bank: "341" }, pix: { host: "pix.example" } }).pipe(Layer.provide(memory)),
        { local: true }
      )
    )
  )
})

describe("layerNoDeps", () => {
  it.effect("responds the same for the same random numbers", () =>
    Effect.gen(function* () {
      const layer = ProviderSimulator.layerNoDeps().pipe(Layer.provide([memory, repeatableChance]))
      const story = responses.pipe(Effect.provide(layer, { local: true }))
      assert.deepStrictEqual(yield* story, yield* story)
    })
  )
})
