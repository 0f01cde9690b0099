import { assert, describe, it } from "@effect/vitest"
import * as PixBrCode from "@parcela/core/pix/PixBrCode"
import { PixProvider } from "@parcela/engine/ports/PixProvider"
import { chargeOf, pixRequestOf, suite } from "@parcela/provider-tests/PixProviderSuite"
import { Effect, Layer } from "effect"
import * as SimulatedPixProvider from "../src/SimulatedPixProvider.ts"
import type { PixReceiver } from "../src/SimulatedPixProvider.ts"
import { memory, storeNames, stores } from "./fixtures/Layers.ts"

for (const store of storeNames) suite(store, SimulatedPixProvider.layer().pipe(Layer.provide(stores[store])))

const open = PixProvider.use((provider) => Effect.map(provider.open(pixRequestOf(42)), chargeOf))

const fresh = (receiver: Partial<PixReceiver>) =>
  Effect.provide(SimulatedPixProvider.layer(receiver).pipe(Layer.provideMerge(memory)), { local: true })

const contentOf = (qrCode: string) => Effect.fromResult(PixBrCode.parse(qrCode))

describe("a code", () => {
  it.effect("has the receiver's name without accents, and a unique location at the configured host", () =>
    Effect.gen(function* () {
      const { qrCode, txid } = yield* open
      const { location, ...rest } = Object.assign({ location: "" }, yield* contentOf(qrCode))
      assert.deepStrictEqual(rest, { _tag: "PixDynamic", merchantName: "Cafe da Maria", merchantCity: "Goiania" })
      assert.match(location, /^localhost:8080\/qr\/v2\/[\da-f]{32}$/)
      assert.notInclude(location, txid)
    }).pipe(fresh({ host: "localhost:8080", merchantName: "Café da Maria", merchantCity: "Goiânia" }))
  )

  it.effect("stays unchanged when the receiver changes afterwards", () =>
    Effect.gen(function* () {
      const charge = yield* open
      const moved = SimulatedPixProvider.layer({ host: "elsewhere.example" })
      assert.deepStrictEqual(yield* open.pipe(Effect.provide(moved, { local: true })), charge)
    }).pipe(fresh({}))
  )

  it.effect("has room for the longest receiver allowed", () =>
    Effect.gen(function* () {
      const { qrCode } = yield* open
      assert.strictEqual((yield* contentOf(qrCode))._tag, "PixDynamic")
    }).pipe(fresh({ host: "h".repeat(38), merchantName: "n".repeat(25), merchantCity: "c".repeat(15) }))
  )
})

describe("a receiver that does not fit into a code", () => {
  it.effect.each([
    { part: "location", receiver: { host: "h".repeat(39) } },
    { part: "location", receiver: { host: "https://pix.parcela.example" } },
    { part: "merchantName", receiver: { merchantName: "n".repeat(26) } },
    { part: "merchantCity", receiver: { merchantCity: "" } }
  ])("is detected when the provider is created: $part of $receiver", ({ part, receiver }) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(SimulatedPixProvider.layer(receiver).pipe(Layer.provide(memory))))
      assert.propertyVal(error, "part", part)
    })
  )
})
