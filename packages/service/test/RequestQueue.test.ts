import { assert, describe, it } from "@effect/vitest"
import { defaultLimits, RequestQueue } from "@parcela/service/RequestQueue"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** How many of 64 requests each of four turns hands on, on a machine that is late for all of them. */
const turns = async (betweenTurns: (queue: RequestQueue) => void) => {
  let now = 0
  let handedOn = 0
  const queue = new RequestQueue(defaultLimits, () => now)
  for (let index = 0; index < 64; index++) {
    const request = new IncomingMessage(new Socket())
    const response = new ServerResponse(request)
    queue.take({ request, response, bytes: 0, handOn: () => handedOn++, dropped: () => {} })
  }
  const counts: Array<number> = []
  for (let turn = 0; turn < 4; turn++) {
    betweenTurns(queue)
    now += 10 * defaultLimits.turn
    const before = handedOn
    await new Promise((resolve) => setImmediate(resolve))
    counts.push(handedOn - before)
  }
  return counts
}

describe("a turn of the queue of requests", () => {
  it("is short while clients connect and the event loop is slow, as it accepts one of them between two turns", async () => {
    assert.deepStrictEqual(await turns((queue) => queue.connected()), [1, 1, 1, 1])
  })

  it("takes more each time where nobody connects, so that requests share what they cost together", async () => {
    assert.deepStrictEqual(await turns(() => {}), [2, 4, 8, 16])
  })
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe("what a queue keeps of requests", () => {
  it("is nothing that only a look through the whole heap would find to be garbage", async () => {
    setFlagsFromString("--expose-gc")
    const collect: (options?: { readonly type: "minor" }) => void = runInNewContext("gc")
    const queue = new RequestQueue(defaultLimits, () => 0)
    const sockets = Array.from({ length: 32 }, () => new Socket())
    const handedOn: Array<ServerResponse> = []
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round++) {
        for (const socket of sockets) {
          const request = new IncomingMessage(socket)
          const response = new ServerResponse(request)
          const held = Array.from({ length: 1_000 }, () => round)
          const handOn = () => held.length * handedOn.push(response)
          queue.take({ request, response, bytes: 0, handOn, dropped: () => {} })
        }
        while (sockets.some((socket) => queue.isBusy(socket))) {
          await nextTurn()
          for (const response of handedOn.splice(0)) response.emit("close")
        }
      }
    }
    const youngGarbageGone = () => {
      collect({ type: "minor" })
      collect({ type: "minor" })
      return process.memoryUsage().heapUsed
    }
    await rounds(20)
    // What is there now is old from here on.
    collect()
    const before = youngGarbageGone()
    await rounds(200)
    assert.isBelow(youngGarbageGone() - before, 3_000_000)
  })
})
