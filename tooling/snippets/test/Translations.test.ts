import { assert, describe, it } from "@effect/vitest"
import { codeIn, difference, originalOf, translationOf } from "../src/Translations.ts"

const page = (...fences: ReadonlyArray<string>) => fences.map((fence) => `text\n\n${fence}\n`).join("\n")
const command = "```sh\nnpm start # a comment\n```"

describe("a translated page", () => {
  it("is known by the end of its name", () => {
    assert.strictEqual(originalOf("docs/guides/bill.pt-BR.md"), "docs/guides/bill.md")
    assert.isUndefined(originalOf("docs/guides/bill.md"))
    assert.strictEqual(translationOf("docs/guides/bill.md"), "docs/guides/bill.pt-BR.md")
  })

  it("may have comments and pictures of its own", () => {
    const translated = page("```sh\nnpm start # um comentário\n```", "```text\num desenho\n```")
    assert.isUndefined(difference(page(command), translated))
  })

  it("is refused when a command differs, is missing or is added", () => {
    const two = page(command, "```ts\nconst url = 'https://a.example/x'\n```")
    assert.strictEqual(difference(two, page(command)), "code block 2 differs from the original's")
    assert.strictEqual(difference(page(command), two), "it has 2 code blocks, the original 1")
    assert.strictEqual(
      difference(page(command), page("```sh\nnpm test\n```")),
      "code block 1 differs from the original's"
    )
  })

  it("keeps addresses, which are no comments", () => {
    assert.deepStrictEqual(codeIn("```sh\ncurl http://a.example/#b\n```"), ["```sh\ncurl http://a.example/#b"])
  })
})
