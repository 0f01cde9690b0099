/**
 * Responses picked from views. A view has all that can be shown of an entity; a response's schema says which of it is
 * written, and where `null` stands for what has no value.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

/**
 * What a response is picked from: its fields, of which the optional ones may be undefined, and any others.
 *
 * @category models
 * @since 0.1.0
 */
export type View<A> = A extends string | number | boolean | null | undefined
  ? A
  : A extends ReadonlyArray<infer Item>
    ? ReadonlyArray<View<Item>>
    : { readonly [Key in keyof A]: View<A[Key]> | ({} extends Pick<A, Key> ? undefined : never) }

/**
 * What becomes of a field without a value that the schema does not allow to be `null`.
 *
 * @category options
 * @since 0.1.0
 */
export type Absent = "leftOut" | "null"

/**
 * Picks what a schema shows of a view.
 *
 * **Details**
 *
 * - Fields that the schema does not have are left out.
 * - Without a value, a field that may be `null` is `null`, and another optional one is left out or `null`, as `absent` says.
 * - Limits are not checked, and nothing is encoded: tests hold views to their schemas.
 *
 * @category constructors
 * @since 0.1.0
 */
export const picker = <S extends Schema.Constraint>(
  schema: S,
  absent: Absent = "leftOut"
): ((view: View<S["Type"]>) => S["Type"]) => {
  const node = nodeOf(schema.ast, absent, new Map())
  // What the nodes make of a view is what the type says.
  return (view) => node(view) as S["Type"]
}

type Node = (view: unknown) => unknown

type Known = Map<SchemaAST.AST, Node>

const asItIs: Node = (view) => view

const nodeOf = (ast: SchemaAST.AST, absent: Absent, known: Known): Node => {
  const found = known.get(ast)
  if (found !== undefined) return found
  const node = make(ast, absent, known)
  known.set(ast, node)
  return node
}

const make = (ast: SchemaAST.AST, absent: Absent, known: Known): Node => {
  switch (ast._tag) {
    case "Objects":
      return ast.indexSignatures.length > 0 ? asItIs : object(ast, absent, known)
    case "Arrays":
      return list(ast, absent, known)
    case "Union":
      return union(ast, absent, known)
    default:
      return asItIs
  }
}

const object = (ast: SchemaAST.Objects, absent: Absent, known: Known): Node => {
  const fields = ast.propertySignatures.map(({ name, type }) => ({
    name: String(name),
    node: nodeOf(type, absent, known),
    isNull: isNullable(type) || (absent === "null" && type.context?.isOptional === true)
  }))
  return (view) => {
    // The type of the view says that it is an object here.
    const from = view as { readonly [name: string]: unknown }
    const picked: { [name: string]: unknown } = {}
    for (const { isNull, name, node } of fields) {
      const value = from[name]
      if (value !== undefined && value !== null) picked[name] = node(value)
      else if (isNull) picked[name] = null
    }
    return picked
  }
}

const list = ({ elements, rest }: SchemaAST.Arrays, absent: Absent, known: Known): Node => {
  const [item] = rest
  if (item === undefined || elements.length > 0) return asItIs
  const node = nodeOf(item, absent, known)
  // As above: a list.
  return node === asItIs ? asItIs : (view) => (view as ReadonlyArray<unknown>).map(node)
}

const isNull = ({ _tag }: SchemaAST.AST): boolean => _tag === "Null"

const isNullable = (ast: SchemaAST.AST): boolean => ast._tag === "Union" && ast.types.some(isNull)

/** Of several shapes none is chosen: such a view is written as it is. */
const union = ({ types }: SchemaAST.Union, absent: Absent, known: Known): Node => {
  const others = types.filter((type) => !isNull(type))
  return others.length === 1 && others[0] !== undefined ? nodeOf(others[0], absent, known) : asItIs
}
