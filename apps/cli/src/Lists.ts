/**
 * List commands: one page, or every page with `--all`. The flags are derived from the list's definition: one for each filter
 * by values, two for each range, and the page.
 *
 * @since 0.1.0
 */
import type { ListDefinition, QueryOf, ListFilter } from "@parcela/core/lists/ListDefinition"
import type { ReadError } from "@parcela/transport/client/ClientError"
import type { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import { Effect, Stream, Option, Schema } from "effect"
import { Command } from "effect/cli"
import * as Entities from "./Entities.ts"
import { type Paint, progress } from "./Terminal.ts"
import { run } from "./Run.ts"
import { day, many, numbers, orders, page, split } from "./Flags.ts"

interface Methods<D extends ListDefinition, Page> {
  readonly list: (query: QueryOf<D>) => Effect.Effect<Page, ReadError>
  readonly listPages: (query: QueryOf<D>) => Stream.Stream<Page, ReadError>
}

/** The maximum page size. */
const largest = 100

/**
 * Returns the command `list` of a definition. `key` is the key of a page's items. With `--json` and `--all` the pages
 * are merged into one.
 */
export const listCommand = <D extends ListDefinition, Key extends string, Item>(options: {
  readonly definition: D
  readonly key: Key
  readonly of: (client: ParcelaClient["Service"]) => Methods<D, { readonly [K in Key]: ReadonlyArray<Item> }>
  readonly show: (paint: Paint, items: ReadonlyArray<Item>) => string
}) => {
  const { definition, key, of, show } = options
  return Command.make("list", listFlags(definition), (given) =>
    given.all
      ? run(
          (client) => counted(of(client).listPages(queryOf(definition, { ...given, limit: largest })), key),
          (pages, paint) =>
            show(
              paint,
              pages.flatMap((page) => page[key])
            ),
          (bodies) => {
            const items = bodies.flatMap((body) => itemsOf(body, key))
            return { totalQtdFoundInPage: items.length, [key]: items }
          }
        )
      : run(
          (client) => of(client).list(queryOf(definition, given)),
          (page, paint) => show(paint, page[key]) + Entities.more(page[key].length, given.startAt, given.limit)
        )
  )
}

/** Reads all pages and shows the number of items so far. */
const counted = Effect.fnUntraced(function* <
  Key extends string,
  Page extends { readonly [K in Key]: ReadonlyArray<unknown> },
  E
>(pages: Stream.Stream<Page, E>, key: Key) {
  const say = yield* progress
  let count = 0
  const collected = yield* Stream.runCollect(
    Stream.tap(pages, (page) => {
      count += page[key].length
      return say(`${count} so far`)
    })
  )
  yield* say("")
  return collected
})

/** Returns the items of a raw page. */
const itemsOf = (body: unknown, key: string): ReadonlyArray<unknown> => {
  // The client has decoded the page before.
  const items = (body as { readonly [name: string]: unknown })[key]
  return Array.isArray(items) ? items : []
}

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
