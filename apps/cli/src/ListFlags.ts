/**
 * The flags of a list, derived from its definition: one for each filter by values, two for each range, and the page.
 *
 * @since 0.1.0
 */
import type { ListDefinition, QueryOf, ListFilter } from "@parcela/core/lists/ListDefinition"
import { Option, Schema } from "effect"
import { day, many, numbers, orders, page, split } from "./Flags.ts"

/** Returns the flags for `Command.make`. */
export const listFlags = ({ filters }: ListDefinition) => ({
  values: Object.fromEntries(
    Object.entries(filters).flatMap(([name, filter]) =>
      filter.kind === "values" ? [[name, many(flagOf(name, filter), sayOf(name, filters), "value")]] : []
    )
  ),
  days: Object.fromEntries(
    Object.entries(filters).flatMap(([name, filter]) =>
      filter.kind === "values"
        ? []
        : [
            [`${name}From`, day(`${flagOf(name, filter)}-from`, `First ${filter.description}`)],
            [`${name}To`, day(`${flagOf(name, filter)}-to`, `Last ${filter.description}`)]
          ]
    )
  ),
  ...page
})

/** Returns the description of a flag. For identifiers of the service it also names the flag for `myId`. */
const sayOf = (name: string, filters: ListDefinition["filters"]): string => {
  const own = name.replace(/svcPayIds$/u, "myIds").replace(/SvcPayIds$/u, "MyIds")
  // A filter of that name exists.
  const description = filters[name]!.description
  const other = own === name ? undefined : filters[own]
  return other === undefined ? description : `${description}, a number (yours: --${flagOf(own, other)})`
}

export interface Given {
  readonly values: { readonly [name: string]: ReadonlyArray<string> }
  readonly days: { readonly [name: string]: Option.Option<string> }
  readonly startAt: number
  readonly limit: number
  readonly all: boolean
  readonly order: ReadonlyArray<string>
}

/** Returns the query of the given flags. */
export const queryOf = <D extends ListDefinition>({ filters }: D, given: Given): QueryOf<D> => {
  const values = Object.entries(given.values).flatMap(([name, texts]) => {
    const filter = filters[name]
    return filter?.kind !== "values" || texts.length === 0 ? [] : [[name, readerOf(filter.value)(texts)] as const]
  })
  const days = Object.entries(given.days).flatMap(([name, text]) => (Option.isSome(text) ? [[name, text.value]] : []))
  const query = {
    startAt: given.startAt,
    limit: given.limit,
    ...Object.fromEntries(values),
    ...(given.order.length === 0 ? {} : { order: orders(given.order) }),
    ...Object.fromEntries(days)
  }
  // Statuses, days and orders are text here; the client's validation reports invalid ones.
  return query as unknown as QueryOf<D>
}

const readerOf = (value: Schema.Constraint) => (Schema.toEncoded(value).ast._tag === "Number" ? numbers : split)

/** Converts `customerMyIds` to `customer-my-id`: the flag is repeated for each value. */
const flagOf = (name: string, { flag, kind }: ListFilter): string =>
  flag ??
  (kind === "values" ? name.replace(/(?<!u)s$/u, "") : name).replaceAll(
    /[A-Z]/gu,
    (letter) => `-${letter.toLowerCase()}`
  )
