/** An older Node reports the required version, not a missing module: `tooling/snippets/src/recipes.ts` runs this. */
import { doesNotMatch, match } from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { test } from "node:test"

const older = `
import { registerHooks } from "node:module"
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })
registerHooks({
  resolve: (id, context, next) => {
    if (id === "node:sqlite") throw new Error("No such built-in module: node:sqlite")
    return next(id, context)
  }
})`

for (const [kind, program] of [
  ["module", 'await import("@parcela/testkit")'],
  ["commonjs", 'require("@parcela/testkit")']
]) {
  test(`says which Node it needs before it loads what that has, as a ${kind}`, () => {
    const flags = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, `--input-type=${kind}`]
    const { stderr } = spawnSync(process.execPath, [...flags, "-e", program], { encoding: "utf8" })
    match(stderr, /@parcela\/testkit needs Node 24\.9 or newer, and this is v/)
    doesNotMatch(stderr, /node:sqlite/)
  })
}
