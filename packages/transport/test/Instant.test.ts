import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { Instant } from "../src/sandbox/Control.ts"

const decode = (text: string) => Result.getOrUndefined(Schema.decodeUnknownResult(Instant)(text))

describe("an instant of the sandbox's controls", () => {
  it.each([
    ["2026-11-22T10:00Z", Date.UTC(2026, 10, 22, 10)],
    ["2026-11-22T10:00:00.5-03:00", Date.UTC(2026, 10, 22, 13, 0, 0, 500)],
    ["2028-02-29T00:00:00Z", Date.UTC(2028, 1, 29)]
  ])("%s is accepted", (text, millis) => assert.strictEqual(decode(text), millis))

  it.each([
    "2026-02-29T00:00:00Z",
    "2026-02-31T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-11-22T10:00:60Z",
    "2026-11-22"
  ])("%s is refused instead of being read as another day", (text) => assert.isUndefined(decode(text)))
})
