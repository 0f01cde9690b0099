/**
 * Whether a value is JSON as a schema has it, by functions that are made of the schema once. A state of our own always is, and the
 * body of most requests. Running the schema to find that out took seven times as long as writing a state's JSON, and for a body three
 * times as long as these functions take.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

type Fits = (value: unknown) => boolean

/**
 * True when encoding the value by its schema, and decoding it strictly, give an equal one, with the same fields. False says nothing: only
 * running the schema tells what is wrong, and where a part is encoded that is there the schema is always run.
 *
 * @category predicates
 * @since 0.1.0
 */
export const fitting = ({ ast }: Schema.Constraint): Fits => fitsOf(ast, new Map())

const fitsOf = (ast: SchemaAST.AST, known: Map<SchemaAST.AST, Fits>): Fits => {
  const found = known.get(ast)
  if (found !== undefined) return found
  const fits = make(ast, known)
  known.set(ast, fits)
  return fits
}

const never: Fits = () => false

const make = (ast: SchemaAST.AST, known: Map<SchemaAST.AST, Fits>): Fits => {
  if (ast.encoding !== undefined || ("encodingChecks" in ast && ast.encodingChecks !== undefined)) return never
  switch (ast._tag) {
    case "Literal":
      return (value) => value === ast.literal
    case "String":
      return checked((value) => typeof value === "string", ast)
    case "Number":
      return checked((value) => typeof value === "number", ast)
    case "Boolean":
      return (value) => typeof value === "boolean"
    case "Objects":
      return ast.indexSignatures.length > 0 ? never : checked(object(ast, known), ast)
    case "Arrays":
      return checked(list(ast, known), ast)
    case "Union": {
      // Of these no second one may fit.
      if (ast.options?.mode === "oneOf") return never
      // The schema takes the first one that reads a value, which may read it as another.
      const shapes = ast.types
        .filter((type, place) => ast.types.slice(0, place).every((earlier) => isApart(earlier, type)))
        .map((type) => fitsOf(type, known))
      return checked((value) => shapes.some((fits) => fits(value)), ast)
    }
    case "Declaration":
      return ast.typeParameters.length > 0 ? never : Schema.is(Schema.make<Schema.Schema<unknown>>(ast))
    default:
      return never
  }
}

/** What is of the shape, and passes the checks of the schema. */
const checked = (fits: Fits, ast: SchemaAST.AST): Fits => {
  const filters = (ast.checks ?? []).flatMap(filtersOf)
  if (filters.length === 0) return fits
  return (value) => {
    if (!fits(value)) return false
    for (const filter of filters) if (filter.run(value, ast, options) !== undefined) return false
    return true
  }
}

const options = {}

const filtersOf = (check: SchemaAST.Check<unknown>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  check._tag === "FilterGroup" ? check.checks.flatMap(filtersOf) : [check]

const object = (ast: SchemaAST.Objects, known: Map<SchemaAST.AST, Fits>): Fits => {
  const fields = ast.propertySignatures
    .map(({ name, type }) => ({
      name: String(name),
      isOptional: type.context?.isOptional === true && staysAbsent(type),
      isLiteral: type._tag === "Literal",
      fits: fitsOf(type, known)
    }))
    // Shapes of a union differ in them.
    .sort((one, other) => Number(other.isLiteral) - Number(one.isLiteral))
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false
    // It was looked at just now.
    const given = value as { readonly [name: string]: unknown }
    let count = 0
    for (const { fits, isOptional, name } of fields) {
      const one = given[name]
      if (one === undefined && isOptional && !Object.hasOwn(given, name)) continue
      if (!fits(one)) return false
      count += 1
    }
    return Object.keys(given).length === count
  }
}

/** Whether nothing comes of a field that is not there. */
const staysAbsent = (type: SchemaAST.AST): boolean => {
  if (type.encoding === undefined) return true
  const one = Schema.Struct({ one: Schema.make<Schema.Codec<unknown>>(type) })
  const made = [Schema.decodeUnknownResult(one)({}), Schema.encodeUnknownResult(one)({})]
  return made.every((result) => Result.isSuccess(result) && !Object.hasOwn(result.success, "one"))
}

/** Whether the schema `earlier` reads nothing that fits `type`, as far as kinds, literals and required fields show. */
const isApart = (earlier: SchemaAST.AST, type: SchemaAST.AST): boolean => {
  if (earlier.encoding !== undefined) return false
  if (earlier._tag === "Union") return earlier.types.every((one) => isApart(one, type))
  if (type._tag === "Union") return type.types.every((one) => isApart(earlier, one))
  if (earlier._tag === "Literal" && type._tag === "Literal") return earlier.literal !== type.literal
  if (earlier._tag === "Objects" && type._tag === "Objects") {
    return earlier.propertySignatures.some(({ name, type: field }) => {
      if (field.encoding !== undefined || field.context?.isOptional === true) return false
      const other = type.propertySignatures.find((one) => one.name === name)
      return other === undefined || isApart(field, other.type)
    })
  }
  const [kind, otherKind] = [kindOf(earlier), kindOf(type)]
  return kind !== undefined && otherKind !== undefined && kind !== otherKind
}

/** What values of a schema are to `typeof`; undefined where it does not show. */
const kindOf = (ast: SchemaAST.AST): string | undefined => {
  switch (ast._tag) {
    case "Literal":
      return typeof ast.literal
    case "String":
    case "Number":
    case "Boolean":
      return ast._tag.toLowerCase()
    case "Objects":
      // One without fields takes everything but null.
      return ast.propertySignatures.length === 0 ? undefined : "object"
    case "Arrays":
      return "object"
    default:
      return undefined
  }
}

const list = ({ elements, rest }: SchemaAST.Arrays, known: Map<SchemaAST.AST, Fits>): Fits => {
  const [item, ...further] = rest
  if (item === undefined || further.length > 0) return never
  const first = elements.map((element) => fitsOf(element, known))
  const fits = fitsOf(item, known)
  return (value) =>
    Array.isArray(value) && value.length >= first.length && value.every((one, place) => (first[place] ?? fits)(one))
}
