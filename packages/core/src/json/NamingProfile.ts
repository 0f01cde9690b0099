/**
 * Naming profiles: the same interface with another service name in its keys. The interface writes `svcPayId`,
 * `payedOutsideSvcPay` and `subscriptionSvcPayId`; a deployment writes its own name there (`galaxPayId`, ..). A profile
 * renames keys and `typeId` values in both directions (`docs/interface-decisions.md`).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The name of a service as it starts a key: letters and digits in lower camel case, such as `galaxPay`.
 *
 * **Gotchas**
 *
 * Do not use a word of the interface's own keys (`transaction`, `card`): renaming back would change those keys too.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ServiceName = Schema.String.check(
  Schema.isPattern(/^[a-z][a-zA-Z0-9]{1,49}$/u, { expected: "a name in lower camel case, such as galaxPay" }),
  // Such a name cannot be distinguished from the interface's own name.
  Schema.makeFilter((name: string) => name === "svcPay" || !/^(svc|pay)$|svcPay/i.test(name), {
    expected: "a name that is not a part of svcPay and does not contain it",
    toJsonSchema: () => [{}, true]
  })
).pipe(Schema.brand("ServiceName"))

/**
 * @category models
 * @since 0.1.0
 */
export type ServiceName = typeof ServiceName.Type

/**
 * Renaming in both directions: `to..` from the interface's names to those of the deployment, `from..` back.
 *
 * @category models
 * @since 0.1.0
 */
export interface NamingProfile {
  readonly name: ServiceName
  /** Converts JSON to the names of the deployment. */
  readonly toWire: (json: unknown) => unknown
  /** Converts JSON to the names of the interface. */
  readonly fromWire: (json: unknown) => unknown
  /** Renames one key, query parameter or `Entity.field`. */
  readonly toWireName: (name: string) => string
  readonly fromWireName: (name: string) => string
  /** Renames the names in a message of this service, except between double quotes. */
  readonly toWireSentence: (text: string) => string
  /** Renames the names in a message of the deployment to those of the interface. */
  readonly fromWireSentence: (text: string) => string
  /**
   * Renames the `typeId` and the query parameters of a path below the base URL: `/transactions/7/svcPayId/retry?..`.
   */
  readonly toWirePath: (path: string) => string
  readonly fromWirePath: (path: string) => string
}

/**
 * Creates the profile of a deployment.
 *
 * **Details**
 *
 * - Keys are renamed at every depth, including the `Entity.field` keys of `error.details`. A key that already contains
 *   the target name is left unchanged.
 * - Values are not changed, except a `typeId` value of exactly `svcPayId`.
 * - The name must be a whole word in camel case: `svcPayId` matches, `svcPayment` does not.
 * - If the object already has a key with the new name, the two keys swap names. No value is lost, and in wire JSON the
 *   deployment's name always has the deployment's meaning.
 * - For JSON without the deployment's name, `fromWire(toWire(json))` equals `json`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const profile = (name: ServiceName): NamingProfile => {
  const to = renaming(interfaceName, name)
  const from = renaming(name, interfaceName)
  return {
    name,
    toWire: (json) => renameKeys(json, to),
    fromWire: (json) => renameKeys(json, from),
    toWireName: to.key,
    fromWireName: from.key,
    toWireSentence: to.sentence,
    fromWireSentence: from.sentence,
    toWirePath: (path) => renamePath(path, to),
    fromWirePath: (path) => renamePath(path, from)
  }
}

const interfaceName = ServiceName.make("svcPay")

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Matches a name as a word in camel case: at the start in lower case, or capitalised inside. */
const word = (name: string, flags: string): RegExp =>
  new RegExp(`(?<![a-zA-Z0-9])${name}(?![a-z])|${capitalised(name)}(?![a-z])`, flags)

interface Renaming {
  readonly key: (key: string) => string
  readonly typeId: (typeId: string) => string
  readonly sentence: (text: string) => string
}

const renaming = (from: string, to: string): Renaming => {
  const pattern = word(from, "g")
  const taken = word(to, "")
  const hump = capitalised(to)
  const replaced = (text: string) => text.replace(pattern, (found) => (found === from ? to : hump))
  return {
    key: (key) => (taken.test(key) ? key : replaced(key)),
    // Text between quotes was sent by the client and stays unchanged.
    sentence: (text) =>
      text
        .split('"')
        .map((part, index) => (index % 2 === 0 ? replaced(part) : part))
        .join('"'),
    typeId: (typeId) => (typeId === `${from}Id` ? `${to}Id` : typeId)
  }
}

type Json = { [key: string]: unknown } | Array<unknown>

/** Copies JSON with renamed keys. It uses its own stack, because untrusted JSON can be deeper than the call stack. */
const renameKeys = (json: unknown, rename: Renaming): unknown => {
  const pending: Array<readonly [from: Json, to: Json]> = []
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value
    // An object from JSON.parse is a list or a record.
    const from = value as Json
    const to = Array.isArray(from) ? [] : {}
    pending.push([from, to])
    return to
  }
  const root = copyOf(json)
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [from, to] = next
    if (Array.isArray(from)) {
      // The copy of a list is a list.
      for (const item of from) (to as Array<unknown>).push(copyOf(item))
      continue
    }
    const names = namesOf(Object.keys(from), rename.key)
    for (const [key, value] of Object.entries(from)) {
      // A plain assignment to the key "__proto__" would set the prototype.
      Object.defineProperty(to, names.get(key) ?? key, {
        value: key === "typeId" && typeof value === "string" ? rename.typeId(value) : copyOf(value),
        enumerable: true,
        configurable: true,
        writable: true
      })
    }
  }
  return root
}

/** The renamed keys. If a new name is already a key, the two keys swap. */
const namesOf = (keys: ReadonlyArray<string>, rename: (name: string) => string): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  // The set is created only when needed: most objects have no key to rename, and this runs for each object of each
  // body.
  let taken: ReadonlySet<string> | undefined
  for (const key of keys) {
    const renamed = rename(key)
    if (renamed === key) continue
    names.set(key, renamed)
    taken ??= new Set(keys)
    if (taken.has(renamed)) names.set(renamed, key)
  }
  return names
}

// The typeId is the third segment: /transactions/{id}/{typeId}/retry. The identifier before it may be any text.
const typeIdAt = 3

const renamePath = (path: string, rename: Renaming): string => {
  const [way = "", query] = splitAt(path, "?")
  const segments = way.split("/").map((segment, index) => (index === typeIdAt ? rename.typeId(segment) : segment))
  if (query === undefined) return segments.join("/")
  const pairs = query.split("&").map((pair) => splitAt(pair, "="))
  const keys = pairs.map(([key]) => key)
  const names = namesOf(keys, rename.key)
  const renamed = pairs.map(([key, ...value]) => [names.get(key) ?? key, ...value].join("="))
  return `${segments.join("/")}?${renamed.join("&")}`
}

const splitAt = (text: string, mark: string): readonly [string, string?] => {
  const at = text.indexOf(mark)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/**
 * The interface's own names: nothing is renamed.
 *
 * @category profiles
 * @since 0.1.0
 */
export const svcPay: NamingProfile = profile(interfaceName)

/**
 * The names of the public deployment that most clients of this family use.
 *
 * @category profiles
 * @since 0.1.0
 */
export const galaxPay: NamingProfile = profile(ServiceName.make("galaxPay"))
