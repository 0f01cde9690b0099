/** Tests of the port `Subscriptions`. */
import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { MyId } from "@parcela/core/values/Identifier"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { SubscriptionList } from "@parcela/core/lists/EntityLists"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { Effect } from "effect"
import {
  storedCompany,
  storedCard,
  storedCustomer,
  storedSubscription,
  minute,
  myIds,
  onEmptyStore,
  type StoreLayer
} from "./fixtures/StoreFixtures.ts"
import { writeChange } from "@parcela/test-world/StoreWrites"
import { all, assertPages, type FilterCase, listCases, type OrderCase, sharedFilters } from "./fixtures/ListSuite.ts"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

type Filter = FilterOf<SubscriptionList>
type Order = PageOf<SubscriptionList>["order"][number]

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Subscriptions (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    /** Four subscriptions of two customers, and a look-alike of each in another company. */
    const stored = Effect.fnUntraced(function* (companyId: CompanyId) {
      const ana = yield* storedCustomer(companyId, { myId: MyId.make("ana") })
      const bia = yield* storedCustomer(companyId, { myId: MyId.make("bia") })
      const one = (index: number, changes: Partial<SubscriptionState>) =>
        storedSubscription(companyId, { myId: MyId.make(`s${index}`), ...changes })
      return [
        yield* one(0, { customerId: ana.id, createdAt: minute(0), updatedAt: minute(9) }),
        yield* one(1, { customerId: bia.id, createdAt: minute(1), updatedAt: minute(1), status: "canceled" }),
        yield* one(2, { customerId: ana.id, createdAt: minute(1), updatedAt: minute(5), status: "stopped" }),
        yield* one(3, { customerId: bia.id, createdAt: minute(3), updatedAt: minute(3) })
      ]
    })

    const setUp = Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const company = yield* storedCompany
      const other = yield* storedCompany
      const mine = yield* stored(company.id)
      yield* stored(other.id)
      const listed = Effect.fnUntraced(function* (filter: Filter, page: PageOf<SubscriptionList> = all()) {
        const found = yield* subscriptions.list(company.id, filter, page)
        return found.map((one) => mine.findIndex(({ id }) => id === one.subscription.id))
      })
      return { listed, mine, subscriptions, company }
    })

    const filters: ReadonlyArray<FilterCase<Filter, Effect.Success<typeof setUp>>> = [
      ...sharedFilters("s"),
      ["customers", ({ mine }) => ({ customerSvcPayIds: [mine[0]!.customerId] }), [0, 2]],
      ["statuses", () => ({ status: ["canceled", "stopped"] }), [1, 2]],
      ["creation or update from", () => ({ createdOrUpdatedAt: { from: minute(4) } }), [2, 0]],
      ["creation or update before", () => ({ createdOrUpdatedAt: { before: minute(2) } }), [1, 2, 0]],
      ["creation or update within", () => ({ createdOrUpdatedAt: { from: minute(3), before: minute(6) } }), [3, 2]],
      ["creation or update at any time", () => ({ createdOrUpdatedAt: {} }), [0, 1, 2, 3]],
      ["several at once", () => ({ customerMyIds: myIds("ana"), status: ["active"], myIds: myIds("s0", "s3") }), [0]]
    ]

    const orders: ReadonlyArray<OrderCase<Order>> = [
      ["identifier", [], [0, 1, 2, 3]],
      ["creation", [{ field: "createdAt", direction: "asc" }], [0, 1, 2, 3]],
      ["creation backwards, ties by identifier backwards", [{ field: "createdAt", direction: "desc" }], [3, 2, 1, 0]],
      ["update", [{ field: "updatedAt", direction: "asc" }], [1, 3, 2, 0]],
      [
        "creation backwards and then update backwards",
        [
          { field: "createdAt", direction: "desc" },
          { field: "updatedAt", direction: "desc" }
        ],
        [3, 2, 1, 0]
      ]
    ]

    listCases(layer, setUp, filters, orders)

    it.effect("returns all rows in pages without repeats or gaps, although many have the same time", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        const company = yield* storedCompany
        const { id: customerId } = yield* storedCustomer(company.id)
        const states = yield* Effect.all(
          Array.from({ length: 10 }, () => storedSubscription(company.id, { customerId, createdAt: minute(1) }))
        )
        const order = [{ field: "createdAt", direction: "desc" }] as const
        yield* assertPages(states, (startAt, limit) =>
          Effect.map(subscriptions.list(company.id, {}, { startAt, limit, order }), (found) =>
            found.map(({ subscription }) => subscription)
          )
        )
      }).pipe(onEmpty)
    )

    it.effect("lists each subscription with its customer, and with its card if it has one", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        const company = yield* storedCompany
        const ana = yield* storedCustomer(company.id)
        const bia = yield* storedCustomer(company.id)
        const card = yield* storedCard(company.id, { customerId: bia.id })
        yield* storedCard(company.id, { customerId: ana.id })
        const byPix = yield* storedSubscription(company.id, { customerId: ana.id })
        const byCard = yield* storedSubscription(company.id, { customerId: bia.id, cardId: card.id })
        assert.deepStrictEqual(yield* subscriptions.list(company.id, {}, all()), [
          { subscription: byPix, customer: ana, card: undefined },
          { subscription: byCard, customer: bia, card }
        ])
      }).pipe(onEmpty)
    )

    it.effect("lists a subscription with its last update", () =>
      Effect.gen(function* () {
        const { listed, mine } = yield* setUp
        const next = { ...mine[0]!, status: "closed", updatedAt: minute(20) } as const
        yield* writeChange({ table: "subscriptions", before: mine[0], next })
        assert.deepStrictEqual(yield* listed({ status: ["active"] }), [3])
        assert.deepStrictEqual(yield* listed({ status: ["closed"] }), [0])
        assert.deepStrictEqual(yield* listed({ createdOrUpdatedAt: { from: minute(20) } }), [0])
      }).pipe(onEmpty)
    )
  })

forEachStore(suite)
