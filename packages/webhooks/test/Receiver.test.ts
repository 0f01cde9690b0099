import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect, Layer, Redacted } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { Inbox, type InboxEntry, InboxError, layerMemory } from "../src/Inbox.ts"
import * as Receiver from "../src/Receiver.ts"
import * as Signature from "../src/Signature.ts"
import { restore } from "../src/Delivery.ts"
import { bodyOf, bytesOf, confirmHash, headersOf, now, secret, secretOf } from "./fixtures/Deliveries.ts"

const config: Receiver.ReceiverConfig = { senders: [{ name: "shop", secrets: [secret], confirmHashes: [confirmHash] }] }

const over = (inbox: Layer.Layer<Inbox>, overrides?: Partial<Receiver.ReceiverConfig>) =>
  Receiver.layer({ ...config, ...overrides }).pipe(Layer.provide(inbox), Layer.provideMerge(NodeCrypto.layerMac))

const provide = Effect.provide(over(layerMemory), { local: true })

const deliver = Effect.fnUntraced(function* (body: string | Uint8Array, options?: Parameters<typeof headersOf>[1]) {
  yield* TestClock.setTime(now * 1000)
  const receiver = yield* Receiver.Receiver
  return yield* receiver.receive(typeof body === "string" ? bytesOf(body) : body, yield* headersOf(body, options))
})

const errorOf = <R>(delivery: Effect.Effect<unknown, Receiver.ReceiveError, R>) =>
  Effect.map(Effect.flip(delivery), (error) => [error.reason._tag, error.status, error.message])

const withFields = (fields: object) => JSON.stringify({ ...JSON.parse(bodyOf(1)), ...fields })

