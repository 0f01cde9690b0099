/** Tests of the port `Charges`. */
import { assert, describe, it } from "@effect/vitest"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ChargeList } from "@parcela/core/lists/EntityLists"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import { MyId } from "@parcela/core/values/Identifier"
import { Charges } from "@parcela/engine/ports/Charges"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { Effect } from "effect"
import { storedCharge, storedChargePayment } from "./fixtures/ChargeFixtures.ts"
import {
  storedCard,
  storedCompany,
  storedCustomer,
  minute,
  myIds,
  onEmptyStore,
  type StoreLayer
} from "./fixtures/StoreFixtures.ts"
import { writeChange } from "@parcela/test-world/StoreWrites"
import { all, type FilterCase, listCases, type OrderCase, sharedFilters } from "./fixtures/ListSuite.ts"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

type Filter = FilterOf<ChargeList>

type Order = PageOf<ChargeList>["order"][number]

const tag = (tagName: string, tagValue: string) => ({ tagName, tagValue })

/** Four charges of two customers. */
const stored = Effect.fnUntraced(function* (companyId: CompanyId) {
  const ana = yield* storedCustomer(companyId, { myId: MyId.make("ana") })
  const bia = yield* storedCustomer(companyId, { myId: MyId.make("bia") })
  const one = (index: number, changes: Partial<ChargeState>) =>
    storedCharge(companyId, { myId: MyId.make(`c${index}`), ...changes })
  return [
    yield* one(0, { customerId: ana.id, extraFields: [tag("ORDER", "1"), tag("SHOP", "a.b,c")], updatedAt: minute(9) }),
    yield* one(1, { customerId: bia.id, createdAt: minute(1), updatedAt: minute(1), status: "canceled" }),
    yield* one(2, { customerId: ana.id, extraFields: [tag("ORDER", "2")], createdAt: minute(1), updatedAt: minute(5) }),
    yield* one(3, { customerId: bia.id, extraFields: [tag("ORDER", "1")], createdAt: minute(3), updatedAt: minute(3) })
  ]
})

const setUp = Effect.gen(function* () {
  const charges = yield* Charges
  const company = yield* storedCompany
  const mine = yield* stored(company.id)
  // A look-alike of each in another company.
  yield* stored((yield* storedCompany).id)
  const listed = Effect.fnUntraced(function* (filter: Filter, page: PageOf<ChargeList> = all()) {
    const found = yield* charges.list(company.id, filter, page)
    return found.map((one) => mine.findIndex(({ id }) => id === one.charge.id))
  })
  return { company, listed, mine }
})

const filters: ReadonlyArray<FilterCase<Filter, Effect.Success<typeof setUp>>> = [
  ...sharedFilters("c"),
  ["customers", ({ mine }) => ({ customerSvcPayIds: [mine[0]!.customerId] }), [0, 2]],
  ["statuses", () => ({ status: ["canceled"] }), [1]],
  ["a field of the company's own", () => ({ ExtraFields: ["ORDER.1"] }), [0, 3]],
  ["one of several fields", () => ({ ExtraFields: ["ORDER.2", "SHOP.a.b,c"] }), [0, 2]],
  ["a field with another value", () => ({ ExtraFields: ["ORDER.3"] }), []],
  ["no field at all", () => ({ ExtraFields: [] }), []],
  ["a field and a customer", () => ({ ExtraFields: ["ORDER.1"], customerMyIds: myIds("bia") }), [3]],
  ["creation or update from", () => ({ createdOrUpdatedAt: { from: minute(4) } }), [2, 0]]
]

const orders: ReadonlyArray<OrderCase<Order>> = [
  ["identifier", [], [0, 1, 2, 3]],
  ["creation backwards, ties by identifier backwards", [{ field: "createdAt", direction: "desc" }], [3, 2, 1, 0]],
  ["update", [{ field: "updatedAt", direction: "asc" }], [1, 3, 2, 0]]
]

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Charges (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    listCases(layer, setUp, filters, orders)

    it.effect("finds a charge by its current fields", () =>
      Effect.gen(function* () {
        const { listed, mine } = yield* setUp
        const before = mine[0]!
        yield* writeChange({ table: "charges", before, next: { ...before, extraFields: [tag("ORDER", "7")] } })
        assert.deepStrictEqual(yield* listed({ ExtraFields: ["ORDER.1"] }), [3])
        assert.deepStrictEqual(yield* listed({ ExtraFields: ["SHOP.a.b,c"] }), [])
        assert.deepStrictEqual(yield* listed({ ExtraFields: ["ORDER.7"] }), [0])
      }).pipe(onEmpty)
    )

    it.effect("stores both values of a repeated field of a charge", () =>
      Effect.gen(function* () {
        const company = yield* storedCompany
        const charge = yield* storedCharge(company.id, { extraFields: [tag("ORDER", "1"), tag("ORDER", "1")] })
        const found = yield* Charges.use((port) => port.list(company.id, { ExtraFields: ["ORDER.1"] }, all()))
        assert.deepStrictEqual(
          found.map((one) => one.charge),
          [charge]
        )
      }).pipe(onEmpty)
    )

    it.effect("lists each charge with its customer, and with its card if it has one", () =>
      Effect.gen(function* () {
        const company = yield* storedCompany
        const customer = yield* storedCustomer(company.id)
        const card = yield* storedCard(company.id, { customerId: customer.id })
        const byCard = yield* storedCharge(company.id, { customerId: customer.id, cardId: card.id })
        const byPix = yield* storedCharge(company.id, { customerId: customer.id, mainPaymentMethodId: "pix" })
        assert.deepStrictEqual(yield* Charges.use((port) => port.list(company.id, {}, all())), [
          { charge: byCard, customer, card },
          { charge: byPix, customer, card: undefined }
        ])
      }).pipe(onEmpty)
    )

    it.effect("returns the payments of each charge", () =>
      Effect.gen(function* () {
        const transactions = yield* Transactions
        const { card, charge, company, opened } = yield* storedChargePayment
        yield* storedChargePayment
        assert.deepStrictEqual(yield* transactions.ofCharges(company.id, [charge.id]), [{ transaction: opened, card }])
        assert.deepStrictEqual(yield* transactions.ofCharges(company.id, []), [])
      }).pipe(onEmpty)
    )
  })

forEachStore(suite)
