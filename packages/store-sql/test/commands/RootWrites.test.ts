import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { RootWrites } from "../../src/commands/RootWrites.ts"

const guard = (id: number, version: number) => ({ table: "subscriptions", id: SvcPayId.make(id), version }) as const
const writing = (id: number) => ({ guards: [guard(id, 0)], changes: [] })

describe("what a unit left", () => {
  it("holds until another unit has written below the same root, and none below another", () => {
    const roots = new RootWrites<ReturnType<typeof writing>>()
    const loaded = roots.begin(0)
    roots.note(writing(1))
    const left = guard(1, loaded + 1)
    assert.isTrue(roots.hold([left]))
    roots.begin(0)
    roots.note(writing(2))
    assert.isTrue(roots.hold([left]))
    roots.begin(0)
    roots.note(writing(1))
    assert.isFalse(roots.hold([left]))
    assert.isFalse(roots.hold([guard(3, loaded), left]))
  })

  it("does not hold when it only says that it wrote, and another one did", () => {
    const roots = new RootWrites<ReturnType<typeof writing>>()
    const said = guard(1, roots.begin(0) + 1)
    roots.begin(0)
    roots.note(writing(1))
    assert.isFalse(roots.hold([said]))
  })

  it("does not hold once its root is forgotten, of which only so many are remembered", () => {
    const roots = new RootWrites<ReturnType<typeof writing>>()
    const early = guard(1, roots.begin(0) + 1)
    roots.note(writing(1))
    for (let id = 2; id <= 10_000; id += 1) {
      roots.begin(0)
      roots.note(writing(id))
    }
    assert.isTrue(roots.hold([early]))
    roots.begin(0)
    roots.note(writing(10_001))
    assert.isTrue(roots.hold([guard(1, early.version)]), "written by itself last")
    roots.begin(0)
    roots.note(writing(10_002))
    assert.isFalse(roots.hold([early]), "and the next one is forgotten, so nobody knows")
    assert.isTrue(roots.hold([guard(1, roots.begin(0))]))
  })

  it("is followed by what others wrote below its root since, while all of that was kept and is remembered", () => {
    const roots = new RootWrites<ReturnType<typeof writing>>()
    const left = guard(1, roots.begin(0) + 1)
    roots.note(writing(1))
    assert.deepStrictEqual(roots.since(left), [])
    const [first, other, second] = [writing(1), writing(2), writing(1)]
    for (const writes of [first, other, second]) {
      roots.begin(0)
      roots.note(writes)
    }
    assert.deepStrictEqual(roots.since(left), [first, second])
    const later = guard(1, roots.begin(1) + 1)
    assert.isUndefined(roots.since(left), "units were undone")
    roots.note(writing(1))
    for (let count = 0; count < 511; count += 1) {
      assert.lengthOf(roots.since(later) ?? [], count)
      roots.begin(1)
      roots.note(writing(1))
    }
    assert.isUndefined(roots.since(later), "of so many some are forgotten")
    const last = guard(1, roots.begin(1))
    roots.forgetAll()
    assert.isUndefined(roots.since(last))
  })
})
