import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import { nextTry } from "../src/DeliverySchedule.ts"

const first = MachineTime.make(1_785_585_600_000)
const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** When each try is made, from the first, when each is `late` milliseconds behind its time. */
const plan = (late: number): ReadonlyArray<number> => {
  const at: Array<number> = [first]
  for (let tries = 1; ; tries++) {
    const next = nextTry(tries, MachineTime.make(at.at(-1)!))
    if (next._tag === "GiveUp") return at.map((time) => time - first)
    at.push(next.at + late)
  }
}

describe("DeliverySchedule", () => {
  it("makes six tries in 48 hours when each is made in time", () => {
    assert.deepStrictEqual(plan(0), [
      0,
      30 * second,
      10 * minute + 30 * second,
      2 * hour + 10 * minute + 30 * second,
      14 * hour + 10 * minute + 30 * second,
      48 * hour + 10 * minute + 30 * second
    ])
  })

  it("keeps every wait when a try is late, so that an outage of the sender uses none up", () => {
    const waits = plan(72 * hour).map((time, tries, all) => time - (all[tries - 1] ?? 0))
    assert.deepStrictEqual(waits.slice(1), [
      72 * hour + 30 * second,
      72 * hour + 10 * minute,
      74 * hour,
      84 * hour,
      106 * hour
    ])
  })

  it.each([6, 7, 100])("gives up after %s tries", (tries) => {
    assert.deepStrictEqual(nextTry(tries, first), { _tag: "GiveUp" })
  })
})
