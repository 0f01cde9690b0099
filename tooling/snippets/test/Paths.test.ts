import { assert, describe, it } from "@effect/vitest"
import { fragmentsIn, missingPaths } from "../src/Paths.ts"

const repository = {
  paths: new Set([
    "README.md",
    "docs",
    "docs/guide.md",
    "packages/http/src",
    "packages/http/src/Paths.ts",
    "packages/http/src/docs",
    "packages/http/src/docs/Page.ts"
  ]),
  fragmentsOf: () => fragmentsIn("# The guide\n\n## `npm start`, and more\n")
}

const missing = (text: string, file = "README.md") => missingPaths(file, text, repository).map(({ path }) => path)

describe("paths in Markdown", () => {
  it.each([
    "`packages/http/src/Paths.ts`, `Page.ts` below it, `packages/http/src/docs/`",
    "`http/Paths`, `@parcela/http/Paths`, `http/docs/Page`",
    "`packages/<name>/src/X.ts`, `packages/http/src/{A,B}.ts`, `packages/*/X.ts`, `packages/http/dist/index.js`",
    "`GET /webhooks`, `application/json`, `2/3`, `PUT /transactions/{id}/{typeId}`",
    "[the guide](docs/guide.md), [a part](docs/guide.md#npm-start-and-more), [elsewhere](https://a.example/b)",
    "```sh\ncat packages/http/src/Nothing.ts `packages/http/src/Nothing.ts`\n```"
  ])("lead somewhere: %s", (text) => {
    assert.deepStrictEqual(missing(text), [])
  })

  it("lead nowhere as code or as links, with the line", () => {
    assert.deepStrictEqual(missing("`packages/http/src/Path.ts`, `Nothing.ts`"), [
      "packages/http/src/Path.ts",
      "Nothing.ts"
    ])
    assert.deepStrictEqual(missing("`http/Nothing`, `@parcela/http/Nothing`"), [
      "http/Nothing",
      "@parcela/http/Nothing"
    ])
    assert.deepStrictEqual(missing("[a](guide.md), [b](docs/guide.md#no-such-part)"), [
      "guide.md",
      "docs/guide.md#no-such-part"
    ])
    assert.deepStrictEqual(missing("[a](../README.md), [b](../docs/guide.md)", "docs/guide.md"), [])
    assert.deepStrictEqual(missingPaths("README.md", "\n```\n```\n`Nothing.ts`", repository), [
      { line: 4, path: "Nothing.ts" }
    ])
  })
})
