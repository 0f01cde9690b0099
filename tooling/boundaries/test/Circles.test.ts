import { assert, describe, it } from "@effect/vitest"
import { circlesIn, folderCirclesIn, folderViolations } from "../src/Circles.ts"

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

const folders = (...files: ReadonlyArray<ReturnType<typeof file>>) =>
  folderCirclesIn(files).map((circle) => circle.map((name) => name.slice("packages/core/src/".length)).join(" > "))

describe("circles of folders", () => {
  it("are found although no file imports itself", () => {
    const files = [file("a/one.ts", "../b/one.ts"), file("b/two.ts", "../c/one.ts"), file("c/one.ts", "../a/two.ts")]
    assert.deepStrictEqual(found(...files), [])
    assert.deepStrictEqual(folders(...files, file("b/one.ts", "./two.ts"), file("a/two.ts")), ["a > b > c"])
  })

  it("count a nested folder as a part of its folder", () => {
    assert.deepStrictEqual(folders(file("a/x/one.ts", "../../b/one.ts"), file("b/y/two.ts", "../../a/two.ts")), [
      "a > b"
    ])
    assert.deepStrictEqual(folders(file("a/x/one.ts", "../y/one.ts"), file("a/y/two.ts", "../x/two.ts")), [])
  })

  it("count each file beside the folders by itself, as it may be above or below them", () => {
    const ends = [file("Top.ts", "./a/one.ts", "./Bottom.ts"), file("a/one.ts", "../Bottom.ts")]
    assert.deepStrictEqual(folders(...ends), [])
    assert.deepStrictEqual(folders(...ends, file("a/two.ts", "../Top.ts")), ["Top.ts > a"])
  })

  it("are accepted in packages of the list, which names no package without one", () => {
    const circle = [file("a/one.ts", "../b/one.ts"), file("b/two.ts", "../a/two.ts")]
    assert.deepStrictEqual(folderViolations(circle, { core: "It is one rule." }), [])
    assert.match(
      folderViolations(circle, {}).join(),
      /^packages\/core\/src\/a {2}imports itself by packages\/core\/src\/b\n/
    )
    assert.match(
      folderViolations([file("a/one.ts")], { core: "It is one rule." }).join(),
      /core, whose folders have no circle/
    )
  })
})
