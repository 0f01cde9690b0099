/**
 * What the suites of several lists try: filters, orders and pages of four entities, by their places among them.
 */
import { assert, layer } from "@effect/vitest"
import { type MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { minute, myIds, type StoreLayer } from "../StoreFixtures.ts"

interface Page<Order> {
  readonly startAt: number
  readonly limit: number
  readonly order: ReadonlyArray<Order>
}

/** All rows, in that order. */
export const all = <Order>(order: ReadonlyArray<Order> = []): Page<Order> => ({ startAt: 0, limit: 100, order })

/** The four entities, and the places among them of those that a list has. */
export interface Listed<Filter, Order> {
  readonly mine: ReadonlyArray<{ readonly id: SvcPayId }>
  readonly listed: (filter: Filter, page?: Page<Order>) => Effect.Effect<ReadonlyArray<number>, unknown, StorePorts>
}

/** A filter, and the places of what it lists. */
export type FilterCase<Filter, Given> = readonly [
  name: string,
  filter: (given: Given) => Filter,
  expected: ReadonlyArray<number>
]

/** An order, and the places in it. */
export type OrderCase<Order> = readonly [name: string, order: ReadonlyArray<Order>, expected: ReadonlyArray<number>]

/** The filters that every list of a customer's entities has. */
interface SharedFilter {
  readonly svcPayIds?: ReadonlyArray<SvcPayId>
  readonly myIds?: ReadonlyArray<MyId>
  readonly customerSvcPayIds?: ReadonlyArray<SvcPayId>
  readonly customerMyIds?: ReadonlyArray<MyId>
  readonly status?: ReadonlyArray<never>
  readonly createdAt?: { readonly from?: BusinessTime; readonly before?: BusinessTime }
}

/**
 * Cases of four entities, called by `letter` and 0 to 3, of the customers ana and bia in turn, created at the minutes 0, 1,
 * 1 and 3.
 */
export const sharedFilters = (
  letter: string
): ReadonlyArray<FilterCase<SharedFilter, Pick<Listed<never, never>, "mine">>> => [
  ["nothing", () => ({}), [0, 1, 2, 3]],
  ["identifiers", ({ mine }) => ({ svcPayIds: [mine[3]!.id, mine[1]!.id, SvcPayId.make(99_999_999_999)] }), [1, 3]],
  ["no identifier at all", () => ({ svcPayIds: [] }), []],
  ["the client's identifiers", () => ({ myIds: myIds(`${letter}2`, `${letter.toUpperCase()}1`, `${letter}9`) }), [2]],
  ["no client's identifier at all", () => ({ myIds: [] }), []],
  ["no customer at all", () => ({ customerSvcPayIds: [] }), []],
  ["customers' own identifiers", () => ({ customerMyIds: myIds("bia", "nobody") }), [1, 3]],
  ["no customer's identifier at all", () => ({ customerMyIds: [] }), []],
  ["no status at all", () => ({ status: [] }), []],
  ["creation from", () => ({ createdAt: { from: minute(1) } }), [1, 2, 3]],
  ["creation before", () => ({ createdAt: { before: minute(1) } }), [0]],
  ["creation within", () => ({ createdAt: { from: minute(1), before: minute(3) } }), [1, 2]]
]

/** Tries filters and orders. Lists change nothing, so all of them read the same rows. */
export const listCases = <Filter, Order, Given extends Listed<Filter, Order>>(
  store: StoreLayer,
  setUp: Effect.Effect<Given, unknown, StorePorts>,
  filters: ReadonlyArray<FilterCase<Filter, Given>>,
  orders: ReadonlyArray<OrderCase<Order>>
): void => {
  const Kept = Context.Service<Given>("@parcela/testing/ListCases/Kept")

  layer(Layer.provideMerge(Layer.effect(Kept, Effect.orDie(setUp)), store))((it) => {
    it.effect.each(filters)("lists by %s, a range in the order of its column", ([, filter, expected]) =>
      Effect.gen(function* () {
        const given = yield* Kept
        assert.deepStrictEqual(yield* given.listed(filter(given)), expected)
      })
    )

    it.effect.each(orders)("orders by %s", ([, order, expected]) =>
      Effect.gen(function* () {
        const { listed } = yield* Kept
        // The filters of every list may all be absent.
        assert.deepStrictEqual(yield* listed({} as Filter, all(order)), expected)
      })
    )
  })
}

/** Asks for ten states, which are alike in what orders them, in pages of three: none comes twice, and none is left out. */
export const assertPages = Effect.fnUntraced(function* <State, R>(
  kept: ReadonlyArray<State>,
  page: (startAt: number, limit: number) => Effect.Effect<ReadonlyArray<State>, unknown, R>
) {
  const pages = yield* Effect.forEach([0, 3, 6, 9, 12], (startAt) => page(startAt, 3))
  assert.deepStrictEqual(
    pages.map((states) => states.length),
    [3, 3, 3, 1, 0]
  )
  assert.deepStrictEqual(pages.flat(), kept.toReversed())
})
