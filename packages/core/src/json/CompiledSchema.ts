/**
 * Compiled checks: functions, built once from a schema, that test if a value is already in the schema's JSON form.
 * Stored states always are, and most request bodies. For a body, running the schema takes three times as long as these
 * functions; for a state, seven times as long as writing its JSON.
 *
 * @since 0.1.0
 */
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

type Check = (value: unknown) => boolean

/**
 * Compiles a schema. The function returns true if encoding and strict decoding would both return an equal value with
 * the same fields. If it returns false, the value may still be valid: the caller must run the schema. Parts with an
 * encoding always result in false.
 *
 * @category predicates
 * @since 0.1.0
 */
export const compiledCheck = ({ ast }: Schema.Constraint): Check => checkOf(ast, new Map())

const checkOf = (ast: SchemaAST.AST, cache: Map<SchemaAST.AST, Check>): Check => {
  const cached = cache.get(ast)
  if (cached !== undefined) return cached
  const fits = make(ast, cache)
  cache.set(ast, fits)
  return fits
}

const never: Check = () => false

const make = (ast: SchemaAST.AST, cache: Map<SchemaAST.AST, Check>): Check => {
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
      return ast.indexSignatures.length > 0 ? never : checked(object(ast, cache), ast)
    case "Arrays":
      return checked(list(ast, cache), ast)
    case "Union": {
      // In `oneOf` mode only one member may match, which these checks cannot decide.
      if (ast.options?.mode === "oneOf") return never
      // The schema uses the first member that matches, and an earlier member may decode the value differently.
      const shapes = ast.types
        .filter((type, index) => ast.types.slice(0, index).every((earlier) => isApart(earlier, type)))
        .map((type) => checkOf(type, cache))
      return checked((value) => shapes.some((fits) => fits(value)), ast)
    }
    case "Declaration":
      return ast.typeParameters.length > 0 || ast.encodingRun !== undefined ? never : checked(declared(ast), ast)
    default:
      return never
  }
}

/** The result of the declaration's own parser, if the parser is synchronous. */
const declared = (ast: SchemaAST.Declaration): Check => {
  const run = ast.run([])
  return (value) => {
    const result = run(value, ast, options)
    return Exit.isExit(result) && Exit.isSuccess(result)
  }
}

/** Combines a type check with the checks of the schema. */
const checked = (fits: Check, ast: SchemaAST.AST): Check => {
  const passes = (ast.checks ?? []).flatMap(filtersOf).map((filter) => passing(filter, ast))
  if (passes.length === 0) return fits
  return (value) => {
    if (!fits(value)) return false
    for (const pass of passes) if (!pass(value)) return false
    return true
  }
}

/**
 * Compiles one check. Bounds of numbers and text lengths are compared directly, because nearly every field has them.
 * Effect compares numbers through an Order and counts the characters of each text, which took longer than all other
 * checks of a state.
 */
const passing = (filter: SchemaAST.Filter<unknown>, ast: SchemaAST.AST): Check => {
  const runs: Check = (value) => filter.run(value, ast, options) === undefined
  const { id, payload } = filter.annotations?.representation ?? {}
  // The payload of these checks, as Effect defines it.
  const bounds = Object(payload) as { readonly [name: string]: unknown }
  switch (id) {
    case "effect/schema/isInt":
      return Number.isSafeInteger
    case "effect/schema/isBetween": {
      const { maximum, minimum, ...others } = bounds
      if (typeof minimum !== "number" || typeof maximum !== "number" || Object.keys(others).length > 0) return runs
      // The check applies only to numbers.
      return (value) => (value as number) >= minimum && (value as number) <= maximum
    }
    case "effect/schema/isMaxCodePoints": {
      const { maxCodePoints } = bounds
      if (typeof maxCodePoints !== "number") return runs
      // The check applies only to texts. A text never has more code points than code units.
      return (value) => (value as string).length <= maxCodePoints || runs(value)
    }
    default:
      return runs
  }
}

const options = {}

const filtersOf = (check: SchemaAST.Check<unknown>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  check._tag === "FilterGroup" ? check.checks.flatMap(filtersOf) : [check]

const object = (ast: SchemaAST.Objects, cache: Map<SchemaAST.AST, Check>): Check => {
  const properties = ast.propertySignatures
    .map(({ name, type }) => ({
      name: String(name),
      isOptional: type.context?.isOptional === true && staysAbsent(type),
      isLiteral: type._tag === "Literal",
      fits: checkOf(type, cache)
    }))
    // Literals are checked first, because they distinguish the members of a union.
    .sort((one, other) => Number(other.isLiteral) - Number(one.isLiteral))
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false
    // The condition above checked that the value is an object.
    const fields = value as { readonly [name: string]: unknown }
    let count = 0
    for (const { fits, isOptional, name } of properties) {
      const one = fields[name]
      if (one === undefined && isOptional && !Object.hasOwn(fields, name)) continue
      if (!fits(one)) return false
      count += 1
    }
    return Object.keys(fields).length === count
  }
}

/** True if an absent field stays absent, both in decoding and in encoding. */
const staysAbsent = (type: SchemaAST.AST): boolean => {
  if (type.encoding === undefined) return true
  const one = Schema.Struct({ one: Schema.make<Schema.Codec<unknown>>(type) })
  const made = [Schema.decodeUnknownResult(one)({}), Schema.encodeUnknownResult(one)({})]
  return made.every((result) => Result.isSuccess(result) && !Object.hasOwn(result.success, "one"))
}

/** True if `earlier` matches no value of `type`, as far as kinds, literals and required fields show. */
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

/** The `typeof` of the schema's values; undefined if it is unknown. */
const kindOf = (ast: SchemaAST.AST): string | undefined => {
  switch (ast._tag) {
    case "Literal":
      return typeof ast.literal
    case "String":
    case "Number":
    case "Boolean":
      return ast._tag.toLowerCase()
    case "Objects":
      // A schema without fields accepts every value except null.
      return ast.propertySignatures.length === 0 ? undefined : "object"
    case "Arrays":
      return "object"
    default:
      return undefined
  }
}

const list = ({ elements, rest }: SchemaAST.Arrays, cache: Map<SchemaAST.AST, Check>): Check => {
  const [item, ...further] = rest
  if (item === undefined || further.length > 0) return never
  const first = elements.map((element) => checkOf(element, cache))
  const fits = checkOf(item, cache)
  return (value) =>
    Array.isArray(value) && value.length >= first.length && value.every((one, index) => (first[index] ?? fits)(one))
}
