/** Schemas as TypeScript types with names and documentation. */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/**
 * The form of a value: `request` is its JSON, `value` the type of its schema without brands, and `response` the result of
 * the lenient decoder.
 */
export type Mode = "request" | "value" | "response"

export interface PrinterOptions {
  /** The type of a secret in a response. */
  readonly secret: string
  /** The required keys of a response, by the name of the entity at its top. */
  readonly needed: ReadonlyMap<string, ReadonlySet<string>>
}

const none: ReadonlySet<string> = new Set()

/** Prints types. It collects the declarations of named types, in the order of their first use. */
export class TypePrinter {
  readonly #options: PrinterOptions
  readonly #modes = new Map<string, Mode>()
  readonly declarations = new Map<string, string>()

  constructor(options: PrinterOptions) {
    this.#options = options
  }

  /** Declares a named type of an object with required `needed` keys. */
  declare(name: string, ast: SchemaAST.Objects, mode: Mode, needed = none): void {
    this.declarations.set(name, "")
    this.#modes.set(name, mode)
    this.#setDeclaration(name, textOf(ast.annotations), `interface ${name} ${this.#fields(ast, mode, needed)}`)
  }

  /**
   * Returns the type of a schema. Schemas with an identifier are declared, and the result is their name. `isWhole` is true
   * if the entity has all of its required keys.
   */
  print(ast: SchemaAST.AST, mode: Mode, isWhole = false): string {
    if (ast.encoding !== undefined) {
      return this.print(mode === "request" ? SchemaAST.toEncoded(ast) : SchemaAST.toType(ast), mode, isWhole)
    }
    switch (ast._tag) {
      case "String":
      case "TemplateLiteral":
        return "string"
      case "Number":
        return "number"
      case "Boolean":
        return "boolean"
      case "Literal":
        return printLiteral(ast, mode)
      case "Unknown":
        return "unknown"
      case "Union":
        return this.#union(ast, mode)
      case "Arrays":
        return `ReadonlyArray<${this.print(itemOf(ast), mode, isWhole)}>`
      case "Objects":
        return this.#objects(ast, mode, isWhole)
      case "Suspend":
        return this.print(ast.thunk(), mode, isWhole)
      case "Declaration":
        return printDeclaration(ast, this.#options.secret)
      default:
        throw new Error(`There is no type for a schema of the kind ${ast._tag}`)
    }
  }

  #setDeclaration(name: string, text: string, type: string): void {
    const doc = documentation([text || `${name}.`, "@category models", "@since 0.1.0"], "")
    this.declarations.set(name, `${doc}export ${type}\n`)
  }

  #fields(ast: SchemaAST.Objects, mode: Mode, needed: ReadonlySet<string>): string {
    const fields = ast.propertySignatures.map(({ name, type }) => {
      const key = String(name)
      const isOptional = mode === "response" ? !needed.has(key) : type.context?.isOptional === true
      const doc = documentation([textOf(type.context?.annotations) || textOf(described(type))], "  ")
      return `${doc}  readonly ${key}${isOptional ? "?" : ""}: ${this.print(type, mode, needed.has(key))}\n`
    })
    return `{\n${fields.join("")}}`
  }

  #objects(ast: SchemaAST.Objects, mode: Mode, isWhole: boolean): string {
    const [index] = ast.indexSignatures
    if (index !== undefined) return `Readonly<Record<string, ${this.print(index.type, mode)}>>`
    const identifier = SchemaAST.resolveIdentifier(ast)
    if (identifier === undefined) return inLine(this.#fields(ast, mode, none))
    // A request and a response with the same identifier may differ.
    const isTaken = mode !== "response" && this.#modes.get(identifier) === "response"
    const name = isTaken ? `${identifier}Input` : identifier
    const needed = mode === "response" ? this.#options.needed.get(name) : undefined
    if (!this.declarations.has(name)) this.declare(name, ast, mode, needed)
    return needed === undefined || isWhole ? name : `Partial<${name}>`
  }

  #union(ast: SchemaAST.Union, mode: Mode): string {
    const members = ast.types.filter(({ _tag }) => _tag !== "Null" && _tag !== "Undefined")
    const words = members.flatMap((member) =>
      member._tag === "Literal" && typeof member.literal === "string" ? [JSON.stringify(member.literal)] : []
    )
    if (words.length < members.length) {
      return [...new Set(members.map((member) => this.print(member, mode)))].join(" | ")
    }
    const open = mode === "response" ? " | (string & {})" : ""
    const identifier = SchemaAST.resolveIdentifier(ast)
    if (identifier === undefined) return words.join(" | ") + open
    this.#setDeclaration(identifier, textOf(ast.annotations), `type ${identifier} = ${words.join(" | ")}`)
    return identifier + open
  }
}

const itemOf = (ast: SchemaAST.Arrays): SchemaAST.AST => {
  const [item] = ast.rest
  if (item === undefined || ast.elements.length > 0) throw new Error("A tuple has no name in the client's types")
  return item
}

const inLine = (fields: string): string =>
  fields
    .replace(/\{\n\s*/u, "{ ")
    .replace(/\n\}$/u, " }")
    .replace(/\n\s*/gu, "; ")

const printLiteral = ({ literal }: SchemaAST.Literal, mode: Mode): string => {
  if (mode !== "response") return JSON.stringify(literal)
  return typeof literal === "string" ? `${JSON.stringify(literal)} | (string & {})` : typeof literal
}

const printDeclaration = (ast: SchemaAST.Declaration, secret: string): string => {
  const representation: { readonly id?: string } = ast.annotations?.representation ?? {}
  if (representation.id === "effect/schema/Redacted") return secret
  const takes = Schema.is(Schema.make<Schema.Schema<unknown>>(new SchemaAST.Declaration([], ast.run, ast.annotations)))
  // Dates and codes are declared types over text, which is checked afterwards.
  if (takes("") && !takes(0)) return "string"
  throw new Error(`There is no type for the declared type ${representation.id ?? "without a name"}`)
}

/** Returns the annotations of a schema. A transformation is described at its encoded side. */
const described = (ast: SchemaAST.AST) => (ast.encoding === undefined ? ast : SchemaAST.toEncoded(ast)).annotations

const textOf = (annotations: { readonly [key: string]: unknown } | undefined): string => {
  const { description } = annotations ?? {}
  return typeof description === "string" ? description : ""
}

const width = 116

/** Returns a comment of one paragraph with tags, or an empty text without both. */
export const documentation = ([text = "", ...tags]: ReadonlyArray<string>, indent: string): string => {
  if (text === "" && tags.length === 0) return ""
  const words = text
    .replace(/\*\//gu, "* /")
    .split(/\s+/u)
    .filter((word) => word !== "")
  const lines: Array<string> = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && `${indent} * ${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  if (tags.length === 0 && lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  const all = tags.length === 0 ? lines : [...lines, ...(lines.length > 0 ? [""] : []), ...tags]
  return `${indent}/**\n${all.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`
}
