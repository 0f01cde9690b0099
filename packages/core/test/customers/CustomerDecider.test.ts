import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { refuse } from "../../src/errors/BillingError.ts"
import { CompanyId } from "../../src/companies/CompanyState.ts"
import type { CustomerInput } from "../../src/customers/CustomerInput.ts"
import { decideCustomer, editCustomer } from "../../src/customers/CustomerDecider.ts"
import { type CustomerState, customerStatus } from "../../src/customers/CustomerState.ts"
import { LocalDate } from "../../src/time/LocalDate.ts"
import { Document } from "../../src/customers/Document.ts"
import { MyId, SvcPayId } from "../../src/values/Identifier.ts"
import { before, decided, now, refused, has } from "../fixtures/States.ts"

const companyId = CompanyId.make(1)
const context = { companyId, id: SvcPayId.make(50), now, otherMyId: "refuse" } as const
const document = Document.make("52998224725")
const address = {
  zipCode: "01001000",
  street: "Praça da Sé",
  number: "1",
  complement: "",
  neighborhood: "Sé",
  city: "São Paulo",
  state: "SP"
}

const ana: CustomerState = {
  id: SvcPayId.make(3),
  companyId,
  myId: MyId.make("ana"),
  name: "Ana Souza",
  document,
  emails: ["ana@example.com"],
  phones: [11_987_654_321],
  createdAt: before,
  updatedAt: before
}
const bia: CustomerState = { ...ana, id: SvcPayId.make(4), myId: MyId.make("bia") }
const complete: CustomerInput = { name: "Caio", document, emails: ["caio@example.com"] }

describe("an existing customer", () => {
  it.each([
    ["svcPayId", { svcPayId: ana.id }, { bySvcPayId: ana }],
    ["myId", { myId: MyId.make("ana") }, { byMyId: ana }],
    ["document", { document }, { byDocument: ana }]
  ] as const)("is found by %s and unchanged", (_, input, known) => {
    assert.deepStrictEqual(decided(decideCustomer(input, known, context)), { next: ana, events: [] })
  })

  it("can be named by two identifiers", () => {
    const input = { svcPayId: ana.id, myId: MyId.make("ana"), document }
    const known = { bySvcPayId: ana, byMyId: ana, byDocument: ana }
    assert.deepStrictEqual(decided(decideCustomer(input, known, context)).next, ana)
  })

  it("is updated by the fields of the request, and keeps the others", () => {
    const input = { svcPayId: ana.id, name: "Ana Lima", phones: [], Address: address }
    const { events, next } = decided(decideCustomer(input, { bySvcPayId: ana }, context))
    assert.deepStrictEqual(next, { ...ana, name: "Ana Lima", phones: [], address, updatedAt: now })
    assert.deepStrictEqual(events, [{ _tag: "CustomerUpdated", customerId: ana.id }])
  })

  it("is not updated by equal fields", () => {
    const kept = { ...ana, address }
    const input = { svcPayId: ana.id, name: ana.name, emails: ana.emails, Address: address }
    assert.deepStrictEqual(decided(decideCustomer(input, { bySvcPayId: kept }, context)), { next: kept, events: [] })
  })

  it("is refused if the identifiers name two customers", () => {
    const input = { svcPayId: ana.id, myId: MyId.make("bia") }
    assert.deepStrictEqual(refused(decideCustomer(input, { bySvcPayId: ana, byMyId: bia }, context)), {
      _tag: "CustomersDiffer",
      by: ["svcPayId", "myId"]
    })
    const byDocument = { myId: MyId.make("bia"), document }
    assert.deepStrictEqual(refused(decideCustomer(byDocument, { byMyId: bia, byDocument: ana }, context)), {
      _tag: "CustomersDiffer",
      by: ["myId", "document"]
    })
  })

  it("keeps its myId if it is named by document, and the refusal contains that myId", () => {
    const input = { ...complete, name: "Beatriz", myId: MyId.make("bia") }
    const refusal = refused(decideCustomer(input, { byDocument: ana }, context))
    assert.deepStrictEqual(refusal, { _tag: "CustomerHasOtherMyId", myId: MyId.make("ana") })
    assert.deepStrictEqual(Object.keys(refuse(refusal as never).details), ["Customer.document"])
    assert.include(refuse(refusal as never).message, '"ana"')
  })

  it("is updated by document and keeps its myId if the mode is keep", () => {
    const input = { ...complete, name: "Ana Lima", myId: MyId.make("order 77") }
    const { events, next } = decided(decideCustomer(input, { byDocument: ana }, { ...context, otherMyId: "keep" }))
    assert.deepStrictEqual(next, { ...ana, name: "Ana Lima", emails: ["caio@example.com"], updatedAt: now })
    assert.deepStrictEqual(events, [{ _tag: "CustomerUpdated", customerId: ana.id }])
  })

  it("is refused if the identifiers name two customers, also in mode keep", () => {
    const input = { myId: MyId.make("bia"), document }
    const known = { byMyId: bia, byDocument: ana }
    assert.deepStrictEqual(refused(decideCustomer(input, known, { ...context, otherMyId: "keep" })), {
      _tag: "CustomersDiffer",
      by: ["myId", "document"]
    })
  })

  it.each([
    ["one that has none, by its document", { ...ana, myId: undefined }, { document }],
    ["another, by its svcPayId", ana, { svcPayId: ana.id, document }]
  ] as const)("gets an unused myId: %s", (_, { myId, ...rest }, by) => {
    const customer: CustomerState = myId === undefined ? rest : { ...rest, myId }
    const known = "svcPayId" in by ? { bySvcPayId: customer, byDocument: customer } : { byDocument: customer }
    const { next } = decided(decideCustomer({ ...by, myId: MyId.make("ana 2") }, known, context))
    assert.deepStrictEqual(next, { ...customer, myId: MyId.make("ana 2"), updatedAt: now })
  })
})

