/**
 * CNPJs with letters (IN RFB 2.229/2024, issued since July 2026). The interface's `document` has digits only; a
 * deployment may accept letters too.
 *
 * @since 0.1.0
 */
import { DocumentAlphanumeric } from "@parcela/core/customers/Document"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { isOptional, type OpenSchema } from "./OpenSchema.ts"

/**
 * True if a `document` in a request may be a CNPJ with letters. False by default.
 *
 * @category settings
 * @since 0.1.0
 */
export const DocumentsWithLetters = Context.Reference<boolean>("@parcela/http/DocumentsWithLetters", {
  defaultValue: () => false
})

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
