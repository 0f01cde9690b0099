/**
 * One operation of the reference page: its request and response, a sample with the right authentication, and a form
 * that sends the request.
 *
 * @since 0.1.0
 */
import {
  type DocumentModel,
  nameOf,
  type Operation,
  type Parameter,
  resolved,
  type Response,
  type SchemaNode
} from "./DocumentModel.ts"
import { code, json, text } from "./DocsFrame.ts"
import { type Request, requestsBefore, sampleOf, withNamesOf } from "./Samples.ts"

interface Found {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** The operation as HTML. */
export const operationSection = (document: DocumentModel, { method, operation, path }: Found): string => {
  const parameters = operation.parameters.map((parameter) => resolved(document, "parameters", parameter))
  const scopes = operation.security.flatMap((requirement) => requirement["oauth2"] ?? [])
  const body = operation.requestBody?.content["application/json"]
  const scope = scopes.length === 0 ? "" : `<p class="scope">Scope: <code>${text(scopes.join(" "))}</code></p>`
  return `<section class="operation" id="${text(operation.operationId)}"><div class="words">
<h3>${text(operation.summary)}</h3><p class="address"><span class="method ${text(method)}">${text(method.toUpperCase())}</span>
<code>${text(path)}</code></p><p>${text(operation.description)}</p>${scope}
${list("Parameters", parameters)}
${body === undefined ? "" : `<h4>Body</h4>${bodyFields(document, body.schema)}`}
<h4>Responses</h4>${responses(document, operation)}</div>
<div class="samples">${code("Request", curl(document, { method, operation, path }, parameters))}
${code("Response", withNamesOf(operation.operationId, json(operation.responses["200"]?.content?.["application/json"]?.examples?.default.value)))}
${form(document, { path, method, operation }, parameters)}</div></section>`
}

const list = (heading: string, parameters: ReadonlyArray<Parameter>): string =>
  parameters.length === 0
    ? ""
    : `<h4>${heading}</h4><dl class="fields">${parameters
        .map(({ description, in: where, name, required, schema }) =>
          row(where === "header" ? `${name}:` : name, schema, required ?? false, description)
        )
        .join("")}</dl>`

const bodyFields = (document: DocumentModel, schema: { readonly $ref?: string }): string =>
  schema.$ref === undefined ? fields(schema) : fields(document.components.schemas[nameOf(schema.$ref)] ?? schema)

const responses = (document: DocumentModel, operation: Operation): string =>
  Object.entries(operation.responses)
    .map(([status, reference]) => {
      const response: Response = resolved(document, "responses", reference)
      const media = response.content?.["application/json"]
      const headers = Object.entries(response.headers ?? {}).map(([name, { $ref }]) => {
        const header = document.components.headers[nameOf($ref)]
        return row(`${name}:`, header?.schema ?? {}, false, header?.description)
      })
      return `<details class="response"><summary><span class="status s${status.charAt(0)}">${text(status)}</span> ${text(
        response.description
      )}</summary><dl class="fields">${media === undefined ? "" : row("body", media.schema, false, "")}${headers.join(
        ""
      )}</dl>${status === "200" || media === undefined ? "" : code("Body", json(media.examples?.default.value))}</details>`
    })
    .join("")

const isWrite = (parameters: ReadonlyArray<Parameter>): boolean =>
  parameters.some((parameter) => parameter.in === "header")

/** Returns the path with sample values for its parameters, and the required part of the query. */
const sampleAddress = ({ operation, path }: Found, parameters: ReadonlyArray<Parameter>): string => {
  const way = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => sampleOf(operation.operationId, name, "path") ?? name)
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required === true)
    .map(({ name }) => `${name}=${sampleOf(operation.operationId, name, "query") ?? ""}`)
  return query.length === 0 ? way : `${way}?${query.join("&")}`
}

/** Returns the name of an operation's authentication, as the page's script expects it. */
const schemeOf = ({ security }: Operation): "basic" | "bearer" | "controls" | "none" =>
  security.length === 0
    ? "none"
    : security.some((requirement) => "bearerToken" in requirement)
      ? "bearer"
      : security.some((requirement) => "controlsToken" in requirement)
        ? "controls"
        : "basic"

const credentialsOf = {
  basic: [`-u "$CLIENT_ID:$CLIENT_SECRET"`],
  bearer: [`-H "Authorization: Bearer $TOKEN"`],
  controls: [`-H "Authorization: Bearer $PARCELA_CONTROLS_TOKEN"`],
  none: []
}

const curl = (document: DocumentModel, found: Found, parameters: ReadonlyArray<Parameter>): string => {
  const { method, operation } = found
  const body = operation.requestBody?.content["application/json"]?.examples?.default.value
  return [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}'${document.servers[0]?.url ?? ""}${sampleAddress(found, parameters)}'`,
    ...credentialsOf[schemeOf(operation)],
    ...(isWrite(parameters) ? ["-H 'Idempotency-Key: a-name-for-this-write'"] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${json(body)}'`])
  ].join(" \\\n  ")
}

