/**
 * What is wrong with a decoded value, as the interface reports it: every fault at once, under its `Entity.field`
 * (interface section 7).
 *
 * @since 0.1.0
 */
import * as SchemaIssue from "effect/SchemaIssue"
import type { ErrorDetails } from "./ErrorNode.ts"
import { wordsOf } from "./internal/plainWords.ts"

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
 * fault is the last capitalised node on its path and the field is what follows it. Of one field, 100 problems are
 * written out and the rest are counted.
 *
 * @category conversions
 * @since 0.1.0
 */
export const detailsOf = (issue: SchemaIssue.Issue, entity: string): ErrorDetails => {
  const found = new Map<string, Set<string>>()
  for (const { path, problem } of faultsOf(issue, [])) {
    const place = placeOf(path, entity)
    const problems = found.get(place.key) ?? new Set()
    found.set(place.key, problems.add(place.item === undefined ? problem : `item ${place.item}: ${problem}`))
  }
  return Object.fromEntries(Array.from(found, ([key, problems]) => [key, listed([...problems])]))
}

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
  for (const [position, segment] of path.entries()) {
    if (typeof segment === "number") {
      item = segment + 1
      continue
    }
    const name = String(segment)
    const isNode = /^[A-Z]/.test(name)
    if (isNode && path.slice(position + 1).some((next) => typeof next !== "number")) {
      entity = name
      item = undefined
    } else {
      field = name
      item = undefined
    }
  }
  return { key: `${entity}.${field}`, item }
}

const isMissing = "is required"
const isUnknown = "is not a field here"

const wordsFor = (leaf: SchemaIssue.Leaf): string => {
  switch (leaf._tag) {
    case "MissingKey":
      return isMissing
    case "UnexpectedKey":
      return isUnknown
    case "InvalidType": {
      const words = wordsOf(leaf.ast)
      return words === undefined ? SchemaIssue.defaultLeafHook(leaf) : `must be ${words}`
    }
    default:
      return SchemaIssue.defaultLeafHook(leaf)
  }
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: wordsFor })

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
      .replace(/^Expected /, "must be ")
      // What stands in an address or a query is text, but nobody thinks of it so.
      .replace("a string representing a finite number", "a number")
  }))

const noneOf = (issue: SchemaIssue.AnyOf, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Fault> => {
  const words = wordsOf(issue.ast)
  return words === undefined ? leavesOf(issue, path) : [{ path, problem: `must be ${words}` }]
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
