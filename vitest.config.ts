/**
 * The one vitest configuration. Every package has a `vitest.config.ts` that only re-exports it, so that `vitest run`
 * means the same in a package, from the root and in `npm test`; `tooling/public-clients` adds where a client finds its platform.
 */
import { fileURLToPath } from "node:url"
import type { ProvidedContext } from "vitest"
import { defineConfig } from "vitest/config"

declare module "vitest" {
  interface ProvidedContext {
    /** Whether `npm run prove` runs the tests, which then have more cases, and its `--count`: `inject("prove")`. */
    readonly prove: { readonly long: false } | { readonly long: true; readonly count?: number }
  }
}

/** Set by `npm run prove`, to a number or to `all`, and read nowhere else. */
const asked = process.env["PARCELA_PROVE"]
export const prove: ProvidedContext["prove"] =
  asked === undefined ? { long: false } : asked === "all" ? { long: true } : { long: true, count: Number(asked) }

export default defineConfig({
  test: {
    provide: { prove },
    include: prove.long ? ["test/**/*.{test,prove}.ts"] : ["test/**/*.test.ts"],
    // A package may have no tests yet. `tooling/verify` fails when a test file did not run, and when no test ran at all.
    passWithNoTests: true,
    allowOnly: false,
    // Test files of a package share their processes, which halves the time. Tests keep nothing in modules, so they may.
    // Starts a PostgreSQL for the run when a test asks for one.
    globalSetup: [fileURLToPath(new URL("tooling/postgres/src/globalSetup.ts", import.meta.url))],
    pool: "forks",
    isolate: false,
    // Node runs the sources as they are, as the programs do: nothing is transformed, once for each package. It has no
    // `vi.mock`; tests have fakes in place of it.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: ["default", "json"],
    outputFile: { json: ".turbo/vitest.json" }
  }
})
