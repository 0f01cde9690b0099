/**
 * Requests as real clients write them: what is tolerated is form, never a value. A body is read strictly first, and put into
 * form by this only when that fails.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type { ErrorDetails } from "../errors/ErrorNode.ts"
import { keyOf } from "../errors/ErrorDetails.ts"
import { misplacedFields } from "../internal/misplacedFields.ts"
import {
  filledIn,
  guardedNames,
  meantBy,
  namesEntities,
  notNullable,
  otherNames,
  specialForms
} from "../internal/requestForms.ts"

/**
 * What a request was put into.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tolerated {
  /** The request in the form of its schema, as far as that is possible: it is to be decoded strictly. */
  readonly json: unknown
  /** The keys that nothing reads, as `Entity.field`. They are not in `json`. */
  readonly unknownKeys: ReadonlyArray<string>
  /** The keys that are nearly those of money, of a date, of "paid outside" or of a filter: each names the key meant. */
  readonly nearMisses: ErrorDetails
  /** The fields that are there in both spellings with different values, under both: which value is meant is not known. */
  readonly doubled: ErrorDetails
}

/**
 * How a request is put into form.
 *
 * @category options
 * @since 0.1.0
 */
export interface ToleranceOptions {
  /** The entity of keys whose place names none. */
  readonly entity: string
  /** Another spelling of a key, such as `galaxPayId` for `svcPayId`. */
  readonly alias?: (key: string) => string
  /** Whether unknown keys stay, for the schema to refuse. */
  readonly isClosed?: boolean
  /** Whether the keys narrow a list: then one that resembles any of them is refused, as passing over it lists everything. */
  readonly isNarrowing?: boolean
}

/**
 * Puts JSON into the form that a schema reads.
 *
 * **Details**
 *
 * - `null`, and `[]` for an object, is absent; but not the amount of a reversal
 * - in a list of text or of numbers an item that is `null` or empty text is none: a form's second field that nobody filled in
 * - a whole number is text where text is asked for, and digits are a number where one is, each only if it is exactly how the other is written
 * - a known key under its other spelling is that key, and so is a field under another name that clients give it. Where both are
 *   there, the field's own name counts; two spellings with different values are a fault
 * - the country code of a telephone number is left out
 * - an unknown key is left out and reported; unless it resembles a key of money, of a date or "paid outside", where a letter would move another amount, or a filter of a list, without
 *   which everything is listed
 *
 * Never changed are a CVV and a postal code: the zeros that a number drops cannot be brought back.
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
    const run: Run = { alias, entity, isClosed, compared: new Map(), nearMisses: {}, doubled: {}, unknownKeys: [] }
    const put = node(json, [], run)
    return { json: put, unknownKeys: run.unknownKeys, nearMisses: run.nearMisses, doubled: run.doubled }
  }
}

/**
 * Puts the fields of a query or a form into the form of a schema: an empty field is absent, and so is an empty item of a list
 * that is joined by commas.
 *
 * **Details**
 *
 * A filter by identifiers that is empty is refused where nothing else is empty and no other identifiers are given: the client
 * looks for none, and would get everything. Several empty filters are a template, which some public clients send.
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
    const given = named.filter(([, value]) => value !== "")
    const [empty, ...others] = named.filter(([, value]) => value === "")
    const tolerated = put(Object.fromEntries(given))
    const isOfNone =
      options.isNarrowing === true &&
      empty !== undefined &&
      others.length === 0 &&
      namesEntities.test(empty[0]) &&
      !given.some(([name]) => namesEntities.test(name))
    if (!isOfNone) return tolerated
    const problem = "names nothing, and everything would be listed: leave it out to list everything"
    const nearMisses = { ...tolerated.nearMisses, [keyOf([empty[0]], options.entity)]: [problem] }
    return { ...tolerated, nearMisses }
  }
}

/** A list that is joined by commas, without its empty items. */
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
  /** What unknown keys mean, by the names that they were compared with. */
  readonly compared: Map<ReadonlyArray<string>, Map<string, string | undefined>>
  readonly nearMisses: { [field: string]: ReadonlyArray<string> }
  readonly doubled: { [field: string]: ReadonlyArray<string> }
  readonly unknownKeys: Array<string>
}

type Path = ReadonlyArray<string | number>
/** The entries of an object that come of one of its keys. */
type Fields = ReadonlyArray<readonly [name: string, value: unknown]>
interface Node {
  (json: unknown, path: Path, run: Run): unknown
  /** The properties of an object. */
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
      return asItIs
  }
}

const asItIs: Node = (json) => json

const text: Node = (json) => (Number.isSafeInteger(json) ? String(json) : json)