describe("Receiver", () => {
  it.effect("returns New for the first copy of a delivery and Repeated for later copies", () =>
    Effect.gen(function* () {
      const first = yield* deliver(bodyOf(1))
      assert.strictEqual(first._tag, "New")
      assert.strictEqual(first.message.transaction?.status, "captured")
      assert.strictEqual(first.receivedAt, now * 1000)
      assert.strictEqual((yield* deliver(bodyOf(1), { timestamp: now - 60 }))._tag, "Repeated")
      assert.strictEqual((yield* deliver(bodyOf(2), { id: "2" }))._tag, "New")
    }).pipe(provide)
  )

  it.effect("returns New for one of many concurrent copies", () =>
    Effect.gen(function* () {
      const all = yield* Effect.all(
        Array.from({ length: 20 }, () => deliver(bodyOf(1))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(all.filter(({ _tag }) => _tag === "New").length, 1)
    }).pipe(provide)
  )

  it.effect("refuses a changed body and a changed id", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now * 1000)
      const receiver = yield* Receiver.Receiver
      const headers = yield* headersOf(bodyOf(1))
      const refused = [
        yield* errorOf(receiver.receive(bytesOf(withFields({ webhookId: 2 })), headers)),
        yield* errorOf(receiver.receive(bytesOf(bodyOf(1)), { ...headers, "webhook-id": "2" }))
      ]
      assert.deepStrictEqual(
        refused.map(([tag, status]) => `${tag} ${status}`),
        Array(2).fill("Unauthenticated 401")
      )
      assert.strictEqual((yield* deliver(bodyOf(1)))._tag, "New", "a refused delivery claims nothing")
    }).pipe(provide)
  )

  it.effect("refuses a correct confirmHash without a signature", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.Receiver
      assert.deepStrictEqual(yield* errorOf(receiver.receive(bytesOf(bodyOf(1)), {})), [
        "Unauthenticated",
        401,
        "The header webhook-id is missing: sign the delivery by Standard Webhooks"
      ])
    }).pipe(provide)
  )

  it.effect("refuses a valid signature with a wrong, missing or invalid confirmHash", () =>
    Effect.gen(function* () {
      for (const wrong of [
        "f".repeat(32),
        Redacted.value(confirmHash).slice(1),
        "",
        undefined,
        null,
        1,
        [Redacted.value(confirmHash)]
      ]) {
        const [tag, status, message] = yield* errorOf(deliver(withFields({ confirmHash: wrong })))
        assert.deepStrictEqual([tag, status], ["Unauthenticated", 401])
        assert.match(String(message), /^The confirmHash of the body is wrong/)
        assert.notInclude(String(message), Redacted.value(confirmHash))
      }
    }).pipe(provide)
  )

  it.effect("refuses a delivery signed too long ago", () =>
    Effect.gen(function* () {
      const [tag, status, message] = yield* errorOf(deliver(bodyOf(1), { timestamp: now - 301 }))
      assert.deepStrictEqual([tag, status], ["Unauthenticated", 401])
      assert.match(String(message), /signed 301 s ago/)
    }).pipe(provide)
  )

  it.effect("refuses a delivery with two different signed ids", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* errorOf(deliver(bodyOf(2), { id: "1" })), [
        "Unreadable",
        400,
        "The header webhook-id and the body's webhookId name different deliveries"
      ])
    }).pipe(provide)
  )

  it.effect("accepts an id that is a text as the same number", () =>
    Effect.gen(function* () {
      const asText = withFields({ webhookId: "1" })
      assert.strictEqual((yield* deliver(asText))._tag, "New")
      assert.strictEqual((yield* deliver(asText))._tag, "Repeated")
      // The bytes differ, so this is not a repeated delivery.
      assert.strictEqual((yield* errorOf(deliver(bodyOf(1))))[0], "Conflict")
    }).pipe(provide)
  )

  it.effect("checks the signature before the body", () =>
    Effect.gen(function* () {
      const deep = withFields({}).replace(/}$/, `,"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)
      const unreadable = ["", "{", "[]", new Uint8Array([0xff]), deep]
      for (const body of unreadable) {
        assert.deepStrictEqual((yield* errorOf(deliver(body))).slice(0, 2), ["Unreadable", 400])
        assert.strictEqual((yield* errorOf(deliver(body, { secret: secretOf(9) })))[0], "Unauthenticated")
      }
    }).pipe(provide)
  )

  it.effect("refuses a too large body before any other check", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.Receiver
      const tooLarge = new Uint8Array(Receiver.defaultMaximumBytes + 1)
      assert.deepStrictEqual(yield* errorOf(receiver.receive(tooLarge, {})), [
        "TooLarge",
        413,
        "The body is larger than 4194304 bytes"
      ])
      assert.strictEqual((yield* errorOf(receiver.receive(tooLarge.slice(1), {})))[1], 401)
    }).pipe(provide)
  )

  it.effect("accepts each secret of a sender with each of its confirmHashes", () =>
    Effect.gen(function* () {
      const other = Redacted.make("f".repeat(32))
      const layer = over(layerMemory, {
        senders: [{ secrets: [secretOf(1), secret], confirmHashes: [other, confirmHash] }]
      })
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* deliver(bodyOf(1)))._tag, "New")
        const second = withFields({ webhookId: 2, confirmHash: Redacted.value(other) })
        assert.strictEqual((yield* deliver(second, { id: "2", secret: secretOf(1) }))._tag, "New")
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("returns 503 if the inbox fails", () =>
    Effect.gen(function* () {
      const failing = Layer.mock(Inbox, { accept: () => Effect.fail(new InboxError({ cause: "disk full" })) })
      const error = yield* errorOf(deliver(bodyOf(1))).pipe(Effect.provide(over(failing)))
      assert.deepStrictEqual(error, ["NotStored", 503, "The inbox could not be used: send the delivery again"])
    })
  )

  it.effect("refuses another body with a known webhookId", () =>
    Effect.gen(function* () {
      yield* deliver(bodyOf(1))
      const [tag, status, message] = yield* errorOf(deliver(withFields({ event: "company.cashOut" })))
      assert.deepStrictEqual([tag, status], ["Conflict", 409])
      assert.match(String(message), /^webhookId 1 is stored with another body/)
    }).pipe(provide)
  )

  describe("with two senders", () => {
    const otherSecret = secretOf(3)
    const otherHash = Redacted.make("f".repeat(32))
    const senders: Receiver.ReceiverConfig["senders"] = [
      { secrets: [secret], confirmHashes: [confirmHash] },
      { secrets: [otherSecret], confirmHashes: [otherHash] }
    ]
    const byOther = withFields({ confirmHash: Redacted.value(otherHash), event: "company.cashOut" })
    const provideBoth = Effect.provide(over(layerMemory, { senders }), { local: true })

    it.effect("accepts the same number from both and distinguishes them by confirmHash", () =>
      Effect.gen(function* () {
        const first = yield* deliver(bodyOf(5), { id: "5" })
        const second = yield* deliver(byOther.replace(`"webhookId":1`, `"webhookId":5`), {
          id: "5",
          secret: otherSecret
        })
        assert.deepStrictEqual([first._tag, second._tag], ["New", "New"])
        assert.notStrictEqual(first.sender, second.sender)
        assert.match(first.sender, /^[0-9a-f]{12}$/)
        assert.notInclude(Redacted.value(confirmHash), first.sender)
      }).pipe(provideBoth)
    )

    it.effect("refuses the signature of one with the confirmHash of the other", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* errorOf(deliver(bodyOf(1), { secret: otherSecret })))[0], "Unauthenticated")
        assert.strictEqual((yield* errorOf(deliver(byOther)))[0], "Unauthenticated")
        assert.strictEqual((yield* deliver(byOther, { secret: otherSecret }))._tag, "New")
      }).pipe(provideBoth)
    )

    it.effect("identifies a sender by name after its secret and confirmHash have changed", () =>
      Effect.gen(function* () {
        const renewed = over(layerMemory, {
          senders: [{ name: "shop", secrets: [otherSecret], confirmHashes: [otherHash] }]
        })
        const { sender } = yield* deliver(byOther, { secret: otherSecret }).pipe(Effect.provide(renewed))
        assert.strictEqual(sender, "shop")
      })
    )
  })

  it.effect("parses deliveries with another naming profile", () =>
    Effect.gen(function* () {
      const body = bodyOf(1).replaceAll("svcPay", "galaxPay").replaceAll("SvcPay", "GalaxPay")
      const { message } = yield* deliver(body)
      assert.deepStrictEqual(
        [message.transaction?.svcPayId, message.transaction?.subscriptionSvcPayId, message.subscription?.svcPayId],
        [77, 5, 5]
      )
    }).pipe(Effect.provide(over(layerMemory, { naming: galaxPay })))
  )

  it.effect("stores the signed bytes without confirmHash, so that they can be verified again", () =>
    Effect.gen(function* () {
      const stored: Array<InboxEntry> = []
      const spying = Layer.mock(Inbox, {
        accept: (entry) => Effect.sync(() => (stored.push(entry), "new" as const))
      })
      const odd = `\ufeff { "extra" : 1.0,\t${bodyOf(1).slice(1)}\n`
      yield* deliver(odd).pipe(Effect.provide(over(spying)))
      const [entry] = stored
      assert.notInclude(JSON.stringify(entry), Redacted.value(confirmHash))
      const body = restore(entry!.body, confirmHash)
      assert.strictEqual(body, odd)
      const headers = {
        "webhook-id": String(entry!.webhookId),
        "webhook-timestamp": String(entry!.signedAt),
        "webhook-signature": entry!.signature
      }
      const verified = yield* Signature.verify({ headers, body: bytesOf(body), secrets: [secret] })
      assert.strictEqual(verified.id, "1")
      assert.strictEqual(entry!.subject, "transaction/77")
    }).pipe(Effect.provide(NodeCrypto.layerMac))
  )

  it.effect("runs on Effect's Web Crypto layers without a platform", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* deliver(bodyOf(1)))._tag, "New")
      assert.strictEqual((yield* errorOf(deliver(bodyOf(2), { id: "2", secret: secretOf(9) })))[1], 401)
    }).pipe(
      Effect.provide(
        Receiver.layer(config).pipe(
          Layer.provide(layerMemory),
          Layer.provideMerge(Layer.provide(Mac.layerWebCrypto, SecureRandom.layerWebCrypto))
        )
      )
    )
  )
})
