/**
 * The Effect modules that `core` may import, kept honest against the `@stability` tags in Effect's own sources.
 *
 * Source: Effect's stability policy: `stable` follows semver, `unstable` may break in a minor, `experimental` in a patch.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** Modules whose header is tagged stable, that a pure domain has a use for. */
export const stableModules: ReadonlySet<string> = new Set(
  [
    "Array BigDecimal BigInt Boolean Brand Cause Chunk Clock Combiner Config Context Cron Data DateTime Duration Effect",
    "Equal Equivalence Exit Filter Formatter Function HKT Hash HashMap HashSet Iterable JsonSchema Layer Match",
    "NonEmptyIterable Number Optic Option Order Ordering Pipeable Predicate PrimaryKey Random Record Redactable Redacted",
    "Reducer RegExp Result Schedule Schema SchemaAST SchemaGetter SchemaIssue SchemaParser SchemaRepresentation",
    "SchemaTransformation Stream String Struct Symbol Trie Tuple Types UndefinedOr Unify Utils",
    "encoding/Base64 encoding/Base64Url encoding/EncodingError encoding/Hex"
  ].flatMap((line) => line.split(" "))
)

/** How an Effect module and each of its exports are tagged; an export without a tag has the module's. */
export interface Stability {
  readonly module: string
  readonly exports: ReadonlyMap<string, string>
}

const tagIn = (comment: string): string | undefined => /@stability (\w+)/.exec(comment)?.[1]

const documented =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export\s+(?:declare\s+)?(?:abstract\s+)?(?:const|let|function|class|interface|type|namespace)\s+(\w+)|\w+\s+as\s+(\w+))/g

/** The tags in the source text of an Effect module. */
export const stabilityIn = (source: string): Stability => {
  const module = tagIn(source) ?? "untagged"
  const exports = new Map<string, string>()
  for (const [, comment = "", declared, renamed] of source.matchAll(documented)) {
    const name = declared ?? renamed ?? ""
    const tag = tagIn(comment) ?? module
    // A name may be a type and a value: the less stable of the two counts.
    if ((exports.get(name) ?? "stable") === "stable") exports.set(name, tag)
  }
  return { module, exports }
}

/** Reads the tags of the Effect that is installed for `packageFolder`, each module once. */
export const installedStability = (packageFolder: string): ((module: string) => Stability) => {
  const known = new Map<string, Stability>()
  return (module) => {
    const found =
      known.get(module) ??
      stabilityIn(readFileSync(join(packageFolder, "node_modules/effect/src", `${module}.ts`), "utf8"))
    known.set(module, found)
    return found
  }
}

/** Names of the list that the installed Effect does not call stable: empty unless Effect changed its mind. */
export const misnamedModules = (stability: (module: string) => Stability): ReadonlyArray<string> =>
  [...stableModules].filter((module) => stability(module).module !== "stable")
