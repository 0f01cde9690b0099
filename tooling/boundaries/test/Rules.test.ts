import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { importsIn } from "../src/Imports.ts"
import { violationsIn } from "../src/Rules.ts"
import { installedStability, misnamedModules, stabilityIn } from "../src/StableEffect.ts"

const workspace = {
  apps: new Set(["@parcela/cli"]),
  stability: () => stabilityIn(effectModule)
}

const effectModule = `/**
 * Header.
 * @stability stable
 */
/**
 * @stability stable
 */
export const fine: number = 1
/**
 * @stability unstable
 */
export const risky: number = 2
`

const messages = (file: string, text: string): ReadonlyArray<string> =>
  violationsIn(workspace, file, importsIn(file, text)).map(({ line, rule }) => `${line} ${rule}`)

/** Each file breaks one rule: [file, code, part of the rule that must be named]. */
const broken: ReadonlyArray<readonly [file: string, code: string, rule: string]> = [
  ["packages/core/src/A.ts", 'import { A } from "@parcela/engine/A"', "@parcela/core may import no package of ours"],
  ["packages/core/src/A.ts", 'import type { A } from "@parcela/engine/A"', "@parcela/core may import"],
  ["packages/core/src/A.ts", 'export { A } from "@parcela/engine/A"', "@parcela/core may import"],
  ["packages/core/src/A.ts", 'export * from "@parcela/engine/A"', "@parcela/core may import"],
  ["packages/core/src/A.ts", 'export const a = () => import("@parcela/engine/A")', "@parcela/core may import"],
  ["packages/core/src/A.ts", 'export type A = import("@parcela/engine/A").A', "@parcela/core may import"],
  ["packages/core/src/A.ts", 'import "@parcela/core/B"', "own source is imported relatively"],
  ["packages/core/src/A.ts", 'import "node:fs"', "uses no Node built-ins"],
  ["packages/core/src/A.ts", 'import "crypto"', "uses no Node built-ins"],
  ["packages/core/src/A.ts", 'import * as Graph from "effect/Graph"', "only Effect modules tagged stable"],
  [
    "packages/core/src/A.ts",
    'import { HttpClient } from "effect/http/HttpClient"',
    "only Effect modules tagged stable"
  ],
  ["packages/core/src/A.ts", 'import * as D from "effect/Data"\nexport const a = D.risky', "tagged unstable"],
  ["packages/core/src/A.ts", 'import * as D from "effect/Data"\nexport type A = D.risky', "tagged unstable"],
  ["packages/core/src/A.ts", 'import { risky } from "effect/Data"', "tagged unstable"],
  ["packages/core/src/A.ts", 'import { Effect } from "effect"', "module by module"],
  ["packages/core/src/A.ts", 'import "../test/Fixture.ts"', "Source does not import tests"],
  ["packages/core/src/A.ts", 'import "../../engine/src/B.ts"', "stays inside its package"],
  ["packages/core/test/A.test.ts", 'import "../../engine/src/B.ts"', "stays inside its package"],
  ["packages/core/test/A.test.ts", 'import "@parcela/http/A"', "Tests of @parcela/core may import"],
  ["packages/engine/src/A.ts", 'import * as Sql from "effect/sql/SqlClient"', "does not import effect/sql"],
  [
    "packages/engine/src/A.ts",
    'import * as H from "effect/http-api/HttpApi"',
    "does not import effect/sql, effect/http"
  ],
  ["packages/engine/src/A.ts", 'import { SqlClient } from "effect/sql"', "module by module"],
  ["packages/engine/src/A.ts", 'import "@effect/platform-node/NodeHttpServer"', "does not choose a platform"],
  ["packages/engine/src/A.ts", 'import "@parcela/store-sql/A"', "may import @parcela/core, @parcela/webhooks"],
  ["packages/engine/src/A.ts", 'import "@parcela/core/src/A"', "src folder of a package is closed"],
  ["packages/engine/src/A.ts", 'import "@parcela/core/internal/A"', "internal folder of a package is closed"],
  ["packages/engine/src/A.ts", 'import "@parcela/core"', "no barrel"],
  ["packages/http/src/A.ts", 'import "@parcela/client"', "@parcela/http may import"],
  ["packages/engine/src/A.ts", 'import "@parcela/nowhere/A"', "There is no package @parcela/nowhere"],
  ["packages/store-sql/src/A.ts", 'import "@parcela/provider-simulator/A"', "@parcela/store-sql may import"],
  ["packages/http/src/A.ts", 'import "node:http"', "uses no Node built-ins"],
  ["packages/sandbox/src/A.ts", 'import "@effect/platform-node"', "module by module"],
  ["packages/sandbox/src/A.ts", 'import "@parcela/cli/A"', "Nothing imports an app"],
  ["apps/demo/src/A.ts", 'import "@parcela/cli/A"', "Nothing imports an app"],
  ["apps/demo/src/A.ts", 'import "../../cli/src/A.ts"', "stays inside its package"],
  ["examples/a.ts", 'import "@parcela/core/internal/A"', "internal folder of a package is closed"],
  ["examples/a.ts", 'import "../packages/core/src/A.ts"', "stays inside its package"]
]

