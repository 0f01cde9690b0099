/**
 * What every adapter of the port `Customers` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { CustomerState } from "@parcela/core/customers/CustomerState"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import { Customers } from "@parcela/engine/ports/Customers"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { conflictOf } from "./internal/Failures.ts"
import { normalized } from "./internal/Arbitraries.ts"
import { entityCases, updateCases, type EntityOptions } from "./internal/EntityCases.ts"
import { keptCompany, keptCustomer, newCustomer, onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

const options: EntityOptions<CustomerState, Customers["Service"]> = {
  table: "customers",
  port: Customers,
  arbitrary: normalized(CustomerState),
  fresh: newCustomer,
  place: (arbitrary, { companyId, document, id }) => ({ ...arbitrary, companyId, document, id })
}

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Customers (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    entityCases(layer, options)
    updateCases(layer, options)

    it.effect("a document is a conflict within a company, and none across companies", () =>
      Effect.gen(function* () {
        const customers = yield* Customers
        const company = yield* keptCompany
        const other = yield* keptCompany
        const document = "52998224725"
        const first = yield* keptCustomer(company.id, { document })
        const second = yield* newCustomer(company.id, { document })
        assert.strictEqual(yield* conflictOf(customers.insert(second)), "customers.document")
        const elsewhere = yield* keptCustomer(other.id, { document })
        assert.deepStrictEqual(yield* customers.findByDocument(company.id, document), Option.some(first))
        assert.deepStrictEqual(yield* customers.findByDocument(other.id, document), Option.some(elsewhere))
      }).pipe(onEmpty)
    )

    it.effect("an update may not take another customer's document or myId", () =>
      Effect.gen(function* () {
        const customers = yield* Customers
        const company = yield* keptCompany
        const first = yield* keptCustomer(company.id)
        const second = yield* keptCustomer(company.id)
        const sameDocument = customers.update({ ...second, document: first.document })
        assert.strictEqual(yield* conflictOf(sameDocument), "customers.document")
        const sameMyId = customers.update({ ...second, myId: first.myId! })
        assert.strictEqual(yield* conflictOf(sameMyId), "customers.my_id")
      }).pipe(onEmpty)
    )

    it.effect("is found by its new document and no longer by its old one", () =>
      Effect.gen(function* () {
        const customers = yield* Customers
        const company = yield* keptCompany
        const before = yield* keptCustomer(company.id, { document: "52998224725" })
        const after = { ...before, document: "11222333000181" }
        yield* customers.update(after)
        assert.deepStrictEqual(yield* customers.findByDocument(company.id, before.document), Option.none())
        assert.deepStrictEqual(yield* customers.findByDocument(company.id, after.document), Option.some(after))
      }).pipe(onEmpty)
    )

    it.effect("any number of customers may have no myId", () =>
      Effect.gen(function* () {
        const customers = yield* Customers
        const company = yield* keptCompany
        const { myId: _first, ...first } = yield* newCustomer(company.id)
        const { myId: _second, ...second } = yield* newCustomer(company.id)
        yield* customers.insert(first)
        yield* customers.insert(second)
        const found = yield* Effect.forEach([first, second], ({ id }) => customers.find(company.id, bySvcPayId(id)))
        assert.deepStrictEqual(found, [Option.some(first), Option.some(second)])
      }).pipe(onEmpty)
    )
  })
