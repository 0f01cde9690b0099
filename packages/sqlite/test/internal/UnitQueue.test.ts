import { assert, describe, it } from "@effect/vitest"
import { UnitQueue } from "../../src/internal/UnitQueue.ts"

interface Unit {
  readonly name: string
  readonly isBackground: boolean
}

const awaited = (name: string): Unit => ({ name, isBackground: false })
const background = (name: string): Unit => ({ name, isBackground: true })

/** Takes so many, all of them when nothing is said. */
const taken = (queue: UnitQueue<Unit>, count = Infinity): ReadonlyArray<Unit> => {
  const units: Array<Unit> = []
  while (units.length < count) {
    const unit = queue.take(() => true)
    if (unit === undefined) break
    units.push(unit)
  }
  return units
}

const queueOf = (...units: ReadonlyArray<Unit>) => {
  const queue = new UnitQueue<Unit>()
  for (const unit of units) queue.add(unit)
  return queue
}

describe("what was taken and put back", () => {
  it("comes before what was added since, each kind in its order, and first what somebody waits for", () => {
    const queue = queueOf(awaited("a1"), background("b1"), awaited("a2"), background("b2"), awaited("a3"))
    const first = taken(queue, 3)
    assert.deepStrictEqual(
      first.map(({ name }) => name),
      ["a1", "b1", "a2"]
    )
    queue.add(awaited("a4"))
    queue.add(background("b3"))
    queue.putBack(first)
    assert.strictEqual(queue.length, 7)
    assert.deepStrictEqual(
      taken(queue).map(({ name }) => name),
      ["a1", "b1", "a2", "b2", "a3", "b3", "a4"]
    )
  })

  it("is no longer taken once it was removed", () => {
    const queue = queueOf(background("b1"), background("b2"))
    const first = taken(queue)
    queue.putBack(first)
    for (const unit of first.slice(0, 1)) queue.remove(unit)
    assert.deepStrictEqual(
      taken(queue).map(({ name }) => name),
      ["b2"]
    )
  })
})
