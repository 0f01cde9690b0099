/**
 * The OpenAPI document as JSON, and transformations of its generated schemas.
 *
 * @since 0.1.0
 */

export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** Returns an object of a generated document. Another value is a defect. */
export const objectOf = (json: Json | undefined): JsonObject => {
  if (!isObject(json)) throw new Error("The generated document has no object where one belongs")
  return json
}

const prefix = "#/components/schemas/"

/** Returns a copy in which `change` replaced every object, inner objects first. */
export const mapObjects = (json: Json, change: (object: JsonObject) => JsonObject): Json => {
  if (Array.isArray(json)) return json.map((item) => mapObjects(item, change))
  if (!isObject(json)) return json
  return change(Object.fromEntries(Object.entries(json).map(([key, value]) => [key, mapObjects(value, change)])))
}

/**
 * Merges `allOf: [.., { description }]`, the generator's form of additions. JSON Schema 2020-12 of OpenAPI 3.1 allows
 * the same keys next to a `$ref`, where readers and code generators expect them.
 */
export const flattened = (object: JsonObject): JsonObject => {
  const { allOf, ...rest } = object
  if (!Array.isArray(allOf)) return object
  const left: Array<Json> = []
  const merged: JsonObject = { ...rest }
  // JSON Schema has a list of schemas under this key.
  for (const part of allOf as ReadonlyArray<Json>) {
    const fits = isObject(part) && Object.keys(part).every((key) => key === "description" || !(key in merged))
    if (fits) Object.assign(merged, part)
    else left.push(part)
  }
  return left.length === 0 ? merged : { ...merged, allOf: left }
}

/**
 * Merges numbered copies of a schema. The generator numbers a schema with two encodings, even if both are written the
 * same.
 */
export const deduplicated = (document: JsonObject): JsonObject => {
  const components = objectOf(document["components"])
  const all = objectOf(components["schemas"])
  const twins = Object.keys(all).filter((name) => {
    const first = all[name.replace(/_\d+$/u, "")]
    return /_\d+$/u.test(name) && JSON.stringify(first) === JSON.stringify(all[name])
  })
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => !twins.includes(name)))
  const once = mapObjects({ ...document, components: { ...components, schemas } }, (object) => {
    const { $ref } = object
    const isTwin = typeof $ref === "string" && twins.includes($ref.slice(prefix.length))
    return isTwin ? { ...object, $ref: $ref.replace(/_\d+$/u, "") } : object
  })
  return objectOf(once)
}

/** Returns the schema of an object whose optional texts may be null, and whose other optional properties may not. */
export const nullableTexts =
  (schemas: JsonObject) =>
  (schema: JsonObject): JsonObject => {
    const { properties, required } = schema
    if (!isObject(properties)) return schema
    const needed = Array.isArray(required) ? required : []
    const optional = new Set<string>()
    const changed = Object.entries(properties).map(([name, property]) => {
      if (!isObject(property)) return [name, property]
      const { description, ...value } = property
      const all = Array.isArray(value["anyOf"]) ? value["anyOf"] : [value]
      if (needed.includes(name) && !all.some(isNull)) return [name, property]
      const shapes = all.filter((shape) => !isNull(shape))
      const isNullable = shapes.every((shape) => isText(shape, schemas))
      if (!isNullable) optional.add(name)
      const [shape, ...others] = isNullable ? [...shapes, { type: "null" }] : shapes
      const changed = others.length === 0 ? objectOf(shape) : { anyOf: [shape ?? null, ...others] }
      return [name, { ...changed, ...(description === undefined ? {} : { description }) }]
    })
    return {
      ...schema,
      properties: Object.fromEntries(changed),
      ...(required === undefined
        ? {}
        : { required: needed.filter((name) => typeof name !== "string" || !optional.has(name)) })
    }
  }

/** Returns examples without the values that are null and no texts. */
export const withNullTextsAlone = (examples: Json, schemas: JsonObject): Json => {
  const texts = new Set<string>()
  mapObjects(schemas, (object) => {
    const { properties } = object
    if (!isObject(properties)) return object
    for (const [name, property] of Object.entries(properties)) {
      const shapes = isObject(property) && Array.isArray(property["anyOf"]) ? property["anyOf"] : [property]
      if (shapes.every((shape) => isNull(shape) || isText(shape, schemas))) texts.add(name)
    }
    return object
  })
  return mapObjects(examples, (object) =>
    Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null || texts.has(name)))
  )
}

