import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { respond } from "./Contracts.ts"
import * as Fake from "./Fake.ts"

const hour = 3_600
const day = 24 * hour

const advanced = (...words: ReadonlyArray<string>) => Fake.parcela(["sandbox", "advance", ...words], { play: respond })

describe("a duration", () => {
  it.effect.each([
    ["90s", 90],
    ["30min", 30 * 60],
    ["30 minutes", 30 * 60],
    ["2h", 2 * hour],
    ["10d", 10 * day],
    ["1 day", day],
    ["2W", 14 * day]
  ] as const)("is read: %s", ([text, seconds]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* advanced(text)).requests.at(-1)?.body, { bySeconds: seconds })
      assert.deepStrictEqual((yield* advanced(...text.split(" "))).requests.at(-1)?.body, { bySeconds: seconds })
    })
  )

  it.effect.each([
    ["3mo", "2027-06-01"],
    ["3 months", "2027-06-01"],
    ["1y", "2028-03-01"]
  ] as const)("follows the calendar of the company: %s", ([text, to]) =>
    Effect.gen(function* () {
      const { requests } = yield* advanced(text)
      // The example's company is at 2027-03-01.
      assert.include(JSON.stringify(requests.at(-1)?.body), `"to":"${to}T`)
    })
  )

  it.effect("with a plain m is refused with a question about minutes and months", () =>
    Effect.gen(function* () {
      for (const words of [
        ["sandbox", "advance", "3m"],
        ["sandbox", "endpoints", "rotate", "1", "--overlap", "3m"]
      ]) {
        const { requests, code, err } = yield* Fake.parcela(words, { play: respond })
        assert.deepStrictEqual([code, requests], [2, []])
        for (const part of ["minutes or months", "3min", "3mo"]) assert.include(err, part)
      }
    })
  )

  it.effect("that is invalid, or depends on a calendar, sends nothing", () =>
    Effect.gen(function* () {
      for (const text of ["soon", "3", "3 fortnights", "-1d", "1.5h"]) {
        const { requests, code } = yield* advanced(text)
        assert.deepStrictEqual([code, requests], [2, []], text)
      }
      assert.include((yield* advanced("soon")).err, '"soon" is not a duration')
      const overlap = yield* Fake.parcela(["sandbox", "endpoints", "rotate", "1", "--overlap", "1mo"])
      assert.deepStrictEqual([overlap.code, overlap.requests], [2, []])
      assert.include(overlap.err, "Use days")
    })
  )
})
