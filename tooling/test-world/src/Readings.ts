/**
 * How lenient readings are judged, by any reader: nothing is made up, nothing is lost without a report, whatever single
 * place of a document is disturbed.
 */

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether `value` is `raw` or a documented reading of it, part by part; written apart from the reader. */
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

/** Known places of `raw` that are neither in `value` nor reported in `unread`. Keys called `unknownKey` are ignored. */
export const lostIn = (
  value: unknown,
  raw: unknown,
  path: string,
  unread: ReadonlyArray<{ readonly path: string }>
): ReadonlyArray<string> => {
  if (raw === null || raw === undefined || unread.some((miss) => miss.path === path)) return []
  if (value === undefined) return [path]
  if (Array.isArray(value)) {
    if (!Array.isArray(raw)) return lostIn(value[0], raw, path, unread)
    // An item is in the list or reported; after one that is reported, the later ones stand one place earlier.
    const kept = raw.flatMap((item, at) =>
      unread.some((miss) => miss.path === `${path}[${at}]`) ? [] : [{ item, at }]
    )
    return kept.length === value.length
      ? kept.flatMap(({ at, item }, place) => lostIn(value[place], item, `${path}[${at}]`, unread))
      : [path]
  }
  if (!isRecord(value)) return []
  if (Array.isArray(raw)) return lostIn(value, raw[0], `${path}[0]`, unread)
  return Object.entries(raw)
    .filter(([key]) => key !== "unknownKey")
    .flatMap(([key, field]) => lostIn(value[key], field, `${path}.${key}`, unread))
}

/** A document with one place disturbed. */
export interface Disturbed {
  /** Where and how: `Transaction.CreditCard: placeholder`. */
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

/** The document with each of its places disturbed in turn: null, a placeholder, text, a number, a list of it, an empty list. */
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
