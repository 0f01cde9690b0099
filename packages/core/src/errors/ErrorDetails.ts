/**
 * The error node of failed responses, and validation errors in its form: all problems by `Entity.field` (interface
 * section 7).
 *
 * @since 0.1.0
 */
import * as SchemaIssue from "effect/SchemaIssue"
import { plain, wordsOf } from "./ExpectedValue.ts"
import { misplacedFields } from "../internal/requestFields.ts"
import * as Schema from "effect/Schema"
import { described } from "../values/Fields.ts"
import { string } from "../values/Text.ts"

/**
 * All problems by `Entity.field`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ErrorDetails = Schema.Record(Schema.String, Schema.Array(Schema.String)).annotate({
  identifier: "ErrorDetails",
  description: "All problems by Entity.field."
})

/**
 * @category models
 * @since 0.1.0
 */
export type ErrorDetails = typeof ErrorDetails.Type

/**
 * An error response. `message` has at most 255 characters.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ErrorNode = Schema.Struct({
  error: described(
    Schema.Struct({
      message: described(string(255), "The problem, in a sentence."),
      details: described(Schema.optionalKey(ErrorDetails), "All problems by Entity.field.")
    }).annotate({ identifier: "Problem", description: "The problem and its location." }),
    "The problem."
  )
})

/**
 * @category models
 * @since 0.1.0
 */
export type ErrorNode = typeof ErrorNode.Type

interface Problem {
  readonly path: ReadonlyArray<PropertyKey>
  readonly problem: string
}

/**
 * Converts the decoding issue of an `entity` to problems by field.
 *
 * **Details**
 *
 * The interface writes the names of object nodes with a capital (`Customer`, `Card`) and those of fields without. The
 * entity of a problem is therefore the last capitalised node on its path, and the field is the segment after it. In a
 * list of entities, such as a fixtures file, the key begins with the list and the index from 0:
 * `customers[1].Address.zipCode`. At most 100 problems per field are listed; the others are counted. Messages of the
 * schema library are never shown.
 *
 * @category conversions
 * @since 0.1.0
 */
export const detailsOf = (issue: SchemaIssue.Issue, entity: string): ErrorDetails => {
  const details = new Map<string, Set<string>>()
  for (const { path, problem } of problemsOf(issue, [])) {
    const location = locationOf(path, entity)
    const problems = details.get(location.key) ?? new Set()
    const words =
      (problem === isUnknown ? misplacedFields : problem === isMissing ? missingMessages : {})[location.key] ?? problem
    details.set(location.key, problems.add(location.item === undefined ? words : `item ${location.item}: ${words}`))
  }
  return Object.fromEntries(Array.from(details, ([key, problems]) => [key, listed([...problems])]))
}

/**
 * The `Entity.field` of a path in a value of `entity`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const keyOf = (path: ReadonlyArray<PropertyKey>, entity: string): string => locationOf(path, entity).key

/** Messages for missing fields that clients often forget: they name the value to send. */
const missingMessages: { readonly [field: string]: string } = { "Token.grant_type": "is required: client_credentials" }

/** Maximum number of problems listed per field. A list of thousands of invalid items repeats the same problem. */
const maxPerField = 100

const listed = (problems: ReadonlyArray<string>): ReadonlyArray<string> =>
  problems.length <= maxPerField
    ? problems
    : [...problems.slice(0, maxPerField), `and ${problems.length - maxPerField} more like these`]

