/**
 * The one vitest configuration. Every package has a `vitest.config.ts` that only re-exports it, so that `vitest run`
 * means the same in a package, from the root and in `npm test`.
 */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

declare module "vitest" {
  interface ProvidedContext {
    /** Whether a test may take as long as it needs: `inject("prove")`. */
    readonly prove: boolean
  }
}

/** Set by `npm run prove`, and read nowhere else. */
const prove = process.env["PARCELA_PROVE"] === "1"

export default defineConfig({
  test: {
    provide: { prove },
    include: prove ? ["test/**/*.{test,prove}.ts"] : ["test/**/*.test.ts"],
    // A package may have no tests yet. `tooling/verify` fails when a test file did not run, and when no test ran at all.
    passWithNoTests: true,
    allowOnly: false,
    // Test files of a package share their processes, which halves the time. Tests keep nothing in modules, so they may.
    // Starts a PostgreSQL for the run when a test asks for one.
    globalSetup: [fileURLToPath(new URL("tooling/postgres/src/globalSetup.ts", import.meta.url))],
    pool: "forks",
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: ["default", "json"],
    outputFile: { json: ".turbo/vitest.json" }
  }
})
