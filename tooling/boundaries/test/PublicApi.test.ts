import { assert, describe, it } from "@effect/vitest"
import { exportsIn } from "../src/Exports.ts"
import { examplesIn, importsIn } from "../src/Imports.ts"
import { apiViolations, type Intended, type ModuleFacts } from "../src/PublicApi.ts"

const facts = (file: string, code: string): ModuleFacts => ({
  file,
  imports: importsIn(file, code),
  exports: exportsIn(file, code)
})

const plan = facts("packages/core/src/plans/Plan.ts", "export const price = 1\nexport const period = 2")

const violations = (
  modules: ReadonlyArray<ModuleFacts>,
  intended: ReadonlyArray<Intended> = []
): ReadonlyArray<string> => apiViolations(modules, intended).map(({ rule, what, where }) => `${where} ${what}: ${rule}`)

const listed = (...names: ReadonlyArray<string>): ReadonlyArray<Intended> => [
  { reason: "For others.", exports: { "core/plans/Plan": names } }
]

const unusedPeriod = "packages/core/src/plans/Plan.ts:2 export period: No program uses this export."

describe("an export of a package", () => {
  it.each([
    ["packages/engine/src/A.ts", 'import { price } from "@parcela/core/plans/Plan"'],
    ["packages/core/src/A.ts", 'import { price as cost } from "./plans/Plan.ts"'],
    ["packages/core/src/A.ts", 'export { price } from "./plans/Plan.ts"\nimport { price } from "./A.ts"'],
    ["apps/cli/src/A.ts", 'import * as Plan from "@parcela/core/plans/Plan"\nexport const a = Plan.price'],
    ["apps/cli/src/A.ts", 'import type * as Plan from "@parcela/core/plans/Plan"\nexport type A = Plan.price'],
    ["examples/test/A.test.ts", 'import { price } from "@parcela/core/plans/Plan"'],
    ["tooling/bench/src/A.ts", 'import { price } from "@parcela/core/plans/Plan"']
  ])("is needed by what %s says: %s", (file, code) => {
    assert.deepStrictEqual(violations([plan, facts(file, code)]), [unusedPeriod])
  })

  it("is needed by an example in a README", () => {
    const [code = ""] = examplesIn('# Plans\n\n```ts\nimport { price } from "@parcela/core/plans/Plan"\n```\n')
    const readme = { file: "packages/core/README.md", imports: importsIn("A.ts", code), exports: [] }
    assert.deepStrictEqual(violations([plan, readme]), [unusedPeriod])
  })

  it.each([
    'import * as Plan from "@parcela/core/plans/Plan"\nexport const a = show(Plan)',
    'import * as Plan from "@parcela/core/plans/Plan"\nexport const a = { ...Plan }',
    'export const a = () => import("@parcela/core/plans/Plan")',
    'export type A = typeof import("@parcela/core/plans/Plan")',
    'export * from "@parcela/core/plans/Plan"'
  ])("is needed where its whole module is: %s", (code) => {
    assert.deepStrictEqual(violations([plan, facts("apps/cli/src/A.ts", code)]), [])
  })

  it.each([
    ["packages/core/test/A.test.ts", 'import { price, period } from "../src/plans/Plan.ts"'],
    ["apps/cli/test/A.test.ts", 'import { price, period } from "@parcela/core/plans/Plan"'],
    ["packages/provider-tests/src/A.ts", 'import { price, period } from "@parcela/core/plans/Plan"'],
    ["tooling/test-world/src/A.ts", 'import { price, period } from "@parcela/core/plans/Plan"'],
    ["packages/engine/src/A.ts", 'import * as Plan from "@parcela/core/plans/Plan"\nexport type A = { Plan: 1 }'],
    ["packages/engine/src/A.ts", 'import { price, period } from "@parcela/core/other/Plan"']
  ])("is not needed by what %s says: %s", (file, code) => {
    const found = violations([plan, facts(file, code)]).filter((line) => line.startsWith("packages/core/"))
    assert.strictEqual(found.length, 2)
  })

  it("is needed by its own file when it is a type, and need not be exported for it when it is a value", () => {
    const code = [
      "export interface Part { readonly a: 1 }",
      "export class Failure { readonly part?: Part }",
      "export const first = 1",
      "export const all = (): Failure | typeof first => first"
    ].join("\n")
    assert.deepStrictEqual(
      apiViolations([facts("packages/core/src/A.ts", code)], []).map(({ what }) => what),
      ["export first", "export all"]
    )
  })

  it("is not asked for where it is closed to others, or part of the suites", () => {
    assert.deepStrictEqual(violations([facts("packages/core/src/internal/A.ts", "export const a = 1")]), [])
    assert.deepStrictEqual(violations([facts("packages/provider-tests/src/A.ts", "export const a = 1")]), [])
    assert.deepStrictEqual(violations([facts("apps/cli/src/A.ts", "export const a = 1")]), [])
  })
})

describe("the list of what is meant for others", () => {
  const user = facts("apps/cli/src/A.ts", 'import { price } from "@parcela/core/plans/Plan"')

  it("admits what no program uses", () => {
    assert.deepStrictEqual(violations([plan, user], listed("period")), [])
  })

  it("has no entry for what a program uses, for what is not there, or twice", () => {
    const rules = violations([plan, user], listed("period", "price", "discount", "period"))
    assert.strictEqual(rules.length, 3)
    assert.match(rules[0] ?? "", /Plan price: A program uses this export/)
    assert.match(rules[1] ?? "", /Plan discount: There is no such export/)
    assert.match(rules[2] ?? "", /Plan period: An export is listed once/)
  })
})
