import { assert, describe, it } from "@effect/vitest"
import { type Sized, sizeViolations } from "../src/Sizes.ts"

const file = (name: string, lines: number): Sized => ({ file: name, lines })

const violations = (files: ReadonlyArray<Sized>, long: Readonly<Record<string, string>> = {}): ReadonlyArray<string> =>
  sizeViolations(files, long).map(({ what, where }) => `${where}: ${what}`)

/** Small files of four packages, so that what is added to them is judged alone. */
const others = ["core", "engine", "http", "sqlite"].flatMap((name) =>
  Array.from({ length: 20 }, (_, index) => file(`packages/${name}/src/${index}.ts`, 100))
)

describe("sizes", () => {
  it("lets a file have 400 lines and not one more", () => {
    assert.deepStrictEqual(violations([...others, file("apps/cli/src/A.ts", 400)]), [])
    const [found] = violations([...others, file("apps/cli/src/A.ts", 401)])
    assert.strictEqual(found, "apps/cli/src/A.ts: 401 lines, and a file has at most 400")
  })

  it("lets a listed file be longer, and lists none that is not", () => {
    const long = { "apps/cli/src/A.ts": "One table." }
    assert.deepStrictEqual(violations([...others, file("apps/cli/src/A.ts", 900)], long), [])
    for (const files of [[...others, file("apps/cli/src/A.ts", 400)], others]) {
      assert.match(violations(files, long).join(), /longFiles has apps\/cli\/src\/A.ts/)
    }
  })

  it("lets core alone be more than 30 % of the packages' lines", () => {
    const many = (name: string) =>
      Array.from({ length: 20 }, (_, index) => file(`packages/${name}/src/m${index}.ts`, 100))
    assert.deepStrictEqual(violations([...others, ...many("core")]), [])
    assert.deepStrictEqual(violations([...others, ...many("engine")]), [
      "packages/engine/src: 40 % of all packages' lines, and a package has at most 30 %"
    ])
    assert.deepStrictEqual(
      violations([...others, ...many("nowhere").map(({ lines }, i) => file(`apps/cli/src/${i}.ts`, lines))]),
      []
    )
  })
})
