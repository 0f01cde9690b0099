import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Array, Effect, Layer } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type DestinationPolicy, type GuardedAgent, make, mayDeliverTo, mayReach } from "../../src/node/GuardedAgent.ts"
import { layer } from "../../src/node/NodeWebhookSender.ts"
import { type SendResult, WebhookSender } from "../../src/WebhookSender.ts"
import { bodyOf, secret } from "../fixtures/Deliveries.ts"

const sender = (destinations: DestinationPolicy) => Layer.provide(layer({ destinations }), NodeCrypto.layerMac)

const send = (url: string) =>
  WebhookSender.use((one) => one.send({ url, body: bodyOf(1), webhookId: 1, secrets: [secret] }))

const tick = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const posted = (agent: GuardedAgent, origin: string) =>
  Effect.callback<void>((resume) =>
    agent.dispatch(
      { origin, path: "/", method: "POST" },
      {
        onRequestStart: () => {},
        onResponseStart: () => {},
        onResponseData: () => {},
        onResponseEnd: () => resume(Effect.void),
        onResponseError: (_, error) => resume(Effect.die(error))
      }
    )
  )

/** A receiver on this machine that counts connections and requests. */
const receiver = Effect.fnUntraced(function* (host = "127.0.0.1") {
  const seen = { connections: 0, requests: 0 }
  const server = createServer((request, response) => {
    seen.requests += 1
    request.resume().on("end", () => response.end())
  })
  server.on("connection", () => (seen.connections += 1))
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, host, () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  return { seen, port: (server.address() as AddressInfo).port }
})

const refused: SendResult = {
  _tag: "NoResponse",
  problem: "The address leads to a network that deliveries may not go to"
}

describe("GuardedAgent", () => {
  it.effect("does not connect to this machine by default, by address or by name", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* receiver()
      for (const host of ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0177.1"]) {
        for (const scheme of ["http", "https"]) {
          assert.deepStrictEqual(yield* send(`${scheme}://${host}:${port}/`), refused, `${scheme} ${host}`)
        }
      }
      assert.deepStrictEqual(seen, { connections: 0, requests: 0 })
    }).pipe(Effect.provide(sender({})))
  )

  it.effect("reuses a connection to a permitted address", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* receiver()
      for (let count = 0; count < 3; count++) {
        assert.strictEqual((yield* send(`http://localhost:${port}/`))._tag, "Accepted")
        // Event-loop ticks in which the agent gets the connection back.
        yield* Effect.replicateEffect(tick, 3)
      }
      assert.deepStrictEqual(seen, { connections: 1, requests: 3 })
    }).pipe(Effect.provide(sender({ allowPrivate: true })))
  )

  it.effect("keeps at most 256 connections and closes the others", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* receiver("0.0.0.0")
      const agent = yield* make({ allowPrivate: true })
      const hosts = Array.makeBy(300, (index) => `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`)
      yield* Effect.forEach(hosts, (host) => posted(agent, `http://${host}:${port}`), { concurrency: 20 })
      assert.strictEqual(seen.connections, 300)
      yield* Effect.repeat(tick, { until: () => agent.open() <= 256 })
      assert.strictEqual(agent.open(), 256)
    })
  )

  it.effect("connects only to private addresses that are exceptions", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver()
      assert.strictEqual((yield* send(`http://127.0.0.1:${port}/`))._tag, "Accepted")
      assert.deepStrictEqual(yield* send(`http://127.0.1.1:${port}/`), refused)
    }).pipe(Effect.provide(sender({ exceptions: ["127.0.0.1"] })))
  )

  it.effect("does not connect to ports of other protocols", () =>
    Effect.gen(function* () {
      for (const port of [22, 25, 6000, 6667]) {
        assert.deepStrictEqual(yield* send(`http://127.0.0.1:${port}/`), refused, String(port))
        assert.deepStrictEqual(yield* send(`http://localhost:${port}/`), refused, String(port))
      }
    }).pipe(Effect.provide(sender({ allowPrivate: true })))
  )

  it("never permits link-local, multicast, broadcast or unspecified addresses", () => {
    const policy = { allowPrivate: true, exceptions: ["0.0.0.0/0", "::/0"] }
    for (const address of ["169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "224.0.0.1", "0.0.0.0", "::"]) {
      assert.isFalse(mayReach(policy, address), address)
    }
    assert.isTrue(mayReach(policy, "10.0.0.1"))
    assert.isTrue(mayReach({}, "8.8.8.8"))
  })

  it("refuses URLs with forbidden hosts, and with private hosts unless they are permitted", () => {
    for (const host of ["169.254.169.254", "[fd00:ec2::254]", "100.100.100.200", "metadata.google.internal"]) {
      assert.isFalse(mayDeliverTo({ allowPrivate: true })(`http://${host}/`), host)
    }
    for (const host of ["127.0.0.1", "[::1]", "localhost", "a.localhost.", "10.0.0.1", "[fd00::1]", "0x7f000001"]) {
      assert.isFalse(mayDeliverTo()(`http://${host}:8142/`), host)
      assert.isTrue(mayDeliverTo({ allowPrivate: true })(`http://${host}:8142/`), host)
    }
    assert.isTrue(mayDeliverTo({ exceptions: ["10.0.0.0/8"] })("http://10.0.0.1/"))
    assert.isTrue(mayDeliverTo()("https://hooks.example.com/"))
  })
})
