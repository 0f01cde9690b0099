/**
 * Whether a value is JSON as a schema has it, by functions that are made of the schema once. A state of our own always is, and the
 * body of most requests. Running the schema to find that out took seven times as long as writing a state's JSON, and for a body three
 * times as long as these functions take.
 *
 * @since 0.1.0
 */
import * as Exit from "effect/Exit"
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
      return ast.typeParameters.length > 0 || ast.encodingRun !== undefined ? never : checked(declared(ast), ast)
    default:
      return never
  }
}

/** What a declaration says of a value by itself, where it says it at once. */
const declared = (ast: SchemaAST.Declaration): Fits => {
  const run = ast.run([])
  return (value) => {
    const said = run(value, ast, options)
    return Exit.isExit(said) && Exit.isSuccess(said)
  }
}

/** What is of the shape, and passes the checks of the schema. */
const checked = (fits: Fits, ast: SchemaAST.AST): Fits => {
  const passes = (ast.checks ?? []).flatMap(filtersOf).map((filter) => passing(filter, ast))
  if (passes.length === 0) return fits
  return (value) => {
    if (!fits(value)) return false
    for (const pass of passes) if (!pass(value)) return false
    return true
  }
}

/**
 * Whether a value passes a check. Bounds of numbers and lengths of texts, which nearly each field has, are compared here: Effect's own
 * compare numbers by an order of numbers and count each text's characters, which took longer than all else that is looked at in a state.
 */
const passing = (filter: SchemaAST.Filter<unknown>, ast: SchemaAST.AST): Fits => {
  const runs: Fits = (value) => filter.run(value, ast, options) === undefined
  const { id, payload } = filter.annotations?.representation ?? {}
  // What the checks of these names have, as they write it.
  const bounds = Object(payload) as { readonly [name: string]: unknown }
  switch (id) {
    case "effect/schema/isInt":
      return Number.isSafeInteger
    case "effect/schema/isBetween": {
      const { maximum, minimum, ...others } = bounds
      if (typeof minimum !== "number" || typeof maximum !== "number" || Object.keys(others).length > 0) return runs
      // It is a check of numbers.
      return (value) => (value as number) >= minimum && (value as number) <= maximum
    }
    case "effect/schema/isMaxCodePoints": {
      const { maxCodePoints } = bounds
      if (typeof maxCodePoints !== "number") return runs
      // It is a check of texts, and none has more characters than its length.
      return (value) => (value as string).length <= maxCodePoints || runs(value)
    }
    default:
      return runs
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
