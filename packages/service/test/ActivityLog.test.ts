import { assert, describe, it } from "@effect/vitest"
import { type ActivityLogOptions, requests, writeEvent } from "@parcela/service/ActivityLog"
import { Clock, Effect } from "effect"
import type { IncomingMessage } from "node:http"

/** Returns the text of a log for a terminal with this number of columns. */
const written = (columns: number | undefined, write: (log: ActivityLogOptions) => void): string => {
  let text = ""
  write({ format: "text", colour: false, columns, write: (lines) => void (text += lines) })
  return text
}

const retried = { method: "PUT", url: "/v2/transactions/payment-1/myId/retry" }

describe("the text log", () => {
  it.effect("omits the id of a successful request in a terminal of 80 columns", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const line = (columns: number | undefined, status: number) =>
        written(columns, (log) =>
          requests(
            log,
            undefined,
            clock
          )({
            // The log reads only these two properties of a request.
            request: retried as IncomingMessage,
            requestId: "a1b2c3-1f",
            status,
            milliseconds: 12.34
          })
        )
      assert.match(line(undefined, 200), /^\d\d:\d\d:\d\d\.\d{3} {2}PUT .*\/retry {2}a1b2c3-1f\n$/u)
      assert.match(line(80, 200), /^\d\d:\d\d:\d\d PUT .*\/retry\n$/u)
      assert.isAtMost(line(80, 200).length, 81)
      assert.include(line(80, 404), "a1b2c3-1f")
    })
  )

  it("wraps an event between words, with an indent", () => {
    const text = "What is left is taken up at the next start, and so is what was begun before"
    const lines = written(60, (log) => writeEvent(log, { date: new Date(0), level: "Info", text })).split("\n")
    for (const line of lines) assert.isAtMost(line.length, 60)
    assert.match(lines[1] ?? "", /^ {21}\w/u)
    const whole = written(undefined, (log) => writeEvent(log, { date: new Date(0), level: "Info", text }))
    assert.isTrue(whole.endsWith(`INFO   ${text}\n`))
  })
})
