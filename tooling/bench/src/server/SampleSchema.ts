/** The JSON Schema that samples have in common, so that Fastify writes their responses by a schema, as it does best. */

export interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
}

export const schemaOf = (samples: ReadonlyArray<unknown>): JsonSchema => {
  const [first] = samples
  if (samples.length === 0 || first === null || first === undefined) return {}
  if (Array.isArray(first)) return { type: "array", items: schemaOf(samples.flat()) }
  if (typeof first !== "object") return { type: typeof first === "number" ? "integer" : typeof first }
  const objects = samples as ReadonlyArray<Readonly<Record<string, unknown>>>
  const names = [...new Set(objects.flatMap(Object.keys))]
  return {
    type: "object",
    properties: Object.fromEntries(
      names.map((name) => [name, schemaOf(objects.flatMap((one) => (name in one ? [one[name]] : [])))])
    ),
    required: names.filter((name) => objects.every((one) => name in one))
  }
}
