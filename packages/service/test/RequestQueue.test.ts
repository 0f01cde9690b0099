import { assert, describe, it } from "@effect/vitest"
import { defaultLimits, RequestQueue } from "@parcela/service/RequestQueue"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Takes a request of a connection of its own. */
const take = (queue: RequestQueue, handOn: () => void, failed: (fault: unknown) => void = () => {}) => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  queue.take({ request, response, bytes: 0, handOn, failed, dropped: () => {} })
}

/** How many of 64 requests each of four turns hands on, on a machine that is late for all of them. */
const turns = async (betweenTurns: (queue: RequestQueue) => void) => {
  let now = 0
  let handedOn = 0
  const queue = new RequestQueue(defaultLimits, () => now)
  for (let index = 0; index < 64; index++) take(queue, () => handedOn++)
  const counts: Array<number> = []
  for (let turn = 0; turn < 4; turn++) {
    betweenTurns(queue)
    now += 10 * defaultLimits.turn
    const before = handedOn
    await nextTurn()
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

/** How many of two requests were handed on before the queue's part of each of four iterations of the event loop: the second comes in the second. */
const whileRequestsCome = async (milliseconds: number) => {
  let now = 0
  let handedOn = 0
  const queue = new RequestQueue(defaultLimits, () => now)
  const counts: Array<number> = []
  for (let iteration = 0; iteration < 4; iteration++) {
    const next = nextTurn()
    if (iteration < 2) take(queue, () => handedOn++)
    now += milliseconds
    await next
    counts.push(handedOn)
  }
  return counts
}

describe("a request that comes while others are read", () => {
  it("is handed on with them", async () => {
    assert.deepStrictEqual(await whileRequestsCome(0), [0, 0, 2, 2])
  })

  it("holds them up for no longer than a turn may take", async () => {
    assert.deepStrictEqual(await whileRequestsCome(10 * defaultLimits.turn), [0, 2, 2, 2])
  })
})

describe("a request that a turn has left", () => {
  it("waits for none that came after it", async () => {
    let now = 0
    let handedOn = 0
    const queue = new RequestQueue(defaultLimits, () => now)
    const handOn = () => handedOn++
    // The first turn takes two.
    for (let index = 0; index < 3; index++) take(queue, handOn)
    now += 10 * defaultLimits.turn
    await nextTurn()
    for (let index = 0; index < 2; index++) take(queue, handOn)
    const counts = [handedOn]
    for (let turn = 0; turn < 2; turn++) {
      await nextTurn()
      counts.push(handedOn)
    }
    assert.deepStrictEqual(counts, [2, 3, 5])
  })
})

describe("a request that cannot be handed on", () => {
  it("fails alone: the others of its turn are handed on, and so are those after it", async () => {
    const queue = new RequestQueue(defaultLimits, () => 0)
    const fault = new Error("a fault")
    const failed: Array<unknown> = []
    let handedOn = 0
    const throwing = () => {
      throw fault
    }
    take(queue, throwing, (cause) => failed.push(cause))
    for (let index = 0; index < 3; index++) take(queue, () => handedOn++)
    for (let turn = 0; turn < 4; turn++) await nextTurn()
    assert.deepStrictEqual(failed, [fault])
    assert.strictEqual(handedOn, 3)
  })
})

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
          queue.take({ request, response, bytes: 0, handOn, failed: () => {}, dropped: () => {} })
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
