/**
 * Descriptions of expected values for users who do not know schemas.
 *
 * @since 0.1.0
 */
import type * as SchemaAST from "effect/SchemaAST"

/**
 * The description of an amount. It also identifies the schemas of amounts.
 *
 * @category constants
 * @since 0.1.0
 */
export const amountInCents = "an amount in cents: a whole number from 0 to 99999999999"

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
