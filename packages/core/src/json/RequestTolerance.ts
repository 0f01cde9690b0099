/**
 * Tolerant reading of requests: it accepts other forms of a value, but never changes a value. A body is decoded
 * strictly first; these rules run only if that fails.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type ErrorDetails, isUnknown, keyOf } from "../errors/ErrorDetails.ts"
import {
  absentIfBlank,
  misplacedFields,
  filledIn,
  guardedNames,
  similarName,
  namesEntities,
  notNullable,
  otherNames,
  specialForms
} from "../internal/requestFields.ts"

/**
 * The result of normalizing a request.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tolerated {
  /** The request in the form of its schema, as far as possible. The caller must decode it strictly. */
  readonly json: unknown
  /** Ignored keys as `Entity.field`. They are not in `json`. */
  readonly unknownKeys: ReadonlyArray<string>
  /**
   * Unknown keys that resemble a key of money, of a date or of "paid outside", with that key, and unknown filters.
   */
  readonly nearMisses: ErrorDetails
  /** Fields sent in both spellings with different values, under both names: the intended value is unknown. */
  readonly doubled: ErrorDetails
}

/**
 * Options of the normalization.
 *
 * @category options
 * @since 0.1.0
 */
export interface ToleranceOptions {
  /** The entity of keys at the top level. */
  readonly entity: string
  /** Maps another spelling to a key, such as `galaxPayId` to `svcPayId`. */
  readonly alias?: (key: string) => string
  /** True to leave unknown keys in place, so that the schema refuses them. */
  readonly isClosed?: boolean
  /**
   * True for the filters of a list. An unknown key is then refused, because ignoring a filter would list everything.
   */
  readonly isNarrowing?: boolean
}

/**
 * Creates a function that normalizes JSON to the form of a schema.
 *
 * **Details**
 *
 * - `null` is absent, except for the amount of a reversal. `[]` in place of an object is absent.
 * - In a list of texts or numbers, `null` and empty texts are dropped: forms send them for empty fields.
 * - A whole number is accepted for a text, and digits for a number, if both have the same canonical form.
 * - A key in its other spelling, or under another name that clients use, is renamed. If the field's own name is present
 *   too, the own name wins; two spellings with different values are a problem.
 * - The country code of a telephone number is removed.
 * - An unknown key is dropped and reported. It is refused if it resembles a key of money, of a date or of "paid
 *   outside", because a misspelled amount would move the wrong amount. Every unknown filter of a list is refused.
 *
 * - `true`, `false`, 1 and 0 are accepted for a truth value, and a number within a millionth of a whole one for that one.
 * - An address or card without a value in any field is absent.
 *
 * A CVV and a postal code are accepted as numbers with all their digits only: a shorter number has lost leading zeros.
 *
 * @category constructors
 * @since 0.1.0
 */
export const tolerance = (
  schema: Schema.Constraint,
  { alias = (key) => key, entity, isClosed = false, isNarrowing = false }: ToleranceOptions
): ((json: unknown) => Tolerated) => {
  const node = nodeOf(schema.ast, isNarrowing)
  return (json) => {
    const run: Run = {
      alias,
      entity,
      isClosed,
      isNarrowing,
      compared: new Map(),
      nearMisses: {},
      doubled: {},
      unknownKeys: []
    }
    const put = node(json, [], run)
    return { json: put, unknownKeys: run.unknownKeys, nearMisses: run.nearMisses, doubled: run.doubled }
  }
}

