import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"

const module = new URL("../src/Allocation.ts", import.meta.url).href

/** What V8 asks of bytecode: as the process starts, once `allocateYoung` was called, and as it ends. */
const tagsOf = (...flags: ReadonlyArray<string>): ReadonlyArray<string> => {
  const program = `
    import { cachedDataVersionTag } from "node:v8"
    import { allocateYoung } from ${JSON.stringify(module)}
    console.log(cachedDataVersionTag())
    allocateYoung()
    console.log(cachedDataVersionTag())
    process.once("exit", () => console.log(cachedDataVersionTag()))
  `
  const text = execFileSync(process.execPath, [...flags, "--input-type=module", "--eval", program], {
    encoding: "utf8"
  })
  return text.trim().split("\n")
}

describe("allocateYoung", () => {
  it("changes a flag of V8 until the process ends", () => {
    const [start, meanwhile, end] = tagsOf()
    assert.notStrictEqual(meanwhile, start)
    assert.strictEqual(end, start)
  })

  it("leaves the flag to who started the program with it", () => {
    const [start, meanwhile, end] = tagsOf("--no-allocation-site-pretenuring")
    assert.deepStrictEqual([meanwhile, end], [start, start])
  })
})
