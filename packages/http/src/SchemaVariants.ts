/**
 * Deployment settings that change how requests are decoded, and the variants of body schemas that they select.
 *
 * @since 0.1.0
 */
import { DocumentAlphanumeric } from "@parcela/core/customers/Document"
import { maxItemsOfOtherNaming } from "@parcela/core/lists/ListDefinition"
import { pageLimit } from "@parcela/core/lists/ListQuery"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/**
 * True if the server refuses unknown keys, numbers as text and other deviations that it could tolerate. False by
 * default.
 *
 * @category settings
 * @since 0.1.0
 */
export const StrictRequests = Context.Reference<boolean>("@parcela/http/StrictRequests", { defaultValue: () => false })

/**
 * True if a `document` in a request may be a CNPJ with letters (IN RFB 2.229/2024, issued since July 2026). False by
 * default: the interface's `document` has digits only.
 *
 * @category settings
 * @since 0.1.0
 */
export const DocumentsWithLetters = Context.Reference<boolean>("@parcela/http/DocumentsWithLetters", {
  defaultValue: () => false
})

/** A schema with its parts: a struct has fields; a codec or an optional key has the schema of its value. */
interface OpenSchema {
  readonly ast: Schema.Top["ast"]
  readonly fields?: Readonly<Record<string, Schema.Top>>
  readonly schema?: Schema.Top
}

const isOptional = (field: Schema.Top): boolean => field.ast.context?.isOptional === true

/** Returns the schema for a field that may be absent if `field` may be absent. */
const like = (field: Schema.Top, schema: Schema.Top): Schema.Top =>
  isOptional(field) ? Schema.optionalKey(schema) : schema

/**
 * Returns the schema of a body whose customer's `document` may have letters.
 *
 * @category constructors
 * @since 0.1.0
 */
export const withLetters = (body: Schema.Top): Schema.Top => {
  const { ast, fields, schema }: OpenSchema = body
  if (fields === undefined) return schema === undefined ? body : withLetters(schema)
  const { Customer, document } = fields
  if ((Customer === undefined && document === undefined) || ast.checks !== undefined) return body
  return Schema.Struct({
    ...fields,
    ...(Customer === undefined ? {} : { Customer: like(Customer, withLetters(Customer)) }),
    ...(document === undefined ? {} : { document: like(document, DocumentAlphanumeric) })
  }).annotate(ast.annotations ?? {})
}

/**
 * Returns the schema of a body with an optional `myId`, or undefined if the body does not require `myId`. The interface
 * requires `myId`; clients of another naming profile may leave it out, and the server then creates one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const withOptionalMyId = (body: Schema.Top): Schema.Top | undefined => {
  const { ast, fields, schema }: OpenSchema = body
  if (fields === undefined) return schema && withOptionalMyId(schema)
  const { myId } = fields
  if (myId === undefined || isOptional(myId)) return undefined
  return Schema.Struct({ ...fields, myId: Schema.optionalKey(myId) }).annotate(ast.annotations ?? {})
}

const longLimit = pageLimit(maxItemsOfOtherNaming)

/**
 * Returns the schema of a query whose `limit`, if it has one, is that of other naming profiles.
 *
 * @category constructors
 * @since 0.1.0
 */
export const withLongPages = (query: Schema.Top): Schema.Top => {
  const { ast } = query
  if (!SchemaAST.isObjects(ast) || !ast.propertySignatures.some(({ name }) => name === "limit")) return query
  // An endpoint keeps the syntax tree of its query, without the fields.
  const fields = ast.propertySignatures.map(({ name, type }) => [name, Schema.make<Schema.Top>(type)])
  return Schema.Struct({ ...Object.fromEntries(fields), limit: longLimit })
}