/** Returns the number of rows of a text area: one more than the text has, at most 20. */
const rowsOf = (body: string): number => Math.min(20, body.split("\n").length + 1)

/** Returns a form that the page's script sends. Without the script the form stays hidden. */
const form = (
  document: DocumentModel,
  { method, operation, path }: Found,
  parameters: ReadonlyArray<Parameter>
): string => {
  const body = operation.requestBody?.content["application/json"]?.examples?.default.value
  const first = requestsBefore(document, operation.operationId)
  const taken = new Set(first.flatMap(({ take = {} }) => Object.keys(take)))
  const input = ({ in: where, name, required }: Parameter) => {
    const sample = sampleOf(operation.operationId, name, where) ?? ""
    const hint = taken.has(name) ? ' placeholder="of what Send creates first"' : ""
    return `<label>${text(name)} <input name="${text(name)}" data-in="${where}" autocomplete="off" value="${text(
      sample
    )}"${hint}${required === true ? " required" : ""}></label>`
  }
  const fields = parameters.filter((parameter) => parameter.in !== "header")
  const required = fields.filter((parameter) => parameter.required === true)
  const others = fields.filter((parameter) => parameter.required !== true)
  const scheme = schemeOf(operation)
  return `<details class="try" hidden><summary>Try it</summary><form novalidate data-method="${text(
    method
  )}" data-path="${text(path)}" data-scheme="${scheme}"${isWrite(parameters) ? ' data-write=""' : ""}>
${required.map(input).join("")}${
    others.length === 0 ? "" : `<details><summary>More of the query</summary>${others.map(input).join("")}</details>`
  }
${body === undefined ? "" : `<label>Body <textarea name="body" rows="${rowsOf(json(body))}" spellcheck="false">${text(json(body))}</textarea></label>`}
${first.length === 0 ? "" : before(first)}<button>Send</button><output aria-live="polite"></output></form></details>`
}

/** Returns the requests that create the example's entities, with a checkbox to skip them. */
const before = (requests: ReadonlyArray<Request>): string => {
  const shown = requests.map(
    ({ body, method, path }) => `${method} ${path}${body === undefined ? "" : `\n${JSON.stringify(body)}`}`
  )
  return `<label class="check"><input type="checkbox" name="first" checked data-requests="${text(
    JSON.stringify(requests)
  )}">Create what the example names first</label>
<details><summary>${requests.length === 1 ? "1 request" : `${requests.length} requests`} before it</summary><pre>${text(
    shown.join("\n")
  )}</pre></details>`
}

const bounds = (schema: SchemaNode): string => {
  const { exclusiveMinimum, maximum, minimum, maxItems, maxLength, minLength } = schema
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  if (least !== undefined || maximum !== undefined) return `${least ?? "…"} to ${maximum ?? "…"}`
  if (maxItems !== undefined) return `at most ${maxItems}`
  if (maxLength === undefined) return ""
  return minLength === undefined ? `at most ${maxLength} characters` : `${minLength} to ${maxLength} characters`
}

/** Returns a short description of a value's type, with links to components. */
const kind = (schema: SchemaNode): string => {
  if (schema.$ref !== undefined) {
    const name = text(nameOf(schema.$ref))
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(kind).join(" or ")
  if (schema.enum !== undefined) return schema.enum.map((word) => `<code>${text(String(word))}</code>`).join(", ")
  if (schema.type === "array") {
    const most = bounds(schema)
    return `list of ${schema.items === undefined ? "values" : kind(schema.items)}${most === "" ? "" : `, ${most}`}`
  }
  const summary = [schema.type ?? "any", schema.format ?? "", bounds(schema)].filter((part) => part !== "").join(", ")
  // A date's description explains its format, YYYY-MM-DD, better than a pattern.
  const isExplained = schema.format !== undefined || schema.description?.includes("YYYY") === true
  return schema.pattern === undefined || isExplained
    ? text(summary)
    : `${text(summary)}, <code class="pattern">${text(schema.pattern)}</code>`
}

/** Returns one row: name, type, a mark for required fields, and description. */
export const row = (name: string, schema: SchemaNode, isRequired: boolean, description?: string): string =>
  `<div class="field"><dt><code>${text(name)}</code> <span class="kind">${kind(schema)}</span>${
    isRequired ? ' <span class="required">required</span>' : ""
  }</dt><dd>${text(description ?? schema.description ?? "")}</dd></div>`

/** Returns the fields of an object, the alternatives of a union or the values of an enumeration. */
export const fields = (schema: SchemaNode): string => {
  if (schema.properties !== undefined) {
    const required = new Set(schema.required)
    const rows = Object.entries(schema.properties).map(([name, field]) => row(name, field, required.has(name)))
    return `<dl class="fields">${rows.join("")}</dl>`
  }
  return `<p class="kind">${kind({ ...schema })}</p>`
}
