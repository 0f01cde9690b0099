import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parts, read, usage } from "../src/ProveParts.ts"

const root = join(import.meta.dirname, "../../..")

describe("what npm run prove runs", () => {
  it("has a part for each test with more cases there, and no file that is gone", () => {
    const long = globSync("{packages,apps}/*/test/**/*.{test,prove}.ts", { cwd: root }).filter(
      (file) => file.endsWith(".prove.ts") || readFileSync(join(root, file), "utf8").includes('inject("prove")')
    )
    const files = parts.flatMap(({ files }) => files)
    const isIn = (file: string) => files.some((one) => file === one || file.startsWith(`${one}/`))
    assert.deepStrictEqual(
      long.filter((file) => !isIn(file)),
      []
    )
    assert.deepStrictEqual(
      files.filter((file) => !existsSync(join(root, file))),
      []
    )
  })

  it("is everything, or the parts that are named, as often as is asked", () => {
    assert.deepStrictEqual(read([]), { parts, count: undefined })
    const [kills, , soak] = parts
    assert.deepStrictEqual(read(["soak", "kills"]), { parts: [kills!, soak!], count: undefined })
    assert.deepStrictEqual(read(["kills", "--count", "5"]), { parts: [kills!], count: 5 })
    assert.deepStrictEqual(read(["kills", "--count=5"]), { parts: [kills!], count: 5 })
  })

  it.each([
    [["kill"], '"kill" is no part.'],
    [["--counts", "3"], "--counts is no option."],
    [["--count", "3"], "--count needs one part that counts."],
    [["kills", "soak", "--count", "3"], "--count needs one part that counts."],
    [["faults", "--count", "3"], "--count needs one part that counts."],
    [["kills", "--count", "0"], "--count is a whole number above 0."],
    [["kills", "--count", "some"], "--count is a whole number above 0."],
    [["kills", "--count"], "--count is a whole number above 0."]
  ])("is nothing for %j, with a reason", (args, reason) => {
    assert.strictEqual(read(args), `${reason}\n${usage}`)
  })
})