/**
 * Creates a function that normalizes the fields of a query or a form. Empty fields and empty items of comma-separated
 * lists are dropped.
 *
 * **Details**
 *
 * An empty filter by identifiers is refused if it is the only empty filter and no other identifiers are given: the
 * client expects no entities, but would get all. Several empty filters are a template, which some public clients send.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fieldTolerance = (
  schema: Schema.Constraint,
  options: ToleranceOptions
): ((fields: { readonly [name: string]: unknown }) => Tolerated) => {
  const put = tolerance(schema, options)
  return (fields) => {
    const named = Object.entries(fields).flatMap(([name, value]): Fields =>
      name === "" ? [] : [[name, filled(value)]]
    )
    const sent = named.filter(([, value]) => value !== "")
    const [empty, ...others] = named.filter(([, value]) => value === "")
    const tolerated = put(Object.fromEntries(sent))
    const isOfNone =
      options.isNarrowing === true &&
      empty !== undefined &&
      others.length === 0 &&
      namesEntities.test(empty[0]) &&
      !sent.some(([name]) => namesEntities.test(name))
    if (!isOfNone) return tolerated
    const problem = "is empty: omit it to list everything"
    const nearMisses = { ...tolerated.nearMisses, [keyOf([empty[0]], options.entity)]: [problem] }
    return { ...tolerated, nearMisses }
  }
}

/** Removes the empty items of a comma-separated list. */
const filled = (value: unknown): unknown =>
  typeof value === "string"
    ? value
        .split(",")
        .filter((item) => item !== "")
        .join(",")
    : value

interface Run {
  readonly alias: (key: string) => string
  readonly entity: string
  readonly isClosed: boolean
  readonly isNarrowing: boolean
  /** Cache of the keys that unknown keys resemble, by the list of guarded names. */
  readonly compared: Map<ReadonlyArray<string>, Map<string, string | undefined>>
  readonly nearMisses: { [field: string]: ReadonlyArray<string> }
  readonly doubled: { [field: string]: ReadonlyArray<string> }
  readonly unknownKeys: Array<string>
}

type Path = ReadonlyArray<string | number>
/** The normalized entries of one key of an object. */
type Fields = ReadonlyArray<readonly [name: string, value: unknown]>
interface Node {
  (json: unknown, path: Path, run: Run): unknown
  /** Nodes of the object's properties; only for object schemas. */
  readonly properties?: ReadonlyMap<string, Node>
}

const nodeOf = (ast: SchemaAST.AST, isNarrowing: boolean): Node => {
  const wire = SchemaAST.toEncoded(ast)
  switch (wire._tag) {
    case "String":
    case "Declaration":
      return text
    case "Number":
      return number
    case "Boolean":
      return truthValue
    case "Objects":
      return object(
        new Map(wire.propertySignatures.map(({ name, type }) => [String(name), nodeOf(type, isNarrowing)])),
        isNarrowing
      )
    case "Arrays":
      return list(wire, isNarrowing)
    case "Union":
      return union(wire, isNarrowing)
    default:
      return unchanged
  }
}

const unchanged: Node = (json) => json

const text: Node = (json) => (Number.isSafeInteger(json) ? String(json) : json)

/** The error of a product such as `19.99 * 100` in JavaScript, and less than any intended fraction. */
const maxRounding = 1e-6

/**
 * Digits in the JSON form of a whole number from 0 that JavaScript represents exactly, or a number whose distance to a
 * whole one is an error of binary fractions.
 */
const number: Node = (json) => {
  if (typeof json === "string") return /^(?:0|[1-9]\d{0,14})$/u.test(json) ? Number(json) : json
  return typeof json === "number" && Math.abs(json - Math.round(json)) < maxRounding ? Math.round(json) : json
}

const truthValues = new Map<unknown, boolean>([
  ["true", true],
  [1, true],
  ["false", false],
  [0, false]
])

const truthValue: Node = (json) => truthValues.get(json) ?? json

const list = (ast: SchemaAST.Arrays, isNarrowing: boolean): Node => {
  const [rest] = ast.rest
  if (rest === undefined || ast.elements.length > 0) return unchanged
  const item = nodeOf(rest, isNarrowing)
  const isScalar = item === text || item === number
  return (json, path, run) =>
    Array.isArray(json)
      ? (isScalar ? filledIn(json) : json).map((one, index) => item(one, [...path, index], run))
      : json
}

/**
 * A union with object members becomes one object with the properties of all. Otherwise the first member with a rule is
 * used.
 */
const union = (ast: SchemaAST.Union, isNarrowing: boolean): Node => {
  const nodes = ast.types.map((type) => nodeOf(type, isNarrowing))
  const objects = nodes.flatMap(({ properties }) => (properties === undefined ? [] : [properties]))
  if (objects.length > 0)
    return object(new Map(objects.toReversed().flatMap((properties) => [...properties])), isNarrowing)
  return nodes.find((node) => node !== unchanged) ?? unchanged
}

