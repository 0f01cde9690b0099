/**
 * The same interface under another service's name. the interface writes `svcPayId`, `payedOutsideSvcPay`,
 * `subscriptionSvcPayId`; a deployment writes its own name there (`galaxPayId`, ..). A profile renames keys and
 * `typeId` values between the two (`docs/interface-decisions.md`).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * A service's name as it stands at the start of a key: letters and digits in lower camel case, such as `galaxPay`.
 *
 * **Gotchas**
 *
 * A word that the interface's own keys have (`transaction`, `card`) is no name for a service: on the way back those
 * keys would be renamed too.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ServiceName = Schema.String.check(
  Schema.isPattern(/^[a-z][a-zA-Z0-9]{1,49}$/u, { expected: "a name in lower camel case, such as galaxPay" }),
  // Within these, the interface's own name could not be distinguished from the deployment's.
  Schema.makeFilter((name: string) => name === "svcPay" || !/^(svc|pay)$|svcPay/i.test(name), {
    expected: "a name that is no part of svcPay and does not contain it",
    toJsonSchema: () => [{}, true]
  })
).pipe(Schema.brand("ServiceName"))

/**
 * @category models
 * @since 0.1.0
 */
export type ServiceName = typeof ServiceName.Type

/**
 * Renaming in both directions: `to..` from the interface's names to the deployment's, `from..` back.
 *
 * @category models
 * @since 0.1.0
 */
export interface NamingProfile {
  readonly name: ServiceName
  /** JSON as the deployment writes it. */
  readonly toWire: (json: unknown) => unknown
  /** JSON as the interface writes it. */
  readonly fromWire: (json: unknown) => unknown
  /** One name: a key, a query parameter or an `Entity.field`. */
  readonly toWireName: (name: string) => string
  readonly fromWireName: (name: string) => string
  /** A sentence of ours, such as a message: names are renamed wherever they stand, save between double quotes. */
  readonly toWireSentence: (text: string) => string
  /** A sentence of the deployment, such as a message of its, in the interface's names. */
  readonly fromWireSentence: (text: string) => string
  /** A path below the base address, `/transactions/7/svcPayId/retry?..`: its `typeId` and the names of its query. */
  readonly toWirePath: (path: string) => string
  readonly fromWirePath: (path: string) => string
}

/**
 * The profile of a deployment.
 *
 * **Details**
 *
 * - Keys are renamed at every depth, `Entity.field` keys of `error.details` included. A key that holds the other name
 *   already is left as it is.
 * - Values are never touched, save the value of a key `typeId` that is exactly `svcPayId`.
 * - The name counts where it stands as a word in camel case: `svcPayId`, not `svcPayment`.
 * - When a key would take a name that its object has already, the two exchange names. Nothing is lost or overwritten,
 *   and the deployment's own name always holds what the deployment means by it.
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

/** Finds a name as a word in camel case: at the start of a word in small letters, or as a hump. */
const word = (name: string, flags: string): RegExp =>
  new RegExp(`(?<![a-zA-Z0-9])${name}(?![a-z])|${capitalised(name)}(?![a-z])`, flags)

interface Renaming {
  readonly key: (key: string) => string
  readonly typeId: (typeId: string) => string
  readonly sentence: (text: string) => string
}

const renaming = (from: string, to: string): Renaming => {
  const wanted = word(from, "g")
  const taken = word(to, "")
  const hump = capitalised(to)
  const replaced = (text: string) => text.replace(wanted, (found) => (found === from ? to : hump))
  return {
    key: (key) => (taken.test(key) ? key : replaced(key)),
    // What stands between quotes was sent by the caller, and stays as it is.
    sentence: (text) =>
      text
        .split('"')
        .map((part, place) => (place % 2 === 0 ? replaced(part) : part))
        .join('"'),
    typeId: (typeId) => (typeId === `${from}Id` ? `${to}Id` : typeId)
  }
}

type Json = { [key: string]: unknown } | Array<unknown>

/** A copy with other keys. It keeps its own stack, because JSON of a stranger can be deeper than the call stack. */
const renameKeys = (json: unknown, rename: Renaming): unknown => {
  const pending: Array<readonly [from: Json, to: Json]> = []
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value
    // What JSON.parse returns is a list or a record when it is an object.
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
      // Plain assignment would take the key "__proto__" for the prototype.
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

/** The keys that change; on a collision the key that held the name takes the other. */
const namesOf = (keys: ReadonlyArray<string>, rename: (name: string) => string): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  // Most objects have no name that changes, and this runs for each object of each body.
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

// The typeId is the third segment: /transactions/{id}/{typeId}/retry. An identifier before it may be any text.
const typeIdAt = 3

const renamePath = (path: string, rename: Renaming): string => {
  const [way = "", query] = splitAt(path, "?")
  const segments = way.split("/").map((segment, place) => (place === typeIdAt ? rename.typeId(segment) : segment))
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
 * the interface's own names: nothing is renamed.
 *
 * @category profiles
 * @since 0.1.0
 */
export const svcPay: NamingProfile = profile(interfaceName)

/**
 * The names of the public deployment that most code of this family was written for.
 *
 * @category profiles
 * @since 0.1.0
 */
export const galaxPay: NamingProfile = profile(ServiceName.make("galaxPay"))
