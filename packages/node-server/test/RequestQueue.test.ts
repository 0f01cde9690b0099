import { assert, describe, it } from "@effect/vitest"
import { defaultLimits, type QueueLimits, RequestQueue } from "@parcela/node-server/RequestQueue"
import { JoinedResponse } from "@parcela/node-server/Responses"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"

const nextTick = () => new Promise((resolve) => setImmediate(resolve))

interface Taking {
  readonly socket?: Socket
  readonly bytes?: number
  readonly handOn?: (response: JoinedResponse) => void
  readonly failed?: (fault: unknown) => void
}

/** Adds a request, by default of a new connection. Returns false if the queue is full. */
const take = (
  queue: RequestQueue,
  { bytes = 0, failed = () => {}, handOn = () => {}, socket = new Socket() }: Taking
) => {
  const request = new IncomingMessage(socket)
  const response = new JoinedResponse(request)
  return queue.take({ request, response, bytes, handOn: () => handOn(response), failed, dropped: () => {} })
}

const queueOf = (limits: Partial<QueueLimits> = {}, now: () => number = () => 0) =>
  new RequestQueue({ ...defaultLimits, ...limits }, now)

describe("a tick of the queue of requests", () => {
  it("hands on all requests in the order of their arrival", async () => {
    const queue = queueOf()
    const handedOn: Array<number> = []
    for (let index = 0; index < 64; index++) take(queue, { handOn: () => handedOn.push(index) })
    assert.deepStrictEqual(handedOn, [])
    await nextTick()
    assert.deepStrictEqual(
      handedOn,
      Array.from({ length: 64 }, (_, index) => index)
    )
  })

  it("ends after its time limit, and the next tick continues", async () => {
    let now = 0
    let handedOn = 0
    const queue = queueOf({}, () => now)
    const handOn = () => {
      handedOn++
      now += defaultLimits.tick / 2
    }
    for (let index = 0; index < 6; index++) take(queue, { handOn })
    const counts: Array<number> = []
    for (let tick = 0; tick < 3; tick++) {
      await nextTick()
      counts.push(handedOn)
    }
    assert.deepStrictEqual(counts, [3, 6, 6])
  })

  it("hands on no further request while the limit of running requests is reached", async () => {
    const queue = queueOf({ pending: 2 })
    const pending: Array<JoinedResponse> = []
    for (let index = 0; index < 3; index++) take(queue, { handOn: (response) => pending.push(response) })
    await nextTick()
    assert.lengthOf(pending, 2)
    pending[0]?.end()
    await nextTick()
    await nextTick()
    assert.lengthOf(pending, 3)
  })

  it("continues after a request whose handler throws", async () => {
    const queue = queueOf()
    const fault = new Error("a fault")
    const failed: Array<unknown> = []
    let handedOn = 0
    const handOn = () => {
      throw fault
    }
    take(queue, { handOn, failed: (cause) => failed.push(cause) })
    for (let index = 0; index < 3; index++) take(queue, { handOn: () => handedOn++ })
    await nextTick()
    assert.deepStrictEqual(failed, [fault])
    assert.strictEqual(handedOn, 3)
  })
})

describe("the pipelined requests of a connection", () => {
  it("are handed on one after the other, in their order", async () => {
    const queue = queueOf()
    const socket = new Socket()
    const handedOn: Array<JoinedResponse> = []
    for (let index = 0; index < 3; index++) take(queue, { socket, handOn: (response) => handedOn.push(response) })
    for (let count = 1; count <= 3; count++) {
      await nextTick()
      assert.lengthOf(handedOn, count)
      handedOn.at(-1)?.emit("close")
    }
  })

  it("pause the reading of their connection above the limit, until half of them remain", async () => {
    const queue = queueOf({ pipelined: 4 })
    const socket = new Socket()
    const handOn = (response: JoinedResponse) => setImmediate(() => response.emit("close"))
    // The first request is not behind another one.
    for (let index = 0; index < 5; index++) take(queue, { socket, handOn })
    assert.isFalse(socket.isPaused())
    assert.isTrue(take(queue, { socket, handOn }))
    assert.isTrue(socket.isPaused())
    while (queue.size > 3) await nextTick()
    assert.isFalse(socket.isPaused())
  })

  it("are refused above the number for all connections and above the bytes for one connection", () => {
    const queue = queueOf({ pipelinedInAll: 2, pipelinedBytes: 100 })
    const sockets = [new Socket(), new Socket()]
    for (const socket of sockets) assert.isTrue(take(queue, { socket }))
    assert.isFalse(take(queue, { socket: sockets[0]!, bytes: 101 }))
    for (const socket of sockets) assert.isTrue(take(queue, { socket, bytes: 100 }))
    assert.isFalse(take(queue, { socket: sockets[0]! }))
  })
})
