/**
 * The parts of an OpenAPI document that the reference page shows.
 *
 * @since 0.1.0
 */

/** A JSON Schema, or a reference to a component with a description of its own. */
export interface SchemaNode {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: SchemaNode
  readonly anyOf?: ReadonlyArray<SchemaNode>
  readonly properties?: { readonly [name: string]: SchemaNode }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | SchemaNode
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly description?: string
  readonly schema: SchemaNode
}

export interface Media {
  readonly schema: SchemaNode
  readonly examples?: { readonly default: { readonly value: unknown } }
}

export interface Response {
  readonly $ref?: string
  readonly description: string
  readonly headers?: { readonly [name: string]: { readonly $ref: string } }
  readonly content?: { readonly [type: string]: Media }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<{ readonly [scheme: string]: ReadonlyArray<string> }>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: { readonly [type: string]: Media } }
  readonly responses: { readonly [status: string]: Response }
}

export interface DocumentModel {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
  }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly webhooks?: { readonly [event: string]: { readonly post: Operation } }
  readonly components: {
    readonly schemas: { readonly [name: string]: SchemaNode }
    readonly parameters?: { readonly [name: string]: Parameter }
    readonly responses: { readonly [name: string]: Response }
    readonly headers: { readonly [name: string]: { readonly description: string; readonly schema: SchemaNode } }
  }
}

/** Returns the model of a generated document, with the part that a page shows. */
export const modelOf = (document: object): DocumentModel =>
  // Every document is generated from a contract and has these fields.
  document as unknown as DocumentModel

/** Returns the last part of a reference: `Customer` of `#/components/schemas/Customer`. */
export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1)

/** Resolves a reference to a parameter or a response. */
export const resolved = <Kind extends "parameters" | "responses", Node extends Parameter | Response>(
  document: DocumentModel,
  kind: Kind,
  node: Node
): Node =>
  // A reference points to a component of its own kind.
  node.$ref === undefined ? node : (document.components[kind]?.[nameOf(node.$ref)] as Node)
