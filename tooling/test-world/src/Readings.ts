/**
 * Checks of lenient readers: a reader invents nothing and loses nothing without a report, whichever single value of a
 * document is changed.
 */

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** True if `value` is `raw` or a documented reading of it. Written independently of the reader. */
export const isReadingOf = (value: unknown, raw: unknown): boolean => {
  if (Array.isArray(value)) {
    if (!Array.isArray(raw)) return value.length === 1 && isReadingOf(value[0], raw)
    const rest = [...raw]
    return value.every((item) => {
      while (rest.length > 0) if (isReadingOf(item, rest.shift())) return true
      return false
    })
  }
  if (isRecord(value)) {
    const from: unknown = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw
    if (!isRecord(from)) return false
    return Object.entries(value).every(([key, field]) => Object.hasOwn(from, key) && isReadingOf(field, from[key]))
  }
  if (value === raw) return true
  if (typeof value === "string") return typeof raw === "number" && String(raw) === value && Number(value) === raw
  return typeof raw === "string" && String(value) === raw
}

/** Paths of `raw` that are neither in `value` nor reported in `undecoded`. Keys called `unknownKey` are ignored. */
export const lostIn = (
  value: unknown,
  raw: unknown,
  path: string,
  undecoded: ReadonlyArray<{ readonly path: string }>
): ReadonlyArray<string> => {
  if (raw === null || raw === undefined || undecoded.some((miss) => miss.path === path)) return []
  if (value === undefined) return [path]
  if (Array.isArray(value)) {
    if (!Array.isArray(raw)) return lostIn(value[0], raw, path, undecoded)
    // An item is in the list or reported. After a reported item the later ones have a lower index.
    const items = raw.flatMap((item, at) =>
      undecoded.some((miss) => miss.path === `${path}[${at}]`) ? [] : [{ item, at }]
    )
    return items.length === value.length
      ? items.flatMap(({ at, item }, index) => lostIn(value[index], item, `${path}[${at}]`, undecoded))
      : [path]
  }
  if (!isRecord(value)) return []
  if (Array.isArray(raw)) return lostIn(value, raw[0], `${path}[0]`, undecoded)
  return Object.entries(raw)
    .filter(([key]) => key !== "unknownKey")
    .flatMap(([key, field]) => lostIn(value[key], field, `${path}.${key}`, undecoded))
}

/** A document with one changed value. */
export interface Disturbed {
  /** Path and kind of the change: `Transaction.CreditCard: placeholder`. */
  readonly name: string
  readonly json: unknown
}

const disturbances: Readonly<Record<string, (json: unknown) => unknown>> = {
  null: () => null,
  placeholder: () => "-",
  text: (json) => (typeof json === "object" ? "text" : String(json)),
  number: () => 7,
  "list of it": (json) => [json],
  "empty list": () => []
}

/** All documents with one changed value: null, a placeholder, text, a number, a list of it, an empty list. */
export const disturbed = (json: unknown): ReadonlyArray<Disturbed> => disturbedAt(json, "")

const disturbedAt = (json: unknown, path: string): ReadonlyArray<Disturbed> => {
  const here = Object.entries(disturbances).map(([kind, disturb]) => ({
    name: `${path}: ${kind}`,
    json: disturb(json)
  }))
  if (Array.isArray(json)) {
    const inside = json.flatMap((item, index) =>
      disturbedAt(item, `${path}[${index}]`).map(({ json: inner, name }) => ({ name, json: json.with(index, inner) }))
    )
    return [...here, ...inside]
  }
  if (typeof json !== "object" || json === null) return here
  const inside = Object.entries(json).flatMap(([key, value]) =>
    disturbedAt(value, path === "" ? key : `${path}.${key}`).map(({ json: inner, name }) => ({
      name,
      json: { ...json, [key]: inner }
    }))
  )
  return [...here, ...inside]
}
