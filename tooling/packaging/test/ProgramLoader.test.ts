import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const loader = join(import.meta.dirname, "../src/ProgramLoader.ts")

const greets = (name: string) => `exports.greet = () => "Hello, ${name}"`

/** A program of two chunks that prints what it was loaded as. */
const aProgram = () => {
  const folder = mkdtempSync(join(tmpdir(), "parcela-loader-"))
  const cache = join(folder, "cache")
  mkdirSync(join(folder, "dist"))
  const put = (name: string, text: string) => writeFileSync(join(folder, "dist", name), text)
  put("package.json", '{ "type": "commonjs" }')
  put("Program.js", 'exports.main = () => require("./start.js").greet()')
  put("start.js", greets("Ana"))
  const main = join(folder, "dist/main.mjs")
  writeFileSync(
    main,
    `import { load } from ${JSON.stringify(loader)}
    process.getBuiltinModule("node:module").enableCompileCache()
    console.log(load(${JSON.stringify(join(folder, "dist/Program.js"))}).main())`
  )
  const run = (environment: NodeJS.ProcessEnv = {}, ...flags: ReadonlyArray<string>): string =>
    execFileSync(process.execPath, [...flags, main], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: cache, ...environment }
    }).trim()
  /** The files that hold bytecode of the second chunk. */
  const kept = (): ReadonlyArray<string> =>
    readdirSync(cache, { recursive: true, encoding: "utf8" })
      .filter((file) => file.includes("start.js-"))
      .map((file) => join(cache, file))
  return { put, run, kept }
}

describe("ProgramLoader", () => {
  it("loads a program from its bytecode as it loaded it from its source", () => {
    const { kept, run } = aProgram()
    assert.strictEqual(run(), "Hello, Ana")
    const [file = ""] = kept()
    const first = readFileSync(file)
    assert.strictEqual(run(), "Hello, Ana")
    assert.deepStrictEqual(kept(), [file])
    assert.isTrue(first.equals(readFileSync(file)))
  })

  const change = 'require("node:v8").setFlagsFromString("--no-allocation-site-pretenuring")'
  it.each([
    { when: "after", chunk: "start.js", text: `${change}; ${greets("Ana")}` },
    { when: "before", chunk: "Program.js", text: `exports.main = () => (${change}, require("./start.js").greet())` }
  ])("takes bytecode where the program changed how V8 allocates $when the chunk was loaded", ({ chunk, text }) => {
    const { kept, put, run } = aProgram()
    put(chunk, text)
    run()
    const [file = ""] = kept()
    const { ino } = statSync(file)
    assert.strictEqual(run(), "Hello, Ana")
    // What V8 does not take is replaced by another file.
    assert.strictEqual(statSync(file).ino, ino)
  })

  it("does not take bytecode of another source of the same length", () => {
    const { put, run } = aProgram()
    run()
    put("start.js", greets("Eva"))
    assert.strictEqual(run(), "Hello, Eva")
  })

  it("makes bytecode anew where the file is damaged", () => {
    const { kept, run } = aProgram()
    run()
    const [file = ""] = kept()
    const whole = readFileSync(file)
    for (const damaged of [whole.subarray(0, whole.length / 2), Buffer.alloc(0), Buffer.from(whole).fill(1, 64)]) {
      writeFileSync(file, damaged)
      assert.strictEqual(run(), "Hello, Ana")
      assert.isTrue(readFileSync(file).length > 64 && !readFileSync(file).equals(damaged))
    }
  })

  it("keeps nothing where Node's compile cache is switched off", () => {
    const { kept, run } = aProgram()
    assert.strictEqual(run({ NODE_DISABLE_COMPILE_CACHE: "1" }), "Hello, Ana")
    assert.throws(kept)
  })

  it("leaves the loading to Node where it reads source maps", () => {
    const { kept, run } = aProgram()
    assert.strictEqual(run({}, "--enable-source-maps"), "Hello, Ana")
    assert.deepStrictEqual(kept(), [])
  })
})
