import { assert, describe, it } from "@effect/vitest"
import * as Signature from "@parcela/webhooks/Signature"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import { Effect, Layer, Result } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { isSigned } from "../VerifyADelivery.ts"

const written = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const timestamp = 1_790_000_000
const now = timestamp * 1000
const text = `{"event":"transaction.updateStatus"}`
const body = new TextEncoder().encode(text)

const crypto = Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))

const headersSigned = Effect.gen(function* () {
  const secret = Result.getOrThrow(WebhookSecret.parse(written))
  const signature = yield* Signature.sign({ id: "evt_1", timestamp, body: text, secret })
  return { "webhook-id": "evt_1", "webhook-timestamp": String(timestamp), "webhook-signature": signature }
})

describe("a delivery that is verified with Node alone", () => {
  it.effect("is taken when the service signed it, also beside another signature", () =>
    Effect.gen(function* () {
      const headers = yield* headersSigned
      assert.isTrue(isSigned(body, headers, written, now))
      const two = { ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` }
      assert.isTrue(isSigned(body, two, written, now))
    }).pipe(Effect.provide(crypto))
  )

  it.effect("is refused when anything of it is another, is old, or is missing", () =>
    Effect.gen(function* () {
      const headers = yield* headersSigned
      const other = "whsec_AAAQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
      assert.isFalse(isSigned(new TextEncoder().encode(`${text} `), headers, written, now))
      assert.isFalse(isSigned(body, headers, other, now))
      assert.isFalse(isSigned(body, { ...headers, "webhook-id": "evt_2" }, written, now))
      assert.isFalse(isSigned(body, { ...headers, "webhook-timestamp": "soon" }, written, now))
      assert.isFalse(isSigned(body, headers, written, now + 301_000))
      assert.isFalse(isSigned(body, headers, written, now - 301_000))
      assert.isFalse(isSigned(body, {}, written, now))
    }).pipe(Effect.provide(crypto))
  )
})
