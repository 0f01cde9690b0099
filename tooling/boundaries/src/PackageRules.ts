/**
 * The table of packages and their allowed imports, which `Rules.ts` applies.
 *
 * Imports run one way: a package with decisions does not import the packages that store, send or compose.
 */

/** The files of `src` that may import Node's built-in modules. */
export type NodeBuiltins = "nowhere" | "everywhere" | ReadonlyArray<string>

/** The allowed imports of the `src` of a package. */
export interface PackageRules {
  /** The packages of this repository that `src` may import. */
  readonly imports: ReadonlyArray<string>
  /** `stable` allows only the modules of `StableEffect.ts`, and only their exports that are tagged stable. */
  readonly effect: "stable" | "any"
  /** Families of Effect modules that `src` must not import. */
  readonly effectExcept: ReadonlyArray<string>
  readonly nodeBuiltins: NodeBuiltins
  readonly platformNode: boolean
  /** True if users import the package as one module by its name. */
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
  // The other modules run without Node.
  webhooks: importing(["core"], { nodeBuiltins: ["node/GuardedAgent.ts"] }),
  "node-server": importing([], { nodeBuiltins: "everywhere" }),
  engine: importing(["core", "webhooks"], { effectExcept: ["effect/sql", "effect/http", "effect/http-api"] }),
  client: importing(["core", "transport"], { effectExcept: ["effect/sql"], isOneModule: true }),
  http: importing(["core", "engine", "transport"], { effectExcept: ["effect/sql"], nodeBuiltins: [] }),
  sqlite: importing([], { nodeBuiltins: "everywhere" }),
  "store-sql": importing(["core", "engine", "sqlite"], { nodeBuiltins: "everywhere" }),
  // An adapter, and the messages of its protocol for both ends.
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
  // Its bundle contains its imports, so its users do not install Effect.
  testkit: importing(["core", "transport", "sandbox", "webhooks"], {
    effectExcept: ["effect/sql"],
    nodeBuiltins: "everywhere",
    isOneModule: true
  }),
  "provider-tests": importing(["core", "engine", "webhooks"])
}

/** Packages that the tests of every package may import in addition to the imports of its `src`. */
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
