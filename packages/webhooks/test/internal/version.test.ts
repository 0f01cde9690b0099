import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { version } from "../../src/internal/version.ts"

describe("version", () => {
  it("is the version of the package", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
    assert.strictEqual(version, manifest.version)
  })
})
