/**
 * A list command: one page, or every page with `--all`.
 *
 * @since 0.1.0
 */
import type { ListDefinition, QueryOf } from "@parcela/core/lists/ListDefinition"
import type { ReadError } from "@parcela/transport/client/ClientError"
import type { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import * as Entities from "./Entities.ts"
import { listFlags, queryOf } from "./ListFlags.ts"
import type { Paint } from "./Paint.ts"
import { progress } from "./Progress.ts"
import { run } from "./Run.ts"

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
