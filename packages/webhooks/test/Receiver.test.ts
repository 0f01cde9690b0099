import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Inbox, InboxError, layerMemory } from "../src/Inbox.ts"
import * as Receiver from "../src/Receiver.ts"
import { bodyOf, bytesOf, confirmHash, headersOf, now, secret, secretOf } from "./fixtures/Deliveries.ts"

const config: Receiver.ReceiverConfig = { secrets: [secret], confirmHashes: [confirmHash] }

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
  it.effect("takes a delivery as new once, and as repeated ever after", () =>
    Effect.gen(function* () {
      const first = yield* deliver(bodyOf(1))
      assert.strictEqual(first._tag, "New")
      assert.strictEqual(first.message.transaction?.status, "captured")
      assert.strictEqual(first.receivedAt, now * 1000)
      assert.strictEqual((yield* deliver(bodyOf(1), { timestamp: now - 60 }))._tag, "Repeated")
      assert.strictEqual((yield* deliver(bodyOf(2), { id: "2" }))._tag, "New")
    }).pipe(provide)
  )

  it.effect("lets one of many at once be new", () =>
    Effect.gen(function* () {
      const all = yield* Effect.all(
        Array.from({ length: 20 }, () => deliver(bodyOf(1))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(all.filter(({ _tag }) => _tag === "New").length, 1)
    }).pipe(provide)
  )

  it.effect("refuses a body that was changed, and an id that was swapped", () =>
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

  it.effect("refuses the right confirmHash without a signature", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.Receiver
      assert.deepStrictEqual(yield* errorOf(receiver.receive(bytesOf(bodyOf(1)), {})), [
        "Unauthenticated",
        401,
        "The header webhook-id is missing: only a delivery that is signed by Standard Webhooks is accepted"
      ])
    }).pipe(provide)
  )

  it.effect("refuses a right signature with a wrong, missing or odd confirmHash", () =>
    Effect.gen(function* () {
      for (const wrong of ["f".repeat(32), "", undefined, null, 1, [Redacted.value(confirmHash)]]) {
        const [tag, status, message] = yield* errorOf(deliver(withFields({ confirmHash: wrong })))
        assert.deepStrictEqual([tag, status], ["Unauthenticated", 401])
        assert.match(String(message), /^The confirmHash of the body is not the expected one/)
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

  it.effect("refuses a delivery whose two ids differ although both are signed", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* errorOf(deliver(bodyOf(2), { id: "1" })), [
        "Unreadable",
        400,
        "The header webhook-id and the body's webhookId name different deliveries"
      ])
    }).pipe(provide)
  )

  it.effect("takes the same id written as text", () =>
    Effect.gen(function* () {
      yield* deliver(bodyOf(1))
      assert.strictEqual((yield* deliver(withFields({ webhookId: "1" })))._tag, "Repeated")
    }).pipe(provide)
  )

  it.effect("refuses what it cannot read only after the signature", () =>
    Effect.gen(function* () {
      const unreadable = ["", "{", "[]", new Uint8Array([0xff])]
      for (const body of unreadable) {
        assert.deepStrictEqual((yield* errorOf(deliver(body))).slice(0, 2), ["Unreadable", 400])
        assert.strictEqual((yield* errorOf(deliver(body, { secret: secretOf(9) })))[0], "Unauthenticated")
      }
      const deep = withFields({}).replace(/}$/, `,"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)
      assert.deepStrictEqual(yield* errorOf(deliver(deep)), [
        "Unreadable",
        400,
        "The body cannot be read as a delivery: it is nested too deeply"
      ])
    }).pipe(provide)
  )

  it.effect("refuses a body larger than its limit before anything else", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.Receiver
      const tooLarge = new Uint8Array(Receiver.defaultMaximumBytes + 1)
      assert.deepStrictEqual(yield* errorOf(receiver.receive(tooLarge, {})), [
        "TooLarge",
        413,
        "The body is larger than 1048576 bytes"
      ])
      assert.strictEqual((yield* errorOf(receiver.receive(tooLarge.slice(1), {})))[1], 401)
    }).pipe(provide)
  )

  it.effect("accepts each of several secrets and of several confirmHashes", () =>
    Effect.gen(function* () {
      const other = Redacted.make("f".repeat(32))
      const layer = over(layerMemory, { secrets: [secretOf(1), secret], confirmHashes: [other, confirmHash] })
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* deliver(bodyOf(1)))._tag, "New")
        const second = withFields({ webhookId: 2, confirmHash: Redacted.value(other) })
        assert.strictEqual((yield* deliver(second, { id: "2", secret: secretOf(1) }))._tag, "New")
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("asks the sender to come again when the inbox fails", () =>
    Effect.gen(function* () {
      const failing = Layer.succeed(Inbox, { claim: () => Effect.fail(new InboxError({ cause: "disk full" })) })
      const error = yield* errorOf(deliver(bodyOf(1))).pipe(Effect.provide(over(failing)))
      assert.deepStrictEqual(error, ["NotKept", 503, "The inbox could not be used: the delivery has to come again"])
    })
  )

  it.effect("gives the inbox the body without confirmHash", () =>
    Effect.gen(function* () {
      const kept: Array<string> = []
      const spying = Layer.succeed(Inbox, { claim: ({ body }) => Effect.sync(() => kept.push(body) > 0) })
      yield* deliver(bodyOf(1)).pipe(Effect.provide(over(spying)))
      const { confirmHash: _, ...rest } = JSON.parse(bodyOf(1))
      assert.deepStrictEqual(
        kept.map((body) => JSON.parse(body)),
        [rest]
      )
    })
  )
})
