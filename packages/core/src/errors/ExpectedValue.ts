/**
 * Descriptions of expected values for users who do not know schemas. They follow "must be" in a message.
 *
 * @since 0.1.0
 */
import type * as SchemaAST from "effect/SchemaAST"
import { amountInCents } from "../money/Cents.ts"

const isAmount = (ast: SchemaAST.AST): boolean =>
  ast.checks?.some(({ annotations }) => annotations?.["expected"] === amountInCents) === true

/**
 * Describes an expected value, to follow "must be"; undefined if the schema has a better description.
 *
 * @category conversions
 * @since 0.1.0
 */
export const wordsOf = (ast: SchemaAST.AST): string | undefined => {
  switch (ast._tag) {
    case "String":
      return "text"
    case "Declaration":
      // Text whose check digits are computed: see derivedText.
      return ast.annotations?.expected === "string" ? "text" : undefined
    case "Number":
      return isAmount(ast) ? "a number: cents, 12990 for R$ 129,90" : "a number"
    case "Boolean":
      return "true or false"
    case "Null":
      return "null"
    case "Literal":
      return String(ast.literal)
    case "Objects":
      return "an object"
    case "Arrays":
      return "a list"
    case "Union":
      return wordsOfAny(ast.types)
    default:
      return undefined
  }
}

const wordsOfAny = (types: ReadonlyArray<SchemaAST.AST>): string | undefined => {
  const words = types.map(wordsOf)
  if (words.includes(undefined)) return undefined
  const choices = [...new Set(words)].join(", ")
  if (types.every((type) => type._tag === "Literal")) return types.length === 1 ? choices : `one of ${choices}`
  return distinction(types) ?? [...new Set(words)].join(" or ")
}

/** Describes a union of objects by the field that is a different literal in each. */
const distinction = (types: ReadonlyArray<SchemaAST.AST>): string | undefined => {
  const literals = types.map((type) =>
    type._tag === "Objects"
      ? type.propertySignatures.flatMap(({ name, type }) =>
          type._tag === "Literal" ? [{ name, literal: type.literal }] : []
        )
      : []
  )
  const [first = []] = literals
  const tag = first.find(({ name }) => literals.every((fields) => fields.some((field) => field.name === name)))
  if (tag === undefined) return undefined
  const values = literals.flatMap((fields) =>
    fields.filter(({ name }) => name === tag.name).map(({ literal }) => literal)
  )
  return `an object whose ${String(tag.name)} is one of ${values.join(", ")}`
}

/** Library phrases and their replacements. The first matching row applies. */
const rows: ReadonlyArray<readonly [technical: RegExp, plainText: string]> = [
  [/^an integer$/u, "a whole number"],
  [/^a (?:string representing a |string that will be decoded as a )?(?:finite )?number$/u, "a number"],
  [/^a value between (\S+) and (\S+)$/u, "from $1 to $2"],
  [/^a value greater than or equal to (.+)$/u, "at least $1"],
  [/^a value less than or equal to (.+)$/u, "at most $1"],
  [/^a value greater than (.+)$/u, "more than $1"],
  [/^a value less than (.+)$/u, "less than $1"],
  [/^a string with at (least|most) (\d+) code points$/u, "text of at $1 $2 characters"],
  [/^a value with a length of at least 1$/u, "not empty"],
  [/^a value with a length of at (least|most) (\d+)$/u, "of a length of at $1 $2"],
  [/^an array with unique (?:items|keys)$/u, "a list without duplicates"],
  [/^(?:JSON value|a valid JSON (?:string|body))$/u, "valid JSON"],
  [/^a base64 encoded string.*$/u, "text in base64"],
  [/^a string (?:starting with|ending with|including) .*$/u, "text of another format"]
]

/** True for a library message: such messages mention values, strings or type names. */
const isTechnical = (words: string): boolean =>
  /[<>|&]|^an? (?:value|string|array|valid|readable)\b|\b(?:string|array|decoded|RegExp|schema|excess|member)\b|^[A-Z]\w*(?:\.\w+)*$/u.test(
    words
  )

/**
 * Describes an expected value, to follow "must be", without library terms.
 *
 * @category conversions
 * @since 0.1.0
 */
export const plain = (expected: string): string => {
  for (const [technical, plainText] of rows) if (technical.test(expected)) return expected.replace(technical, plainText)
  return expected === "" || isTechnical(expected) ? "a value of another type" : expected
}