const allowed: ReadonlyArray<readonly [file: string, code: string]> = [
  ["packages/core/src/A.ts", 'import * as D from "effect/Data"\nexport const a = D.fine'],
  ["packages/core/src/A.ts", 'import { B } from "./internal/B.ts"'],
  ["packages/core/src/A.ts", "export const D = { risky: 1 }\nexport const a = D.risky"],
  ["packages/core/test/A.test.ts", 'import { Arbitrary } from "effect"\nimport "node:fs"\nimport "../src/A.ts"'],
  ["packages/engine/test/A.test.ts", 'import "@parcela/provider-tests/A"\nimport "@parcela/store-sql/A"'],
  ["packages/engine/src/A.ts", 'import "@parcela/core/A"\nimport * as Graph from "effect/Graph"'],
  ["packages/store-sql/src/A.ts", 'import "node:sqlite"\nimport * as Sql from "effect/sql/SqlClient"'],
  ["packages/sandbox/src/A.ts", 'import "@effect/platform-node/NodeHttpServer"\nimport "@parcela/store-sql/A"'],
  ["apps/cli/src/A.ts", 'import { Effect } from "effect"\nimport "@effect/platform-node"\nimport "@parcela/sandbox/A"'],
  ["examples/a.ts", 'import { Effect } from "effect"\nimport "@parcela/core/money/Cents"']
]

describe("boundaries", () => {
  for (const [file, code, rule] of broken) {
    it(`rejects ${code.replaceAll("\n", "; ")} in ${file}`, () => {
      const found = messages(file, code)
      assert.strictEqual(found.length, 1, found.join("\n"))
      assert.include(found[0], rule)
    })
  }

  for (const [file, code] of allowed) {
    it(`allows ${code.replaceAll("\n", "; ")} in ${file}`, () => {
      assert.deepStrictEqual(messages(file, code), [])
    })
  }

  it("names the line of the import and of the unstable use", () => {
    const code = '\n\nimport * as D from "effect/Data"\n\nexport const a = D.risky\n'
    assert.match(messages("packages/core/src/A.ts", code)[0] ?? "", /^5 /)
    assert.match(messages("packages/engine/src/A.ts", '// one\nimport "effect"')[0] ?? "", /^2 /)
  })
})

describe("the list of stable Effect modules", () => {
  const installed = installedStability(join(import.meta.dirname, ".."))

  it("holds only modules that the installed Effect tags stable", () => {
    assert.deepStrictEqual(misnamedModules(installed), [])
  })

  it("knows an unstable export of a stable module", () => {
    assert.strictEqual(installed("Schema").module, "stable")
    assert.strictEqual(installed("Schema").exports.get("Struct"), "stable")
    assert.strictEqual(installed("Schema").exports.get("ByteSize"), "unstable")
    assert.strictEqual(installed("Effect").exports.get("void"), "stable")
  })
})
