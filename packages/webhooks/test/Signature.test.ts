import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import * as Signature from "../src/Signature.ts"
import * as WebhookSecret from "../src/WebhookSecret.ts"
import { bodyOf, bytesOf, headersOf, now, secret, secretOf } from "./fixtures/Deliveries.ts"

const body = bodyOf(1)
const bytes = bytesOf(body)
const written = Redacted.value(WebhookSecret.format(secret))
const atNow = TestClock.setTime(now * 1000)

const verify = (headers: Record<string, string | undefined>, options?: Partial<Signature.VerifyOptions>) =>
  Signature.verify({ headers, body: bytes, secrets: [secret], ...options })

const reasonOf = (headers: Record<string, string | undefined>, options?: Partial<Signature.VerifyOptions>) =>
  Effect.map(Effect.flip(verify(headers, options)), (error) => error.reason)

describe("Signature", () => {
  layer(NodeCrypto.layerMac)((it) => {
    it.effect("signs the example of the standard like its libraries", () =>
      Effect.gen(function* () {
        const secret = yield* Effect.fromResult(WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        const signature = yield* Signature.sign({
          id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
          timestamp: 1_614_265_330,
          body: `{"test": 2432232314}`,
          secret
        })
        assert.strictEqual(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
      })
    )

    it.effect.prop(
      "signs any text like the reference library and verifies its signatures",
      [Schema.String, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000_000_000 }))],
      ([text, timestamp]) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(timestamp * 1000)
          const wellFormed = text.toWellFormed()
          const reference = new Webhook(written).sign("evt_1", new Date(timestamp * 1000), wellFormed)
          assert.strictEqual(yield* Signature.sign({ id: "evt_1", timestamp, body: wellFormed, secret }), reference)
          const signed = yield* Signature.verify({
            headers: { "webhook-id": "evt_1", "webhook-timestamp": String(timestamp), "webhook-signature": reference },
            body: bytesOf(wellFormed),
            secrets: [secret]
          })
          assert.deepStrictEqual(signed, { id: "evt_1", timestamp, secret, signature: reference })
        })
    )

    it.effect("is verified by the reference library, which refuses a changed byte", () =>
      Effect.gen(function* () {
        // The library uses the wall clock.
        const timestamp = Math.floor(new Date().getTime() / 1000)
        const headers = yield* headersOf(body, { timestamp })
        assert.deepStrictEqual(new Webhook(written).verify(body, headers), JSON.parse(body))
        assert.throws(() => new Webhook(written).verify(`${body} `, headers))
      })
    )

    it.effect("accepts a delivery with header names in any case", () =>
      Effect.gen(function* () {
        yield* atNow
        const headers = yield* headersOf(body)
        const signed = yield* verify({
          "Webhook-Id": headers["webhook-id"],
          "WEBHOOK-TIMESTAMP": headers["webhook-timestamp"],
          "webhook-signature": headers["webhook-signature"]
        })
        assert.deepStrictEqual(signed, { id: "1", timestamp: now, secret, signature: headers["webhook-signature"] })
      })
    )

    it.effect("verifies the bytes and not the parsed value", () =>
      Effect.gen(function* () {
        yield* atNow
        const headers = yield* headersOf(body)
        const again = bytesOf(JSON.stringify(JSON.parse(body), null, 1))
        assert.strictEqual((yield* reasonOf(headers, { body: again }))._tag, "NoSignatureMatches")
        const noText = new Uint8Array([0xff, 0x00, 0xfe])
        yield* verify(yield* headersOf(noText), { body: noText })
      })
    )

    it.effect("refuses a changed body, id, time or secret", () =>
      Effect.gen(function* () {
        yield* atNow
        const headers = yield* headersOf(body)
        const tampered = bytes.slice()
        tampered[20]! ^= 1
        const reasons = yield* Effect.all([
          reasonOf(headers, { body: tampered }),
          reasonOf(headers, { body: bytes.slice(0, -1) }),
          reasonOf({ ...headers, "webhook-id": "2" }),
          reasonOf({ ...headers, "webhook-timestamp": String(now - 1) }),
          reasonOf(headers, { secrets: [secretOf(8)] })
        ])
        assert.deepStrictEqual(
          reasons.map((reason) => reason._tag),
          Array(5).fill("NoSignatureMatches")
        )
      })
    )

    it.effect("names the header that is missing or empty", () =>
      Effect.gen(function* () {
        yield* atNow
        const headers = yield* headersOf(body)
        for (const header of Signature.SignatureHeader.literals) {
          for (const value of [undefined, "", "  "]) {
            const reason = yield* reasonOf({ ...headers, [header]: value })
            assert.deepStrictEqual(reason, new Signature.MissingHeader({ header }))
          }
        }
      })
    )

    it.effect("refuses a timestamp that is not in whole seconds", () =>
      Effect.gen(function* () {
        yield* atNow
        const headers = yield* headersOf(body)
        for (const timestamp of [
          "soon",
          `${now}.0`,
          `+${now}`,
          `0${now}`,
          `-${now}`,
          "1e9",
          `${now}000`,
          `${now}, ${now}`
        ]) {
          const reason = yield* reasonOf({ ...headers, "webhook-timestamp": timestamp })
          assert.strictEqual(reason._tag, "BadTimestamp", timestamp)
        }
      })
    )

    it.effect("refuses an ambiguous id", () =>
      Effect.gen(function* () {
        yield* atNow
        const headers = yield* headersOf(body)
        for (const id of ["1.2", "1, 1", "a b", "é", "x".repeat(256)]) {
          assert.strictEqual((yield* reasonOf({ ...headers, "webhook-id": id }))._tag, "BadId", id)
        }
        const exit = yield* Effect.exit(Signature.sign({ id: "1.2", timestamp: now, body, secret }))
        assert.strictEqual(exit._tag, "Failure")
      })
    )

    it.effect("tolerates 5 minutes in both directions and not a second more", () =>
      Effect.gen(function* () {
        const headers = yield* headersOf(body)
        for (const seconds of [-300, 0, 300]) {
          yield* TestClock.setTime((now + seconds) * 1000)
          yield* verify(headers)
        }
        yield* TestClock.setTime((now + 301) * 1000)
        assert.deepStrictEqual(
          yield* reasonOf(headers),
          new Signature.TooOld({ ageSeconds: 301, toleranceSeconds: 300 })
        )
        yield* TestClock.setTime((now - 301) * 1000)
        assert.deepStrictEqual(
          yield* reasonOf(headers),
          new Signature.TooNew({ aheadSeconds: 301, toleranceSeconds: 300 })
        )
      })
    )

    it.effect("uses a configured tolerance", () =>
      Effect.gen(function* () {
        const headers = yield* headersOf(body)
        yield* TestClock.setTime((now + 3600) * 1000)
        yield* verify(headers, { tolerance: Duration.hours(1) })
        assert.strictEqual((yield* reasonOf(headers, { tolerance: "59 minutes" }))._tag, "TooOld")
      })
    )

    it.effect("accepts one valid signature for one of several secrets", () =>
      Effect.gen(function* () {
        yield* atNow
        const [old, current, other] = [secretOf(1), secretOf(2), secretOf(3)] as const
        const byOld = (yield* headersOf(body, { secret: old }))["webhook-signature"]
        const byCurrent = (yield* headersOf(body, { secret: current }))["webhook-signature"]
        const headers = { ...(yield* headersOf(body)), "webhook-signature": `${byOld} ${byCurrent}` }
        yield* verify(headers, { secrets: [current] })
        yield* verify(headers, { secrets: [old] })
        yield* verify(headers, { secrets: [other, current] })
        assert.strictEqual((yield* reasonOf(headers, { secrets: [other] }))._tag, "NoSignatureMatches")
      })
    )

    it.effect("ignores other versions and invalid signatures", () =>
      Effect.gen(function* () {
        yield* atNow
        const headers = yield* headersOf(body)
        const right = headers["webhook-signature"]
        const tag = right.slice("v1,".length)
        yield* verify({ ...headers, "webhook-signature": `v1a,${tag} v1, v1,!!! ,, ${right}` })
        for (const signature of [`v1a,${tag}`, `V1,${tag}`, tag, `v1,${tag.slice(0, -1)}`, `v1,${tag},${tag}`, "v1,"]) {
          const reason = yield* reasonOf({ ...headers, "webhook-signature": signature })
          assert.strictEqual(reason._tag, "NoSignatureMatches", signature)
        }
      })
    )
  })

  it.effect("returns errors with advice", () =>
    Effect.sync(() => {
      const error = new Signature.SignatureError({
        reason: new Signature.TooOld({ ageSeconds: 301, toleranceSeconds: 300 })
      })
      assert.strictEqual(
        error.message,
        "The delivery was signed 301 s ago, and the tolerance is 300 s: sign each attempt again, and synchronize both clocks by NTP"
      )
    })
  )
})
