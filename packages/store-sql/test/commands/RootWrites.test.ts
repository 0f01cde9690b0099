import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { RootWrites } from "../../src/commands/RootWrites.ts"

const guard = (id: number, version: number) => ({ table: "subscriptions", id: SvcPayId.make(id), version }) as const
const writing = (id: number) => ({ guards: [guard(id, 0)], changes: [] })

describe("what a unit left", () => {
  it("holds until another unit has written below the same root, and none below another", () => {
    const roots = new RootWrites()
    const loaded = roots.begin()
    roots.note(writing(1))
    const left = guard(1, loaded + 1)
    assert.isTrue(roots.hold([left]))
    roots.begin()
    roots.note(writing(2))
    assert.isTrue(roots.hold([left]))
    roots.begin()
    roots.note(writing(1))
    assert.isFalse(roots.hold([left]))
    assert.isFalse(roots.hold([guard(3, loaded), left]))
  })

  it("does not hold when it only says that it wrote, and another one did", () => {
    const roots = new RootWrites()
    const said = guard(1, roots.begin() + 1)
    roots.begin()
    roots.note(writing(1))
    assert.isFalse(roots.hold([said]))
  })

  it("does not hold once its root is forgotten, of which only so many are remembered", () => {
    const roots = new RootWrites()
    const early = guard(1, roots.begin() + 1)
    roots.note(writing(1))
    for (let id = 2; id <= 10_000; id += 1) {
      roots.begin()
      roots.note(writing(id))
    }
    assert.isTrue(roots.hold([early]))
    roots.begin()
    roots.note(writing(10_001))
    assert.isTrue(roots.hold([guard(1, early.version)]), "written by itself last")
    roots.begin()
    roots.note(writing(10_002))
    assert.isFalse(roots.hold([early]), "and the next one is forgotten, so nobody knows")
    assert.isTrue(roots.hold([guard(1, roots.begin())]))
  })
})
