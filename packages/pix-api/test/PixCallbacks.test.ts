import { assert, describe, it } from "@effect/vitest"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import { Effect, Layer, Logger, Redacted, Ref } from "effect"
import { HttpRouter } from "effect/http"
import { TestClock } from "effect/testing"
import { PixAccounts } from "../src/PixAccount.ts"
import { PixApiClient } from "../src/PixApiClient.ts"
import * as PixCallbacks from "../src/PixCallbacks.ts"
import { ReceivedPayments } from "../src/ReceivedPayments.ts"
import { accountAt } from "./fixtures/Simulator.ts"

const secret = "a-callback-secret-of-the-test"
const nameOf = (n: number) => `E9999999920260310120${String(n).padStart(12, "0")}`
const named = (n: number) => ({ endToEndId: nameOf(n), txid: `txid${n}` })

/** The response to a callback, and the payments that were read. Payment 9 cannot be read. */
const callback = Effect.fnUntraced(function* (body: unknown, path = `/pix-callbacks/${secret}/pix`) {
  const requested = yield* Ref.make<ReadonlyArray<string>>([])
  const payments = Layer.mock(ReceivedPayments, {
    report: (_account, endToEndId) =>
      Effect.andThen(
        Ref.update(requested, (before) => [...before, endToEndId]),
        endToEndId === nameOf(9) ? new ProviderError({ provider: "Pix provider", cause: "of the test" }) : Effect.void
      )
  })
  const account = { ...accountAt("https://pix.psp.example"), callbackSecret: Redacted.make(secret) }
  const { dispose, handler } = HttpRouter.toWebHandler(
    PixCallbacks.layer.pipe(Layer.provide([PixAccounts.layerOne(account), payments])),
    { disableLogger: true }
  )
  yield* Effect.addFinalizer(() => Effect.promise(dispose))
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const request = new Request(`http://localhost${path}`, { method: "POST", body: text })
  const { status } = yield* Effect.promise(() => handler(request))
  return { status, asked: yield* Ref.get(requested) }
})

describe("the registration of the address", () => {
  it.effect("is logged and repeated a minute after a defect", () => {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    let sent = 0
    const client = Layer.mock(PixApiClient, {
      send: () =>
        Effect.sync(() => {
          sent += 1
          if (sent === 1) throw new Error("of the test")
          return { status: 200, body: {} }
        })
    })
    const account = { ...accountAt("https://pix.psp.example"), callbackSecret: Redacted.make(secret) }
    const registration = Layer.provide(PixCallbacks.layerRegistration, [PixAccounts.layerOne(account), client, logger])
    return Effect.gen(function* () {
      yield* Layer.build(registration)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(sent, 1)
      assert.include(lines.join(), "could not be registered")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(sent, 2)
    })
  })
})

describe("a callback", () => {
  it.effect("causes a read of each of its payments, a repeated one only once, and is acknowledged", () =>
    Effect.gen(function* () {
      const pix = [named(1), named(2), named(1), { endToEndId: nameOf(3) }]
      assert.deepStrictEqual(yield* callback({ pix }), { status: 200, asked: [nameOf(1), nameOf(2)] })
      assert.deepStrictEqual(yield* callback({ pix: named(1) }), { status: 200, asked: [nameOf(1)] })
    })
  )

  it.effect("is not acknowledged if one of its payments was not stored, and the others are stored", () =>
    Effect.gen(function* () {
      const pix = [named(9), named(1)]
      assert.deepStrictEqual(yield* callback({ pix }), { status: 503, asked: [nameOf(9), nameOf(1)] })
    })
  )

  it.effect("with an unreadable payment is a 400, and its other payments are read", () =>
    Effect.gen(function* () {
      const pix = [{ endToEndId: "../webhook" }, named(1), null]
      assert.deepStrictEqual(yield* callback({ pix }), { status: 400, asked: [nameOf(1)] })
    })
  )

  it.effect.each(["", "{", "[]", "null", "{}", '{"pix":null}', '{"pix":"x"}', '{"__proto__":{"pix":[]}}'])(
    "of %j is a 400",
    (body) => Effect.map(callback(body), (responded) => assert.deepStrictEqual(responded, { status: 400, asked: [] }))
  )

  it.effect("with a repeated key is a 400, and none of its payments is read", () =>
    Effect.gen(function* () {
      const [one, other] = [named(1), named(2)].map((entry) => JSON.stringify(entry).slice(1, -1))
      for (const body of [`{"pix":[{${one}}],"pix":[{${other}}]}`, `{"pix":[{${one},${other}}]}`]) {
        assert.deepStrictEqual(yield* callback(body), { status: 400, asked: [] }, body)
      }
    })
  )

  it.effect.each(["x", secret.slice(1), `${secret}x`])("to the secret %s is a 404", (other) =>
    Effect.gen(function* () {
      const path = `/pix-callbacks/${other}/pix`
      assert.deepStrictEqual(yield* callback({ pix: [named(1)] }, path), { status: 404, asked: [] })
    })
  )
})
