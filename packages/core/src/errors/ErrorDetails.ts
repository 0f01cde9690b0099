/**
 * What is wrong with a decoded value, as the interface reports it: every fault at once, under its `Entity.field`
 * (interface section 7).
 *
 * @since 0.1.0
 */
import * as SchemaIssue from "effect/SchemaIssue"
import type { ErrorDetails } from "./ErrorNode.ts"
import { plain } from "../internal/libraryWords.ts"
import { misplacedFields } from "../internal/misplacedFields.ts"
import { wordsOf } from "../internal/plainWords.ts"

interface Fault {
  readonly path: ReadonlyArray<PropertyKey>
  readonly problem: string
}

/**
 * The faults of a value that failed to decode as `entity`.
 *
 * **Details**
 *
 * The interface writes object nodes with a capital (`Customer`, `Card`) and fields without, so the entity of a
 * fault is the last capitalised node on its path and the field is what follows it. In a list of entities, such as those of a
 * file of fixtures, the place begins with the list and the item's position from 0: `customers[1].Address.zipCode`. Of one field, 100 problems are
 * written out and the rest are counted. No problem is in the words of the schema library.
 *
 * @category conversions
 * @since 0.1.0
 */
export const detailsOf = (issue: SchemaIssue.Issue, entity: string): ErrorDetails => {
  const found = new Map<string, Set<string>>()
  for (const { path, problem } of faultsOf(issue, [])) {
    const place = placeOf(path, entity)
    const problems = found.get(place.key) ?? new Set()
    const words = (problem === isUnknown ? misplacedFields : problem === isMissing ? lacking : {})[place.key] ?? problem
    found.set(place.key, problems.add(place.item === undefined ? words : `item ${place.item}: ${words}`))
  }
  return Object.fromEntries(Array.from(found, ([key, problems]) => [key, listed([...problems])]))
}

/**
 * Where a path in a value of `entity` leads, as `Entity.field`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const keyOf = (path: ReadonlyArray<PropertyKey>, entity: string): string => placeOf(path, entity).key

/** Fields that are left out often enough to say what to send. */
const lacking: { readonly [field: string]: string } = { "Token.grant_type": "is required: client_credentials" }

/** How many problems of one field are written out. A list of thousands of bad items has one fault, many times. */
const mostPerField = 100

const listed = (problems: ReadonlyArray<string>): ReadonlyArray<string> =>
  problems.length <= mostPerField
    ? problems
    : [...problems.slice(0, mostPerField), `and ${problems.length - mostPerField} more like these`]

const placeOf = (path: ReadonlyArray<PropertyKey>, root: string): { key: string; item: number | undefined } => {
  let entity = root
  let field = "body"
  let item: number | undefined
  // A list of entities has a name without a capital, as no node of the interface has: it is a place of its own.
  let within = ""
  for (const [position, segment] of path.entries()) {
    if (typeof segment === "number") {
      item = segment + 1
      if (
        path[position - 1] === field &&
        isField(field) &&
        path.slice(position + 1).some((next) => typeof next !== "number")
      ) {
        within = `${field}[${segment}]`
        entity = ""
      }
      continue
    }
    const name = shown(String(segment))
    const isNode = !isField(name)
    if (isNode && path.slice(position + 1).some((next) => typeof next !== "number")) {
      entity = name
      item = undefined
    } else {
      field = name
      item = undefined
    }
  }
  return { key: [within, entity, field].filter((part) => part !== "").join("."), item }
}

/** Whether a name is that of a field, and not of an object node. */
const isField = (name: string): boolean => !/^[A-Z]/.test(name)

/** A key as it can stand in `Entity.field`: one that is no name is quoted, and a long one is cut. */
const shown = (key: string): string => {
  const points = Array.from(key.slice(0, 2 * longestKey))
  const kept = points.length <= longestKey ? key : `${points.slice(0, longestKey - 1).join("")}…`
  return /^[\p{L}\p{N}_$…-]+$/u.test(kept) ? kept : JSON.stringify(kept)
}

/** As long as the longest identifier; no field of the interface comes near it. */
const longestKey = 255

const isMissing = "is required"
/**
 * What is said of a key that nothing reads.
 *
 * @category constants
 * @since 0.1.0
 */
export const isUnknown = "is not a field here"

/** So many characters, items, .. of which something consists; an amount is no such number. */
const count =
  /^(?:at (?:least|most) )?(?:one|two|\d+)(?: \(\w+\))?(?: (?:or|to) \d+(?: \(\w+\))?)? (?!cents?\b|of\b)[a-z]/iu

const must = (expected: string): string => {
  const words = plain(expected)
  return `must ${count.test(words) ? "have" : "be"} ${words}`
}

const wordsFor = (leaf: SchemaIssue.Leaf): string => {
  switch (leaf._tag) {
    case "MissingKey":
      return isMissing
    case "UnexpectedKey":
      return isUnknown
    case "Forbidden":
      return "is not allowed here"
    case "OneOf":
      return "fits more than one of the forms that it may have"
    case "InvalidType":
      return must(wordsOf(leaf.ast) ?? expectedOf(leaf.ast.annotations) ?? "")
    case "InvalidValue":
      return must(expectedOf(leaf.annotations) ?? "")
  }
}

const expectedOf = (annotations: { readonly [key: string]: unknown } | undefined): string | undefined => {
  const { expected, message } = annotations ?? {}
  if (typeof expected === "string") return expected
  // What the library writes as a whole sentence; our own schemas only say what they expect.
  return typeof message === "string" ? message.replace(/^Expected /u, "") : undefined
}

const wordsForFilter = ({ filter, issue }: SchemaIssue.Filter): string | undefined => {
  const expected =
    (issue._tag === "InvalidValue" ? expectedOf(issue.annotations) : undefined) ?? expectedOf(filter.annotations)
  if (expected !== undefined) return must(expected)
  return issue._tag === "InvalidValue" ? must("") : undefined
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: wordsFor, checkHook: wordsForFilter })

const faultsOf = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Fault> => {
  switch (issue._tag) {
    case "Pointer":
      return faultsOf(issue.issue, [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((inner) => faultsOf(inner, path))
    case "AnyOf":
      return issue.issues.length > 0 ? meantOf(issue.issues, path) : noneOf(issue, path)
    case "Encoding":
      return faultsOf(issue.issue, path)
    default:
      return leavesOf(issue, path)
  }
}

const leavesOf = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Fault> =>
  format(issue).issues.map((leaf) => ({
    path: [...path, ...(leaf.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment))],
    problem: leaf.message
  }))

const noneOf = (issue: SchemaIssue.AnyOf, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Fault> => {
  const words = wordsOf(issue.ast)
  return [{ path, problem: must(words ?? expectedOf(issue.ast.annotations) ?? "") }]
}

// Of the shapes that a value could have had, the one meant is the one that knows most of the keys it has.
const meantOf = (
  alternatives: ReadonlyArray<SchemaIssue.Issue>,
  path: ReadonlyArray<PropertyKey>
): ReadonlyArray<Fault> => {
  const unknownKeys = (faults: ReadonlyArray<Fault>) => faults.filter((fault) => fault.problem === isUnknown).length
  return alternatives
    .map((alternative) => faultsOf(alternative, path))
    .reduce((best, faults) =>
      unknownKeys(faults) < unknownKeys(best) ||
      (unknownKeys(faults) === unknownKeys(best) && faults.length < best.length)
        ? faults
        : best
    )
}
