/** A whole server whose other clients send their bodies a byte at a time. */
import { assert, describe, it } from "@effect/vitest"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect } from "effect"
import { clientsAt } from "./fixtures/RawClients.ts"
import { byCard, cards, payment } from "@parcela/test-world/Samples"
import { call, onServer, token } from "@parcela/test-world/Server"

/** The responses to another client's reads and writes, one after another; `between` runs before each. */
const work = Effect.fnUntraced(function* (bearer: string, between: () => void = () => {}) {
  const statuses: Array<number> = []
  const send = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    between()
    statuses.push((yield* call(method, path, { token: bearer, body })).status)
  })
  yield* send("POST", "/v2/subscriptions/manual", byCard(cards.captured))
  for (let index = 0; index < 5; index++) {
    yield* send("POST", "/v2/transactions/sub/myId/add", payment(`p-${index}`))
    yield* send("GET", "/v2/transactions?startAt=0&limit=10")
  }
  return statuses
})

const allGood = Array.from({ length: 11 }, () => 200)

const connections = (count: number) => Effect.flatMap(Sandbox, ({ url }) => clientsAt(Number(new URL(url).port), count))

describe("a server with slow clients", () => {
  it.effect("responds to reads and writes while 300 bodies with a valid token arrive byte by byte", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      const slow = yield* connections(300)
      const body = JSON.stringify(byCard(cards.captured, "slow"))
      const fields = [`Authorization: Bearer ${bearer}`, `Content-Length: ${body.length}`]
      for (const client of slow) client.post("/v2/subscriptions/manual", ...fields)
      const drip = () => {
        for (const client of slow) client.write(" ")
      }
      assert.deepStrictEqual(yield* work(bearer, drip), allGood)
      // None of them was refused or abandoned for that.
      assert.isTrue(slow.every(({ received, socket }) => received === "" && !socket.destroyed))
    }).pipe(Effect.scoped, onServer())
  )
})
