import { assert, describe, it } from "@effect/vitest"
import { requests } from "@parcela/service/ActivityLog"
import * as RequestNotes from "@parcela/http/RequestNotes"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"

/** A request to an address, with notes about it. */
const requestOf = (url: string, notes?: RequestNotes.RequestNotes) => {
  const request = new IncomingMessage(new Socket())
  request.method = "GET"
  request.url = url
  if (notes !== undefined) RequestNotes.keep(request, notes)
  return request
}

describe("a line of the log as JSON", () => {
  it.effect("has what is known of a request, whatever signs are in it", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const write = (line: string) => void lines.push(line)
      const log = yield* TestClock.testClockWith((clock) =>
        Effect.succeed(requests({ format: "json", colour: false, write }, undefined, clock))
      )
      const odd = `/a"b\\c\u00e9\ud83d\ude00`
      const notes = { address: "::1", unknownKeys: [`a"b`], faultyFields: ["Transaction.value"] }
      yield* TestClock.setTime(1_000)
      log({ request: requestOf(`${odd}?query`, notes), requestId: "a/b+c", status: 400, milliseconds: 1.26 })
      log({ request: undefined, requestId: "2", status: undefined, milliseconds: 0 })
      yield* TestClock.setTime(2_001)
      log({ request: requestOf("/v2/token"), requestId: "3", status: 200, milliseconds: 2 })
      const nobody = { company: null, address: null }
      assert.deepStrictEqual(
        lines.map((line) => JSON.parse(line)),
        [
          {
            time: "1970-01-01T00:00:01.000Z",
            path: odd,
            status: 400,
            ms: 1.3,
            company: null,
            requestId: "a/b+c",
            ...notes
          },
          { time: "1970-01-01T00:00:01.000Z", method: "-", path: "-", status: null, ms: 0, ...nobody, requestId: "2" },
          { time: "1970-01-01T00:00:02.001Z", path: "/v2/token", status: 200, ms: 2, ...nobody, requestId: "3" }
        ].map((line) => ({ event: "request", method: "GET", ...line }))
      )
      assert.isTrue(lines.every((line) => line.endsWith("}\n")))
    })
  )
})
