import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it, onTestFinished } from "vitest"
import { run } from "../src/server/Load.ts"
import { bytesOf } from "../src/server/Operations.ts"

const served = (listener: RequestListener, onConnection: () => void = () => {}): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer(listener).on("connection", onConnection)
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

const request = (body?: unknown) =>
  bytesOf({ method: "POST" }, "Bearer x", { path: "/", ...(body === undefined ? {} : { body }) })

const short = { connections: 4, seconds: 0.1, open: "before" } as const

describe("load", () => {
  it("counts every response that was completed, and each one's time", async () => {
    let requests = 0
    const url = await served((request, response) => {
      request.resume()
      request.on("end", () => {
        requests += 1
        response.writeHead(200, { "content-length": 100_000 }).end("x".repeat(100_000))
      })
    })
    const measured = await run({ ...short, url, next: () => ({ request: request({ a: "é" }) }) })
    assert.strictEqual(measured.completed, requests)
    assert.isAtLeast(requests, short.connections)
    assert.lengthOf(measured.latencies, requests)
    assert.deepStrictEqual(measured.failures, {})
    assert.isAtLeast(measured.seconds, short.seconds)
    assert.deepStrictEqual(
      [...measured.latencies].sort((a, b) => a - b),
      measured.latencies
    )
  })

  it("begins once the server has accepted all connections that are to be open before", async () => {
    let accepted = 0
    const atFirst: Array<number> = []
    const url = await served(
      (_request, response) => {
        atFirst.push(accepted)
        response.writeHead(200, { "content-length": 0 }).end()
      },
      () => {
        accepted += 1
      }
    )
    await run({ ...short, connections: 32, requests: 32, url, next: () => ({ request: request() }) })
    assert.deepStrictEqual(new Set(atFirst), new Set([32]))
  })

  it("reads a response whose head arrives in pieces, and no more responses than it is asked for", async () => {
    let requests = 0
    const url = await served((request) => {
      requests += 1
      const { socket } = request
      socket.setNoDelay(true)
      socket.write("HTTP/1.1 200 OK\r\nconte")
      // After two rounds of the event loop the first piece is read.
      setImmediate(() => setImmediate(() => socket.write("nt-length: 4\r\n\r\nab", () => socket.write("cd"))))
    })
    const measured = await run({ ...short, seconds: 60, requests: 10, url, next: () => ({ request: request() }) })
    assert.deepStrictEqual([measured.completed, requests, measured.failures], [10, 10, {}])
  })

  it("does not count a failure as a fast response, and shows the first", async () => {
    let requests = 0
    const url = await served((_request, response) => {
      requests += 1
      const body = requests % 2 === 0 ? "busy" : ""
      response.writeHead(requests % 2 === 0 ? 503 : 200, { "content-length": body.length }).end(body)
    })
    const measured = await run({ ...short, connections: 1, url, next: () => ({ request: request() }) })
    assert.strictEqual(measured.completed, Math.ceil(requests / 2))
    assert.deepStrictEqual(measured.failures, { 503: Math.floor(requests / 2) })
    assert.strictEqual(measured.firstFailure, "busy")
  })

  it("counts a connection that the server closes as a failure, and ends", async () => {
    const url = await served((request) => request.socket.destroy())
    const measured = await run({ ...short, url, next: () => ({ request: request() }) })
    assert.strictEqual(measured.completed, 0)
    assert.deepStrictEqual(measured.failures, { 0: short.connections })
  })

  it("opens connections within the measurement when asked to, and waits for what else an exchange waits for", async () => {
    const url = await served((_request, response) => response.writeHead(200, { "content-length": 0 }).end())
    let arrived = 0
    const until = () =>
      new Promise<void>((resolve) =>
        setImmediate(() => {
          arrived += 1
          resolve()
        })
      )
    const measured = await run({ ...short, open: "within", url, next: () => ({ request: request(), until: until() }) })
    assert.isAtLeast(measured.completed, 1)
    assert.strictEqual(measured.completed, arrived)
  })
})
