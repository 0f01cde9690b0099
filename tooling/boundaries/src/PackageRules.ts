/**
 * The packages and what each may import. This table is the rule; `Rules.ts` only reads it.
 *
 * Imports run one way: a package that decides knows nothing of the packages that store, send or compose.
 */

/** Where a package's `src` may import Node's built-in modules: nowhere, everywhere, or in these files only. */
export type NodeBuiltins = "nowhere" | "everywhere" | ReadonlyArray<string>

/** One package of `packages/` and what its `src` may import. */
export interface PackageRules {
  /** Packages of ours that `src` may import. */
  readonly imports: ReadonlyArray<string>
  /** `stable` admits only the modules of `StableEffect.ts`, and of those only what is tagged stable. */
  readonly effect: "stable" | "any"
  /** Families of Effect modules that `src` must not import. */
  readonly effectExcept: ReadonlyArray<string>
  readonly nodeBuiltins: NodeBuiltins
  readonly platformNode: boolean
  /** Whether it is one module to its users, which they import by the package's name. */
  readonly isOneModule: boolean
}

const importing = (imports: ReadonlyArray<string>, exceptions: Partial<PackageRules> = {}): PackageRules => ({
  imports: imports.map((name) => `@parcela/${name}`),
  effect: "any",
  effectExcept: [],
  nodeBuiltins: "nowhere",
  platformNode: false,
  isOneModule: false,
  ...exceptions
})

/** Every package of `packages/`, by folder. A package that is missing here fails the check. */
export const packageRules: Readonly<Record<string, PackageRules>> = {
  core: importing([], { effect: "stable" }),
  transport: importing(["core"], { effectExcept: ["effect/sql"] }),
  // Only this module needs Node: the others run anywhere.
  webhooks: importing(["core"], { nodeBuiltins: ["node/GuardedAgent.ts"] }),
  "node-server": importing([], { nodeBuiltins: "everywhere" }),
  engine: importing(["core", "webhooks"], { effectExcept: ["effect/sql", "effect/http", "effect/http-api"] }),
  client: importing(["core", "transport"], { effectExcept: ["effect/sql"], isOneModule: true }),
  http: importing(["core", "engine", "transport"], { effectExcept: ["effect/sql"], nodeBuiltins: [] }),
  sqlite: importing([], { nodeBuiltins: "everywhere" }),
  "store-sql": importing(["core", "engine", "sqlite"], { nodeBuiltins: "everywhere" }),
  // An adapter, and both ends' messages of the protocol that it speaks.
  "pix-api": importing(["core", "engine"], { effectExcept: ["effect/sql"] }),
  "provider-simulator": importing(["core", "engine", "pix-api", "sqlite"]),
  service: importing(["core", "engine", "transport", "http", "node-server", "store-sql", "sqlite", "webhooks"], {
    nodeBuiltins: "everywhere",
    platformNode: true
  }),
  sandbox: importing(
    [
      "core",
      "engine",
      "transport",
      "http",
      "service",
      "store-sql",
      "sqlite",
      "provider-simulator",
      "webhooks",
      "pix-api"
    ],
    {
      nodeBuiltins: "everywhere",
      platformNode: true
    }
  ),
  // All that it imports is in its bundle: nobody who installs it has Effect in sight.
  testkit: importing(["core", "transport", "sandbox", "webhooks"], {
    effectExcept: ["effect/sql"],
    nodeBuiltins: "everywhere",
    isOneModule: true
  }),
  "provider-tests": importing(["core", "engine", "webhooks"])
}

/** What the tests of any package may import beside what its `src` may. */
export const testsMayAlsoImport: ReadonlyArray<string> = [
  "@parcela/provider-tests",
  "@parcela/test-world",
  "@parcela/sandbox",
  "@parcela/store-sql",
  "@parcela/sqlite",
  "@parcela/node-server",
  "@parcela/provider-simulator",
  "@parcela/tooling-postgres"
]
