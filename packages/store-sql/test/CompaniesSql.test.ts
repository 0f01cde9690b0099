/** Tests of the port `Companies`. */
import { assert, describe, it, layer as withLayer } from "@effect/vitest"
import { CompanyId, CompanyState, Payee } from "@parcela/core/companies/CompanyState"
import { Companies } from "@parcela/engine/ports/Companies"
import { Effect, Option, Struct } from "effect"
import { normalized } from "./fixtures/Arbitraries.ts"
import { storedCompany, onEmptyStore, type StoreLayer } from "./fixtures/StoreFixtures.ts"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Companies (${name})`, () => {
    const onEmpty = onEmptyStore(layer)
    const unknown = CompanyId.make(4_000_000)

    withLayer(layer)("with any state", (it) => {
      const states = normalized(CompanyState.mapFields(Struct.omit(["id"])))
      it.effect.prop("returns what was inserted", [states], ([state]) =>
        Effect.gen(function* () {
          const companies = yield* Companies
          const inserted = yield* companies.insert(state)
          assert.deepStrictEqual(inserted, { ...state, id: inserted.id })
          assert.deepStrictEqual(yield* companies.find(inserted.id), Option.some(inserted))
        })
      )
    })

    it.effect("gives every company a unique, increasing number", () =>
      Effect.gen(function* () {
        const ids = yield* Effect.all(Array.from({ length: 10 }, () => Effect.map(storedCompany, ({ id }) => id)))
        assert.deepStrictEqual(
          ids,
          [...new Set(ids)].toSorted((a, b) => a - b)
        )
        assert.isAbove(ids[0]!, 0)
      }).pipe(onEmpty)
    )

    it.effect("does not find a company that does not exist", () =>
      Effect.gen(function* () {
        const companies = yield* Companies
        yield* storedCompany
        assert.deepStrictEqual(yield* companies.find(unknown), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("changes the given fields of an existing company, also by two concurrent edits", () =>
      Effect.gen(function* () {
        const companies = yield* Companies
        const company = yield* storedCompany
        const document = Payee.fields.document.make("11222333000181")
        yield* Effect.all(
          [companies.edit(company.id, { document, city: "Recife" }), companies.edit(company.id, { name: "Padaria 2" })],
          { concurrency: "unbounded" }
        )
        const edited = Option.some({ ...company, name: "Padaria 2", document, city: "Recife" })
        assert.deepStrictEqual(yield* companies.find(company.id), edited)
        assert.deepStrictEqual(yield* companies.edit(company.id, {}), edited)
        assert.deepStrictEqual(yield* companies.edit(unknown, { name: "x" }), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("lists companies by client id, page by page", () =>
      Effect.gen(function* () {
        const companies = yield* Companies
        assert.deepStrictEqual(yield* companies.list({ limit: 10 }), [])
        const first = yield* storedCompany
        const second = yield* storedCompany
        const credential = { secretHash: "aa".repeat(32), companyId: first.id }
        for (const clientId of ["c", "a"]) yield* companies.putCredential({ ...credential, clientId })
        yield* companies.putCredential({ ...credential, clientId: "b", companyId: second.id })
        const all = [
          { clientId: "a", company: first },
          { clientId: "b", company: second },
          { clientId: "c", company: first }
        ]
        assert.deepStrictEqual(yield* companies.list({ limit: 10 }), all)
        assert.deepStrictEqual(yield* companies.list({ limit: 2 }), all.slice(0, 2))
        assert.deepStrictEqual(yield* companies.list({ limit: 2, after: "b" }), all.slice(2))
      }).pipe(onEmpty)
    )

    it.effect("returns a credential by its client id, and nothing for another", () =>
      Effect.gen(function* () {
        const companies = yield* Companies
        const { id: companyId } = yield* storedCompany
        const credential = { clientId: "5473", secretHash: "aa".repeat(32), companyId }
        yield* companies.putCredential(credential)
        yield* companies.putCredential({ ...credential, clientId: "5474", secretHash: "bb".repeat(32) })
        assert.deepStrictEqual(yield* companies.findCredential("5473"), Option.some(credential))
        assert.deepStrictEqual(yield* companies.findCredential("547"), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("inserts a company with its credential, or neither if the client id is taken", () =>
      Effect.gen(function* () {
        const companies = yield* Companies
        const { id: _, ...state } = yield* storedCompany
        const credential = { clientId: "5473", secretHash: "aa".repeat(32) }
        const first = yield* companies.insertWithCredential(state, credential)
        assert.deepStrictEqual(yield* companies.find(first.id), Option.some(first))
        const taken = yield* Effect.flip(companies.insertWithCredential(state, credential))
        assert.strictEqual(taken.reason._tag, "Conflict")
        const stored = Option.some({ ...credential, companyId: first.id })
        assert.deepStrictEqual(yield* companies.findCredential("5473"), stored)
        const next = yield* storedCompany
        const between = Array.from({ length: next.id - first.id - 1 }, (_, index) =>
          CompanyId.make(first.id + index + 1)
        )
        const found = yield* Effect.forEach(between, companies.find)
        assert.deepStrictEqual(found.flatMap(Option.toArray), [])
      }).pipe(onEmpty)
    )

    it.effect("replaces the credential of a client id", () =>
      Effect.gen(function* () {
        const companies = yield* Companies
        const first = yield* storedCompany
        const second = yield* storedCompany
        yield* companies.putCredential({ clientId: "5473", secretHash: "aa".repeat(32), companyId: first.id })
        const replaced = { clientId: "5473", secretHash: "bb".repeat(32), companyId: second.id }
        yield* companies.putCredential(replaced)
        assert.deepStrictEqual(yield* companies.findCredential("5473"), Option.some(replaced))
      }).pipe(onEmpty)
    )
  })

forEachStore(suite)
