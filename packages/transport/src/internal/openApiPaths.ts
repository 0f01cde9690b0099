/**
 * Paths that differ only in the names of their parameters. OpenAPI treats them as one path.
 *
 * @since 0.1.0
 */
import type { JsonObject } from "./openApiNodes.ts"

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
      // Each path has its operations by method.
      const operations = same.map((path) => renamed(paths[path] as JsonObject, new Set(namesIn(path)), rename))
      const path = first.replaceAll(parameter, (_, name: string) => `{${rename(name)}}`)
      return [path, Object.fromEntries(operations.flatMap((item) => Object.entries(item)))]
    })
  )
}

const namesIn = (path: string): ReadonlyArray<string> => [...path.matchAll(parameter)].map(([, name = ""]) => name)

const renamed = (item: JsonObject, names: ReadonlySet<string>, rename: (name: string) => string): JsonObject =>
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