/** How JSON writes a whole number from 0 up that JavaScript holds exactly. */
const number: Node = (json) => (typeof json === "string" && /^(?:0|[1-9]\d{0,14})$/u.test(json) ? Number(json) : json)

const list = (ast: SchemaAST.Arrays, isNarrowing: boolean): Node => {
  const [rest] = ast.rest
  if (rest === undefined || ast.elements.length > 0) return asItIs
  const item = nodeOf(rest, isNarrowing)
  const isScalar = item === text || item === number
  return (json, path, run) =>
    Array.isArray(json)
      ? (isScalar ? filledIn(json) : json).map((one, place) => item(one, [...path, place], run))
      : json
}

/** Of several objects, one that knows the properties of all; of others the first that has a form. */
const union = (ast: SchemaAST.Union, isNarrowing: boolean): Node => {
  const nodes = ast.types.map((type) => nodeOf(type, isNarrowing))
  const objects = nodes.flatMap(({ properties }) => (properties === undefined ? [] : [properties]))
  if (objects.length > 0)
    return object(new Map(objects.toReversed().flatMap((properties) => [...properties])), isNarrowing)
  return nodes.find((node) => node !== asItIs) ?? asItIs
}

const object = (properties: ReadonlyMap<string, Node>, isNarrowing: boolean): Node => {
  const guarded = guardedNames(properties.keys(), isNarrowing)
  const node: Node = (json, path, run) => {
    if (typeof json !== "object" || json === null || Array.isArray(json)) return json
    // Any object has values by its names.
    const given = json as { readonly [key: string]: unknown }
    const fields = Object.entries(given).flatMap(([key, value]): Fields => {
      const field = properties.has(key) ? "" : keyOf([...path, key], run.entity)
      const name = field === "" ? key : nameOf(field, key, properties, run)
      if (name === undefined) return unknown(key, value, field, guarded, run)
      const formed = (sent: unknown) =>
        // `nameOf` returns names of properties.
        valueOf(properties.get(name)!, sent, [...path, name], run)
      const kept = formed(value)
      const own = name === key || !Object.hasOwn(given, name) ? undefined : formed(given[name])
      if (own === undefined) return kept === undefined ? [] : [[name, kept]]
      if (kept !== undefined && kept !== own && run.alias(key) === name) {
        for (const spelling of [name, key]) run.doubled[keyOf([...path, spelling], run.entity)] = doubled
      }
      return unread(key, value, field, run)
    })
    return Object.fromEntries(fields)
  }
  return Object.assign(node, { properties })
}

const doubled = ["is given under two names with different values: give one of them"]

const nameOf = (field: string, key: string, properties: ReadonlyMap<string, Node>, run: Run) => {
  const name = otherNames[field] ?? run.alias(key)
  return properties.has(name) ? name : undefined
}

const valueOf = (node: Node, value: unknown, path: Path, run: Run): unknown => {
  if (value === null) return notNullable.has(keyOf(path, run.entity)) ? null : undefined
  if (node.properties !== undefined && Array.isArray(value) && value.length === 0) return undefined
  const special = specialForms[keyOf(path, run.entity)]
  return special === undefined ? node(value, path, run) : special(value)
}

/**
 * Items as a response shows them, each with the identifier that only the service gives out: whoever sends an entity back whole
 * asks for none of them.
 */
const isShown = (value: unknown, { alias }: Run): boolean =>
  Array.isArray(value) &&
  value.every((item: unknown) => Object.keys(Object(item)).some((key) => alias(key) === "svcPayId"))

const unknown = (key: string, value: unknown, field: string, guarded: ReadonlyArray<string>, run: Run): Fields => {
  if (Object.hasOwn(misplacedFields, field) && value !== null && !isShown(value, run)) return [[key, value]]
  const meant = run.isClosed ? undefined : meantIn(key, guarded, run)
  if (meant === undefined) return unread(key, value, field, run)
  run.nearMisses[field] = [`is not a field here: ${meant} is meant`]
  return []
}

/** So many keys of an object are compared with its guarded names: a request with more unknown keys is not a misspelled one. */
const maxCompared = 100

const meantIn = (key: string, guarded: ReadonlyArray<string>, { alias, compared }: Run): string | undefined => {
  const known = compared.get(guarded) ?? new Map<string, string | undefined>()
  compared.set(guarded, known)
  if (known.size < maxCompared && !known.has(key)) known.set(key, meantBy(alias(key), guarded))
  return known.get(key)
}

/** Left out and reported, where a schema does not refuse it. */
const unread = (key: string, value: unknown, field: string, { isClosed, unknownKeys }: Run): Fields => {
  if (isClosed) return [[key, value]]
  unknownKeys.push(field)
  return []
}