const object = (properties: ReadonlyMap<string, Node>, isNarrowing: boolean): Node => {
  const guarded = guardedNames(properties.keys(), isNarrowing)
  const node: Node = (json, path, run) => {
    if (typeof json !== "object" || json === null || Array.isArray(json)) return json
    // Any object can be read by key.
    const sent = json as { readonly [key: string]: unknown }
    const fields = Object.entries(sent).flatMap(([key, value]): Fields => {
      const field = properties.has(key) ? "" : keyOf([...path, key], run.entity)
      const name = field === "" ? key : nameOf(field, key, properties, run)
      if (name === undefined) return unknown(key, value, field, guarded, run)
      const normalize = (value: unknown) =>
        // `nameOf` returns only names of properties.
        valueOf(properties.get(name)!, value, [...path, name], run)
      const normalized = normalize(value)
      const own = name === key || !Object.hasOwn(sent, name) ? undefined : normalize(sent[name])
      if (own === undefined) return normalized === undefined ? [] : [[name, normalized]]
      if (normalized !== undefined && normalized !== own && run.alias(key) === name) {
        for (const spelling of [name, key]) run.doubled[keyOf([...path, spelling], run.entity)] = doubled
      }
      return unknownKey(key, value, field, run)
    })
    return Object.fromEntries(fields)
  }
  return Object.assign(node, { properties })
}

const doubled = ["is sent under two names with different values: send only one of them"]

const nameOf = (field: string, key: string, properties: ReadonlyMap<string, Node>, run: Run) => {
  const name = otherNames[field] ?? run.alias(key)
  return properties.has(name) ? name : undefined
}

const valueOf = (node: Node, value: unknown, path: Path, run: Run): unknown => {
  if (value === null) return notNullable.has(keyOf(path, run.entity)) ? null : undefined
  if (node.properties !== undefined && Array.isArray(value) && value.length === 0) return undefined
  if (isBlank(value) && absentIfBlank.has(keyOf(path, run.entity))) return undefined
  const special = specialForms[keyOf(path, run.entity)]
  return special === undefined ? node(value, path, run) : special(value)
}

const isBlank = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every((field) => field === null)

/**
 * True for a list of items as in responses, each with an identifier from the service. A client that sends an entity
 * back unchanged does not request new items.
 */
const isShown = (value: unknown, { alias }: Run): boolean =>
  Array.isArray(value) &&
  value.every((item: unknown) => Object.keys(Object(item)).some((key) => alias(key) === "svcPayId"))

const unknown = (key: string, value: unknown, field: string, guarded: ReadonlyArray<string>, run: Run): Fields => {
  if (Object.hasOwn(misplacedFields, field) && value !== null && !isShown(value, run)) return [[key, value]]
  const similar = run.isClosed ? undefined : similarIn(key, guarded, run)
  if (similar === undefined && !run.isNarrowing) return unknownKey(key, value, field, run)
  run.nearMisses[field] = [similar === undefined ? unknownFilter(guarded) : `${isUnknown}: did you mean ${similar}?`]
  return []
}

const unknownFilter = (known: ReadonlyArray<string>): string =>
  `is not a filter of this list: it has ${known.join(", ")}`

/** Maximum number of unknown keys compared with the guarded names of an object. A misspelled request has fewer. */
const maxCompared = 100

const similarIn = (key: string, guarded: ReadonlyArray<string>, { alias, compared }: Run): string | undefined => {
  const cached = compared.get(guarded) ?? new Map<string, string | undefined>()
  compared.set(guarded, cached)
  if (cached.size < maxCompared && !cached.has(key)) cached.set(key, similarName(alias(key), guarded))
  return cached.get(key)
}

/** Drops and reports an unknown key, unless the schema must refuse it. */
const unknownKey = (key: string, value: unknown, field: string, { isClosed, unknownKeys }: Run): Fields => {
  if (isClosed) return [[key, value]]
  unknownKeys.push(field)
  return []
}
