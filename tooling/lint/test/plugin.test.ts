import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "../../..")

/** The repository's configuration, fit to stand in another folder: its overrides are relative to where it lies. */
const configuration = JSON.stringify({
  ...JSON.parse(readFileSync(join(root, ".oxlintrc.json"), "utf8")),
  jsPlugins: [join(root, "tooling/lint/src/plugin.ts")]
})

/** The rules that the repository's configuration reports for one file. */
const rulesBrokenBy = (file: string, code: string): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "parcela-lint-"))
  try {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), code)
    writeFileSync(join(folder, ".oxlintrc.json"), configuration)
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, "node_modules/oxlint/bin/oxlint"), "--format=json", "."],
      { cwd: folder, encoding: "utf8" }
    )
    const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: ReadonlyArray<{ readonly code: string }> }
    return diagnostics.map(({ code }) => code)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const source = "packages/core/src/A.ts"

describe("the lint rules", () => {
  it("find time, randomness and settings taken from globals in packages' source", () => {
    const code = [
      "export const a = Date.now()",
      "export const b = new Date()",
      "export const c = Math.random()",
      'export const d = process.env["HOME"]',
      "export const e = globalThis.crypto.randomUUID()",
      "export const f = setTimeout(() => {}, 1)",
      "console.log(1)"
    ].join("\n")
    const broken = rulesBrokenBy(source, code)
    assert.strictEqual(broken.filter((rule) => rule === "parcela(no-ambient)").length, 6, broken.join())
    assert.include(broken, "eslint(no-console)")
    assert.deepStrictEqual(rulesBrokenBy("apps/demo/src/A.ts", code), [])
  })

  it("leave a date made of a given instant alone", () => {
    assert.deepStrictEqual(rulesBrokenBy(source, "export const a = new Date(0).toISOString() + Date.UTC(2026, 0)"), [])
  })

  it("find tests that do not run, in every form of it", () => {
    const calls = ["it.only", "it.effect.only", "describe.skip", "it.effect.skip", "test.todo", "it.live.fails"]
    const code = calls.map((call) => `${call}("works", () => {})`).join("\n")
    const broken = rulesBrokenBy("packages/core/test/A.test.ts", code)
    assert.strictEqual(broken.filter((rule) => rule === "parcela(no-skipped-test)").length, calls.length)
    const guarded = rulesBrokenBy("packages/core/test/A.test.ts", 'it.skipIf(process.pid === 1)("works", () => {})')
    assert.deepStrictEqual(guarded, [])
  })

  it("find any, value imports of types and default exports", () => {
    assert.include(rulesBrokenBy(source, "export const a = (b: any) => b"), "typescript(no-explicit-any)")
    assert.include(rulesBrokenBy(source, "export default 1"), "import(no-default-export)")
    const code = 'import { B } from "./B.ts"\nexport const a = (b: B) => b'
    assert.include(rulesBrokenBy(source, code), "typescript(consistent-type-imports)")
  })

  it("find a cast, a non-null assertion and a switched-off rule that do not say why they hold", () => {
    const code = [
      "export const a = (b: unknown) => b as string",
      "export const c = (d?: string) => d!",
      "export const e = (f: unknown) => <string>f",
      "/** The documentation of g gives no reason for a cast. */",
      "export const g = (h: unknown) => h as unknown as string",
      "export const i = (j: unknown) => {",
      "  // This comment is too far away.",
      "  const k = j",
      "  return k as string",
      "}",
      "// oxlint-disable-next-line eslint/no-console",
      "console.log(a, c, e, g, i)"
    ].join("\n")
    const broken = (file: string, code: string) =>
      rulesBrokenBy(file, code).filter((rule) => rule === "parcela(reason)")
    assert.strictEqual(broken("packages/core/src/A.ts", code).length, 6)
    assert.strictEqual(broken("apps/cli/src/A.ts", code).length, 6)
    assert.deepStrictEqual(broken("packages/core/test/A.test.ts", code), [])
  })

  it("take a comment on the line or directly above as the reason, and `as const` without one", () => {
    const code = [
      "// Every caller has decoded it.",
      "export const a = (b: unknown) => b as string",
      "export const c = (d?: string) => d! // The caller has looked.",
      "export const e = (f: Array<number>) =>",
      "  f.map(",
      "    (one) => one + 1",
      "    // A list of numbers is one of unknown values.",
      "  ) as Array<unknown>",
      'export const g = ["h"] as const',
      "// oxlint-disable-next-line eslint/no-console -- a program prints",
      "console.log(a, c, e, g)"
    ].join("\n")
    const broken = rulesBrokenBy(source, code).filter((rule) => rule === "parcela(reason)")
    assert.deepStrictEqual(broken, [])
  })

  it("find a pattern of a schema that OpenAPI would not show, wherever it is written", () => {
    const withoutFlag = [
      'export const a = Schema.isPattern(/^a$/, { expected: "a" })',
      "const pattern = /^b$/i",
      "export const b = Schema.isPattern(pattern)",
      "const upTo = (maximum: number) => new RegExp(`^c{${maximum}}$`)",
      "export const c = isPattern(upTo(3))",
      "export const d = derivedText({ pattern: /^d$/, seed, derive })",
      "export const e = derivedText({ pattern: below, seed, derive })",
      "const below = /^e$/"
    ].join("\n")
    const withFlag = withoutFlag.replaceAll("$/", "$/u").replaceAll("ui", "iu").replaceAll("$`)", '$`, "u")')
    const broken = (code: string) => rulesBrokenBy(source, code).filter((rule) => rule === "parcela(unicode-pattern)")
    assert.strictEqual(broken(withoutFlag).length, 5)
    assert.deepStrictEqual(broken(withFlag), [])
    // What decides nothing about a schema may be written as it likes.
    assert.deepStrictEqual(broken('export const f = /^f$/.test("f")'), [])
  })

  it("find private words in comments and declared names, and doc comments that begin with a question word", () => {
    const file = "tooling/trace/src/A.ts"
    const broken = (code: string) => rulesBrokenBy(file, code).filter((rule) => rule === "parcela(plain-words)").length
    assert.strictEqual(broken("/** What is kept. */\nexport const mostOfALot = 1"), 4)
    assert.strictEqual(broken("// Nobody waits for it.\nexport const a = 1"), 1)
    assert.strictEqual(broken("/** The stored rows. */\nexport const maxBatchSize = 1"), 0)
    assert.strictEqual(broken("// `kept` is a key of the interface.\nexport const returned = 1"), 0)
  })
})