const locationOf = (path: ReadonlyArray<PropertyKey>, root: string): { key: string; item: number | undefined } => {
  let entity = root
  let field = "body"
  let item: number | undefined
  // The interface's node names are all capitalised. A list with a lower-case name is therefore a path segment of its
  // own.
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

/** True if the name is a field, false if it is an object node. */
const isField = (name: string): boolean => !/^[A-Z]/.test(name)

/** A key as it is shown in `Entity.field`: quoted if it is not an identifier, and shortened if it is long. */
const shown = (key: string): string => {
  const points = Array.from(key.slice(0, 2 * maxKeyLength))
  const short = points.length <= maxKeyLength ? key : `${points.slice(0, maxKeyLength - 1).join("")}…`
  return /^[\p{L}\p{N}_$…-]+$/u.test(short) ? short : JSON.stringify(short)
}

/** The length of the longest identifier. All fields of the interface are much shorter. */
const maxKeyLength = 255

const isMissing = "is required"
/**
 * The message for an unknown key.
 *
 * @category constants
 * @since 0.1.0
 */
export const isUnknown = "is not a field here"

/** Matches a count of characters, items and so on ("at most 3 items"), but not an amount in cents. */
const count =
  /^(?:at (?:least|most) )?(?:one|two|\d+)(?: \(\w+\))?(?: (?:or|to) \d+(?: \(\w+\))?)? (?!cents?\b|of\b)[a-z]/iu

const must = (expected: string): string => {
  const words = plain(expected)
  return `must ${count.test(words) ? "have" : "be"} ${words}`
}

const messageOf = (leaf: SchemaIssue.Leaf): string => {
  switch (leaf._tag) {
    case "MissingKey":
      return isMissing
    case "UnexpectedKey":
      return isUnknown
    case "Forbidden":
      return "is not allowed here"
    case "OneOf":
      return "matches more than one of the allowed forms"
    case "InvalidType":
      return must(wordsOf(leaf.ast) ?? expectedOf(leaf.ast.annotations) ?? "")
    case "InvalidValue":
      return must(expectedOf(leaf.annotations) ?? "")
  }
}

const expectedOf = (annotations: { readonly [key: string]: unknown } | undefined): string | undefined => {
  const { expected, message } = annotations ?? {}
  if (typeof expected === "string") return expected
  // Library messages are whole sentences; our own schemas state only the expected value.
  return typeof message === "string" ? message.replace(/^Expected /u, "") : undefined
}

const messageOfFilter = ({ filter, issue }: SchemaIssue.Filter): string | undefined => {
  const expected =
    (issue._tag === "InvalidValue" ? expectedOf(issue.annotations) : undefined) ?? expectedOf(filter.annotations)
  if (expected !== undefined) return must(expected)
  return issue._tag === "InvalidValue" ? must("") : undefined
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: messageOf, checkHook: messageOfFilter })

const problemsOf = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Problem> => {
  switch (issue._tag) {
    case "Pointer":
      return problemsOf(issue.issue, [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((inner) => problemsOf(inner, path))
    case "AnyOf":
      return issue.issues.length > 0 ? meantOf(issue.issues, path) : noneOf(issue, path)
    case "Encoding":
      return problemsOf(issue.issue, path)
    default:
      return leavesOf(issue, path)
  }
}

const leavesOf = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Problem> =>
  format(issue).issues.map((leaf) => ({
    path: [...path, ...(leaf.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment))],
    problem: leaf.message
  }))

const noneOf = (issue: SchemaIssue.AnyOf, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Problem> => {
  const words = wordsOf(issue.ast)
  return [{ path, problem: must(words ?? expectedOf(issue.ast.annotations) ?? "") }]
}

// The alternative that the client most likely meant is the one with the fewest unknown keys, then the fewest problems.
const meantOf = (
  alternatives: ReadonlyArray<SchemaIssue.Issue>,
  path: ReadonlyArray<PropertyKey>
): ReadonlyArray<Problem> => {
  const unknownKeys = (problems: ReadonlyArray<Problem>) =>
    problems.filter((problem) => problem.problem === isUnknown).length
  return alternatives
    .map((alternative) => problemsOf(alternative, path))
    .reduce((best, problems) =>
      unknownKeys(problems) < unknownKeys(best) ||
      (unknownKeys(problems) === unknownKeys(best) && problems.length < best.length)
        ? problems
        : best
    )
}
