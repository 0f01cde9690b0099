import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import { retryAt } from "../src/WebhookSender.ts"

const first = MachineTime.make(1_785_585_600_000)
const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The times of all attempts from the first, if each attempt is `late` milliseconds late. */
const plan = (late: number): ReadonlyArray<number> => {
  const at: Array<number> = [first]
  for (let attempts = 1; ; attempts++) {
    const next = retryAt(attempts, MachineTime.make(at.at(-1)!))
    if (next === undefined) return at.map((time) => time - first)
    at.push(next + late)
  }
}

describe("retryAt", () => {
  it("returns six attempts in 48 hours if each attempt is on time", () => {
    assert.deepStrictEqual(plan(0), [
      0,
      30 * second,
      10 * minute + 30 * second,
      2 * hour + 10 * minute + 30 * second,
      14 * hour + 10 * minute + 30 * second,
      48 * hour + 10 * minute + 30 * second
    ])
  })

  it("returns the full delay after a late attempt, so that an outage of the sender uses up no attempt", () => {
    const waits = plan(72 * hour).map((time, index, all) => time - (all[index - 1] ?? 0))
    assert.deepStrictEqual(waits.slice(1), [
      72 * hour + 30 * second,
      72 * hour + 10 * minute,
      74 * hour,
      84 * hour,
      106 * hour
    ])
  })

  it.each([6, 7, 100])("returns undefined after %s attempts", (attempts) => {
    assert.isUndefined(retryAt(attempts, first))
  })
})
