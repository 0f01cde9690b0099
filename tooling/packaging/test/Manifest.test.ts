import { assert, describe, it } from "@effect/vitest"
import { internalDependencies, type Manifest, manifestProblems, undeclaredImports } from "../src/Manifest.ts"

const manifest: Manifest = {
  name: "@parcela/core",
  exports: { "./package.json": "./package.json", "./internal/*": null, "./*": "./src/*.ts" },
  publishConfig: {
    access: "public",
    exports: {
      "./package.json": "./package.json",
      "./internal/*": null,
      "./*": { types: "./dist/*.d.ts", default: "./dist/*.js" }
    }
  },
  dependencies: { "@parcela/webhooks": "workspace:^", undici: "8.0.0" },
  devDependencies: { "@parcela/provider-tests": "workspace:^" }
}

const sources = ["package.json", "src/A.ts", "src/deep/B.ts", "src/internal/C.ts"]
const built = ["dist/A.js", "dist/A.d.ts", "dist/deep/B.js", "dist/deep/B.d.ts"]

describe("a published package", () => {
  it("is sound when every public module was built", () => {
    assert.deepStrictEqual(manifestProblems(manifest, new Set([...sources, ...built])), [])
  })

  it("is not when a public module lacks its code or its types", () => {
    const files = new Set([...sources, ...built.filter((file) => file !== "dist/deep/B.d.ts" && file !== "dist/A.js")])
    const problems = manifestProblems(manifest, files)
    assert.strictEqual(problems.length, 2)
    assert.include(problems.join(), "dist/deep/B.d.ts, which does not exist")
    assert.include(problems.join(), "dist/A.js, which does not exist")
  })

  it("is not when it opens other subpaths than the workspace knows, or is not public", () => {
    const broken = { ...manifest, publishConfig: { exports: { "./package.json": "./package.json" } } }
    const problems = manifestProblems(broken, new Set([...sources, ...built]))
    assert.strictEqual(problems.length, 2)
  })

  it("is not when it is a program whose command is not built, or that needs something beside it", () => {
    const program: Manifest = {
      name: "@parcela/server",
      bin: { serve: "./src/main.ts" },
      publishConfig: { access: "public", bin: { serve: "./dist/main.js" } },
      devDependencies: { effect: "4.1.0" }
    }
    assert.deepStrictEqual(manifestProblems(program, new Set(["dist/main.js"])), [])
    assert.deepStrictEqual(manifestProblems(program, new Set(["dist/index.js"])), [
      'publishConfig.bin["serve"] names dist/main.js, which does not exist'
    ])
  })

  it("of a program has in its dependencies what its source imports", () => {
    const sources = [
      'import * as Effect from "effect/Effect"\nimport { join } from "node:path"\nimport { run } from "./Run.ts"',
      'import type { A } from "@parcela/core/A"\nawait import("@parcela/sqlite/B")'
    ]
    const program = {
      name: "@parcela/server",
      dependencies: { effect: "4.1.0" },
      devDependencies: { "@parcela/core": "1" }
    }
    assert.deepStrictEqual(undeclaredImports(program, sources), ["@parcela/core", "@parcela/sqlite"])
  })

  it("needs its dependencies, not its development dependencies", () => {
    assert.deepStrictEqual(internalDependencies(manifest), ["@parcela/webhooks"])
  })
})