const isNull = (shape: Json): boolean => isObject(shape) && shape["type"] === "null"

/** True for the schema of a text, or a reference to one. */
const isText = (shape: Json, schemas: JsonObject): boolean => {
  if (!isObject(shape)) return false
  const { $ref, type } = shape
  return typeof $ref === "string" ? isText(schemas[$ref.slice(prefix.length)] ?? null, schemas) : type === "string"
}

/** Returns the names of the components that the nodes reference, directly or through other components. */
export const reachable = (nodes: ReadonlyArray<Json>, schemas: JsonObject): ReadonlySet<string> => {
  const found = new Set<string>()
  const pending: Array<Json> = [...nodes]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) pending.push(...next)
    if (!isObject(next)) continue
    for (const [key, value] of Object.entries(next)) {
      const name =
        key === "$ref" && typeof value === "string" && value.startsWith(prefix) ? value.slice(prefix.length) : ""
      if (name === "") pending.push(value)
      else if (!found.has(name)) {
        found.add(name)
        pending.push(schemas[name] ?? null)
      }
    }
  }
  return found
}

/**
 * Opens the schemas of responses and deliveries, which may gain fields; schemas of requests stay closed. A component of
 * both is open, and closed where a request references it.
 */
export const opened = (schemas: JsonObject, sent: ReadonlySet<string>): JsonObject => {
  const isClosed = (name: string) => isObject(schemas[name]) && schemas[name]["additionalProperties"] === false
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      sent.has(name)
        ? mapObjects(schema, ({ additionalProperties, ...open }) =>
            additionalProperties === undefined || additionalProperties === false
              ? open
              : { ...open, additionalProperties }
          )
        : mapObjects(schema, (object) => {
            const { $ref } = object
            const shared = typeof $ref === "string" ? $ref.slice(prefix.length) : ""
            return sent.has(shared) && isClosed(shared) ? { ...object, unevaluatedProperties: false } : object
          })
    ])
  )
}

/** Returns a copy with renamed keys and texts. For our own documents only, because client texts must not change. */
export const renamed = (json: Json, rename: (text: string) => string): Json => {
  if (typeof json === "string") return rename(json)
  if (Array.isArray(json)) return json.map((item) => renamed(item, rename))
  return isObject(json)
    ? Object.fromEntries(Object.entries(json).map(([key, value]) => [rename(key), renamed(value, rename)]))
    : json
}

const parameter = /\{([^}]+)\}/gu

/**
 * Merges such paths into one path. A parameter with different names is called `id`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withOnePathEach = (paths: JsonObject): JsonObject => {
  const alike = Map.groupBy(Object.keys(paths), (path) => path.replaceAll(parameter, "{}"))
  return Object.fromEntries(
    [...alike.values()].map((same): readonly [string, JsonObject] => {
      const [first = "", ...others] = same
      // Each path has its operations by method.
      if (others.length === 0) return [first, paths[first] as JsonObject]
      const shared = new Set(namesIn(first).filter((name) => others.every((path) => namesIn(path).includes(name))))
      const rename = (name: string) => (shared.has(name) ? name : "id")
      const operations = same.map((path) => {
        const names = new Set(namesIn(path))
        // Each path has its operations by method.
        return withParameterNames(paths[path] as JsonObject, names, rename)
      })
      const path = first.replaceAll(parameter, (_, name: string) => `{${rename(name)}}`)
      return [path, Object.fromEntries(operations.flatMap((item) => Object.entries(item)))]
    })
  )
}

const namesIn = (path: string): ReadonlyArray<string> => [...path.matchAll(parameter)].map(([, name = ""]) => name)

const withParameterNames = (
  item: JsonObject,
  names: ReadonlySet<string>,
  rename: (name: string) => string
): JsonObject =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => {
      // An operation is an object; its parameters have names or reference components.
      const { parameters, ...rest } = operation as { readonly parameters: ReadonlyArray<JsonObject> } & JsonObject
      const changed = parameters.map((one) =>
        one["in"] === "path" && typeof one["name"] === "string" && names.has(one["name"])
          ? { ...one, name: rename(one["name"]) }
          : one
      )
      return [method, { ...rest, parameters: changed }]
    })
  )
