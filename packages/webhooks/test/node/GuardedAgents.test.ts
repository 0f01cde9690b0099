import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { Array, Effect, Layer } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type DestinationPolicy, make, mayReach } from "../../src/node/GuardedAgents.ts"
import { layer, type SendResult, WebhookSender } from "../../src/WebhookSender.ts"
import { bodyOf, secret } from "../fixtures/Deliveries.ts"

const senderOver = (agents: ReturnType<typeof make>) =>
  layer().pipe(
    Layer.provide(NodeHttpClient.layerNodeHttpNoAgent),
    Layer.provide(Layer.effect(NodeHttpClient.HttpAgent, Effect.map(agents, NodeHttpClient.HttpAgent.of))),
    Layer.provide(NodeCrypto.layerMac)
  )

const sender = (policy: DestinationPolicy) => senderOver(make(policy))

const send = (url: string) =>
  WebhookSender.use((one) => one.send({ url, body: bodyOf(1), webhookId: 1, secrets: [secret] }))

/** A receiver on this machine, and how many connections it was asked for. */
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

describe("GuardedAgents", () => {
  it.effect("makes no connection to this machine for a service, by address or by name", () =>
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

  it.effect("keeps a connection to where it may go", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* receiver()
      for (let count = 0; count < 3; count++) {
        assert.strictEqual((yield* send(`http://localhost:${port}/`))._tag, "Accepted")
        // A turn, in which the connection comes back to its agent.
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      assert.deepStrictEqual(seen, { connections: 1, requests: 3 })
    }).pipe(Effect.provide(sender({ allowPrivate: true })))
  )

  it.effect("keeps 256 connections to all receivers together, and closes the others", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* receiver("0.0.0.0")
      const agents = yield* make({ allowPrivate: true })
      const hosts = Array.makeBy(300, (index) => `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`)
      yield* Effect.forEach(hosts, (host) => send(`http://${host}:${port}/`), { concurrency: 20 }).pipe(
        Effect.provide(senderOver(Effect.succeed(agents)))
      )
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.strictEqual(seen.connections, 300)
      const idle = Object.values(agents.http.freeSockets).flatMap((sockets) => sockets ?? [])
      assert.lengthOf(idle, 256)
    })
  )

  it.effect("goes to private addresses that are excepted, and to no others", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver()
      assert.strictEqual((yield* send(`http://127.0.0.1:${port}/`))._tag, "Accepted")
      assert.deepStrictEqual(yield* send(`http://127.0.1.1:${port}/`), refused)
    }).pipe(Effect.provide(sender({ exceptions: ["127.0.0.1"] })))
  )

  it.effect("does not speak to the ports of other protocols", () =>
    Effect.gen(function* () {
      for (const port of [22, 25, 6000, 6667]) {
        assert.deepStrictEqual(yield* send(`http://127.0.0.1:${port}/`), refused, String(port))
        assert.deepStrictEqual(yield* send(`http://localhost:${port}/`), refused, String(port))
      }
    }).pipe(Effect.provide(sender({ allowPrivate: true })))
  )

  it("never reaches link-local, multicast, broadcast or unspecified addresses, whatever is allowed", () => {
    const policy = { allowPrivate: true, exceptions: ["0.0.0.0/0", "::/0"] }
    for (const address of ["169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "224.0.0.1", "0.0.0.0", "::"]) {
      assert.isFalse(mayReach(policy, address), address)
    }
    assert.isTrue(mayReach(policy, "10.0.0.1"))
    assert.isTrue(mayReach({}, "8.8.8.8"))
  })
})
