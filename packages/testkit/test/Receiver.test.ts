import { assert, describe, it } from "@effect/vitest"
import * as Signature from "@parcela/webhooks/Signature"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import { Clock, Effect, Layer, Redacted } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { Controls } from "../src/internal/controls.ts"
import { receiverFor } from "../src/internal/receiver.ts"

const secureRandom = SecureRandom.layerWebCrypto
const crypto = Layer.merge(secureRandom, Layer.provide(Mac.layerWebCrypto, secureRandom))

/** Controls whose endpoints are made by `create`. */
const controlsWith = (create: (url: string) => Promise<object>) =>
  // What a receiver uses of them.
  ({
    endpoints: { create: (_: string, { url }: { readonly url: string }) => create(url), remove: async () => ({}) }
  }) as unknown as Controls

/** Resolves when a server of this process has read a request and had time to handle it. */
const received = () =>
  new Promise<void>((resolve) => {
    const name = "http.server.request.start"
    const seen = () => {
      unsubscribe(name, seen)
      let ticks = 200
      const tick = () => void (ticks-- > 0 ? setImmediate(tick) : resolve())
      tick()
    }
    subscribe(name, seen)
  })

/** A delivery as a sandbox signs it, and the secret as its controls show it. */
const signed = Effect.gen(function* () {
  const secret = yield* WebhookSecret.generate
  const body = JSON.stringify({ event: "transaction.updateStatus", webhookId: 1, confirmHash: "hash" })
  const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const headers = {
    "webhook-id": "1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": yield* Signature.sign({ id: "1", timestamp, body, secret })
  }
  return { delivery: { method: "POST", headers, body }, secret: Redacted.value(WebhookSecret.format(secret)) }
}).pipe(Effect.provide(crypto))

const shown = (url: string, secret: string) => ({ endpoint: { endpointId: 1, url, events: [] }, secrets: [{ secret }] })

describe("a receiver", () => {
  it("accepts a delivery that arrives before the secret of its endpoint is known", async () => {
    const { delivery, secret } = await Effect.runPromise(signed)
    let response: Promise<Response> | undefined
    const controls = controlsWith(async (url) => {
      const arrived = received()
      response = fetch(url, delivery)
      await arrived
      return shown(url, secret)
    })
    const receiver = await receiverFor(controls, "shop", {})
    assert.strictEqual((await response)?.status, 200)
    assert.strictEqual((await receiver.next("transaction.updateStatus")).webhookId, 1)
    await receiver.close()
  })

  it("responds with 500 when the test returns an invalid status", async () => {
    const { delivery, secret } = await Effect.runPromise(signed)
    const controls = controlsWith(async (url) => shown(url, secret))
    const receiver = await receiverFor(controls, "shop", { respond: () => 0 })
    assert.strictEqual((await fetch(receiver.url, delivery)).status, 500)
    await receiver.close()
  })

  it("leaves no open port when its endpoint is refused", async () => {
    let address = ""
    const controls = controlsWith(async (url) => {
      address = url
      throw new Error("refused")
    })
    await receiverFor(controls, "shop", {}).then(
      () => assert.fail("it was not refused"),
      (error: unknown) => assert.strictEqual(String(error), "Error: refused")
    )
    await fetch(address).then(
      () => assert.fail("it listens"),
      () => {}
    )
  })
})
