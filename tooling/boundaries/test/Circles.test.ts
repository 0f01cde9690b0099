import { assert, describe, it } from "@effect/vitest"
import { circlesIn } from "../src/Circles.ts"

const file = (name: string, ...specifiers: ReadonlyArray<string>) => ({
  file: `packages/core/src/${name}`,
  imports: specifiers.map((specifier) => ({ specifier }))
})

const found = (...files: ReadonlyArray<ReturnType<typeof file>>) =>
  circlesIn(files).map((circle) => circle.map((name) => name.slice("packages/core/src/".length)).join(" > "))

describe("circles of imports", () => {
  it("finds none where imports go one way, by however many ways", () => {
    assert.deepStrictEqual(
      found(file("a.ts", "./b.ts", "./c.ts"), file("b.ts", "./c.ts"), file("c.ts", "effect/a")),
      []
    )
  })

  it("finds each circle once, across folders, and what leads to it is no part of it", () => {
    assert.deepStrictEqual(
      found(
        file("start.ts", "./b/b.ts"),
        file("b/b.ts", "../a.ts"),
        file("a.ts", "./c.ts"),
        file("c.ts", "./b/b.ts", "./d.ts"),
        file("d.ts", "./c.ts")
      ),
      ["a.ts > c.ts > b/b.ts", "c.ts > d.ts"]
    )
  })

  it("finds a file that imports itself", () => {
    assert.deepStrictEqual(found(file("a.ts", "./a.ts")), ["a.ts"])
  })
})