describe("an unknown customer", () => {
  it.each([
    ["svcPayId", { svcPayId: SvcPayId.make(99) }, ["svcPayId"]],
    ["svcPayId, although the rest is complete", { ...complete, svcPayId: SvcPayId.make(99) }, ["svcPayId"]],
    ["myId alone", { myId: MyId.make("nobody") }, ["myId"]],
    ["document alone", { document }, ["document"]],
    ["myId and document alone", { myId: MyId.make("nobody"), document }, ["myId", "document"]]
  ] as const)("is not found by %s, and the refusal names the requested identifiers", (_, input, by) => {
    const refusal = refused(decideCustomer(input, {}, context))
    assert.deepStrictEqual(refusal, { _tag: "CustomerNotFound", by } as never)
    assert.deepStrictEqual(
      Object.keys(refuse(refusal as never).details),
      by.map((field) => `Customer.${field}`)
    )
  })

  it("is not found by a svcPayId even if its myId exists", () => {
    const input = { svcPayId: SvcPayId.make(99), myId: MyId.make("ana") }
    assert.deepStrictEqual(refused(decideCustomer(input, { byMyId: ana }, context)), {
      _tag: "CustomerNotFound",
      by: ["svcPayId"]
    })
  })

  it("is created if the request contains the required fields", () => {
    const { events, next } = decided(decideCustomer(complete, {}, context))
    assert.deepStrictEqual(next, {
      id: SvcPayId.make(50),
      companyId,
      name: "Caio",
      document,
      emails: ["caio@example.com"],
      phones: [],
      createdAt: now,
      updatedAt: now
    })
    assert.deepStrictEqual(events, [{ _tag: "CustomerCreated", customerId: next.id }])
  })

  it("stores all fields of the request", () => {
    const input = { ...complete, myId: MyId.make("caio"), phones: [11_912_345_678], Address: address }
    has(decided(decideCustomer(input, {}, context)).next, {
      myId: "caio",
      phones: [11_912_345_678],
      address
    })
  })

  it.each([
    ["nothing", {}, ["name", "document", "emails"]],
    ["a name", { name: "Caio" }, ["document", "emails"]],
    ["a myId and a telephone", { myId: MyId.make("caio"), phones: [1] }, ["name", "document", "emails"]],
    ["all but an e-mail", { name: "Caio", document }, ["emails"]],
    ["an address and a document", { document, Address: address }, ["name", "emails"]]
  ] as const)("is refused as incomplete with %s", (_, input, missing) => {
    assert.deepStrictEqual(refused(decideCustomer(input, {}, context)), { _tag: "CustomerIncomplete", missing })
  })
})

describe("an edited customer", () => {
  const same = { sameMyId: undefined, sameDocument: undefined, now }

  it("takes the given fields and keeps the others", () => {
    const { events, next } = decided(editCustomer(ana, { name: "Ana Lima", municipalDocument: "1" }, same))
    assert.deepStrictEqual(next, { ...ana, name: "Ana Lima", municipalDocument: "1", updatedAt: now })
    assert.deepStrictEqual(events, [{ _tag: "CustomerUpdated", customerId: ana.id }])
  })

  it("is deactivated and activated by its status, but ignores statuses that follow from its payments", () => {
    const inactive = decided(editCustomer(ana, { status: "inactive" }, same))
    assert.deepStrictEqual(inactive.next, { ...ana, status: "inactive", updatedAt: now })
    assert.deepStrictEqual(inactive.events, [{ _tag: "CustomerDeactivated", customerId: ana.id }])
    for (const status of ["inactive", "delayed", "withoutSubscriptionOrCharge"] as const) {
      assert.isEmpty(decided(editCustomer(inactive.next, { status }, same)).events, status)
    }
    assert.isEmpty(decided(editCustomer(ana, { status: "active" }, same)).events)
    assert.strictEqual(decided(editCustomer(inactive.next, { status: "active" }, same)).next.status, "active")
    const again = decided(decideCustomer({ svcPayId: ana.id }, { bySvcPayId: inactive.next }, context))
    assert.strictEqual(again.next.status, "active")
  })

  it("is refused with both conflicts if myId and document belong to other customers", () => {
    const result = editCustomer(ana, { name: "X" }, { ...same, sameMyId: bia, sameDocument: bia })
    assert.isTrue(Result.isFailure(result))
    assert.sameMembers(Object.keys(Result.getOrThrow(Result.flip(result)).details), [
      "Customer.myId",
      "Customer.document"
    ])
    assert.isTrue(Result.isSuccess(editCustomer(ana, { name: "X" }, { ...same, sameMyId: ana, sameDocument: ana })))
  })
})

describe("the status of a customer", () => {
  const today = LocalDate.make("2026-11-21")
  it.each([
    ["active", {}, { hasContract: true, owedFrom: undefined }],
    ["active", {}, { hasContract: true, owedFrom: today }],
    ["delayed", {}, { hasContract: true, owedFrom: LocalDate.make("2026-11-20") }],
    ["delayed", {}, { hasContract: false, owedFrom: LocalDate.make("2026-11-20") }],
    ["withoutSubscriptionOrCharge", {}, { hasContract: false, owedFrom: today }],
    ["inactive", { status: "inactive" }, { hasContract: true, owedFrom: LocalDate.make("2026-11-20") }],
    ["active", { status: "active" }, { hasContract: true, owedFrom: undefined }]
  ] as const)("is %s for %o and %o", (expected, state, standing) => {
    assert.strictEqual(customerStatus(state, standing, today), expected)
  })
})
