/**
 * The Effect modules that `core` may import, checked against the `@stability` tags in Effect's sources.
 *
 * Source: Effect's stability policy: `stable` follows semver, `unstable` may break in a minor, `experimental` in a patch.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** Modules with a header that is tagged stable, as far as a pure domain may use them. */
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

/** The tags of an Effect module and of its exports. An export without a tag has the tag of the module. */
export interface Stability {
  readonly module: string
  readonly exports: ReadonlyMap<string, string>
}

const tagIn = (comment: string): string | undefined => /@stability (\w+)/.exec(comment)?.[1]

const documented =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export\s+(?:declare\s+)?(?:abstract\s+)?(?:const|let|function|class|interface|type|namespace)\s+(\w+)|\w+\s+as\s+(\w+))/g

/** Returns the tags in the source text of an Effect module. */
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

/** Returns a reader of the tags of the Effect that is installed for `packageFolder`. It reads each module once. */
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

/** Returns the listed modules that the installed Effect does not tag as stable. */
export const misnamedModules = (stability: (module: string) => Stability): ReadonlyArray<string> =>
  [...stableModules].filter((module) => stability(module).module !== "stable")
