import { assert, describe, it } from "@effect/vitest"
import { moduleName, snippetsIn, sourceOf } from "../src/Snippets.ts"

const markdown = [
  "# Title",
  "",
  "```ts",
  'import { Cents } from "@parcela/core/money/Cents"',
  "```",
  "1. In a list",
  "   ```typescript",
  "   const a = 1",
  "   ```",
  "```sh",
  "```ts",
  "npm test",
  "```"
].join("\n")

describe("snippets", () => {
  it("are the ts fences, each on the lines it has in the Markdown", () => {
    const { refused, snippets } = snippetsIn(markdown)
    assert.deepStrictEqual(refused, [])
    assert.deepStrictEqual(
      snippets.map(({ line }) => line),
      [4, 8]
    )
    assert.strictEqual(snippets[0]?.module.split("\n")[3], 'import { Cents } from "@parcela/core/money/Cents"')
    assert.strictEqual(snippets[1]?.module.split("\n")[7], "const a = 1")
  })

  it("are files of a program where their first line says so", () => {
    const fences = ["// src/Acme.ts", "// tests/Acme.ts", "const a = 1 // src/Acme.ts"]
    const { snippets } = snippetsIn(fences.map((line) => `\`\`\`ts\n${line}\n\`\`\``).join("\n"))
    assert.deepStrictEqual(
      snippets.map(({ file }) => file),
      ["src/Acme.ts", undefined, undefined]
    )
  })

  it("are refused when marked with anything but ts, or left open", () => {
    assert.deepStrictEqual(
      snippetsIn("\n```ts no-check\nx\n```").refused.map(({ line }) => line),
      [2]
    )
    assert.deepStrictEqual(
      snippetsIn("```ts\nx").refused.map(({ line }) => line),
      [1]
    )
  })

  it("lead back from a compiler error to the Markdown", () => {
    const name = moduleName("packages/core/README.md", 4)
    assert.strictEqual(
      sourceOf(`examples/.generated/${name}(4,10): error TS2305: no.\n  more`),
      "packages/core/README.md:4:10: error TS2305: no.\n  more"
    )
  })
})
