import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Chargeback, ChargebackStatus } from "../src/transactions/Chargeback.ts"
import { operatorsOf, paymentMethodInputs } from "../src/paymentMethods/CardTerms.ts"
import { InvoiceConfig } from "../src/invoices/Invoice.ts"
import { Deadline, PaymentMethodPix } from "../src/paymentMethods/PaymentMethod.ts"
import { entities, values } from "./fixtures/Entities.ts"

// Whole subscriptions are large, so their parts are also generated separately.
const runs = 40

describe("every entity and value", () => {
  for (const [name, schema] of Object.entries<Schema.Codec<unknown>>({ ...entities, ...values })) {
    it.effect.prop(
      `${name} decodes what it encodes`,
      [schema],
      ([value]) =>
        Effect.gen(function* () {
          const encoded = yield* Schema.encodeEffect(schema)(value)
          // The value passes through text, as in a real request.
          const sent: unknown = JSON.parse(JSON.stringify(encoded))
          assert.deepStrictEqual(sent, encoded)
          assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(schema)(sent), value)
        }),
      { arbitrary: { runs } }
    )
  }
})

describe("limits in request schemas", () => {
  const accepts = (schema: Schema.Codec<unknown, unknown>, value: unknown) => Schema.is(schema)(value)
  const chargeback = { svcPayId: 1, status: "inAnalysis" }

  it("refuses a chargeback with an unknown status, without an identifier, or with a day that does not exist", () => {
    assert.isTrue(accepts(Chargeback, chargeback))
    assert.isFalse(accepts(Chargeback, { ...chargeback, status: "open" }))
    assert.isFalse(accepts(Chargeback, { status: "inAnalysis" }))
    assert.isFalse(accepts(Chargeback, { ...chargeback, expiryDate: "2026-02-30" }))
    assert.isFalse(accepts(Chargeback, { ...chargeback, process: "x".repeat(256) }))
  })

  it("accepts the five statuses of a chargeback", () => {
    assert.strictEqual(ChargebackStatus.literals.length, 5)
  })

  it("accepts a Pix deadline in days or minutes with at most eleven digits", () => {
    assert.isTrue(accepts(Deadline, { type: "days", value: 99_999_999_999 }))
    assert.isTrue(accepts(Deadline, { type: "minutes", value: 30 }))
    assert.isFalse(accepts(Deadline, { type: "hours", value: 1 }))
    assert.isFalse(accepts(Deadline, { type: "days", value: 100_000_000_000 }))
    for (const type of ["days", "minutes"]) {
      // Stored deadlines of 0 can still be decoded; a request cannot set such a deadline.
      assert.isTrue(accepts(PaymentMethodPix, { Deadline: { type, value: 0 } }))
      assert.isFalse(accepts(paymentMethodInputs.PaymentMethodPix, { Deadline: { type, value: 0 } }))
      assert.isTrue(accepts(paymentMethodInputs.PaymentMethodPix, { Deadline: { type, value: 1 } }))
    }
  })

  it("requires the number of days that the moment of an invoice counts", () => {
    const config = { description: "Service", type: "onlyOne" }
    assert.isTrue(accepts(InvoiceConfig, { ...config, createOn: "payment" }))
    assert.isTrue(accepts(InvoiceConfig, { ...config, createOn: "daysBeforePayDay", qtdDaysBeforePayDay: 3 }))
    assert.isFalse(accepts(InvoiceConfig, { ...config, createOn: "daysBeforePayDay", qtdDaysAfterPay: 3 }))
    assert.isTrue(accepts(InvoiceConfig, { ...config, createOn: "daysAfterPayment", qtdDaysAfterPay: 0 }))
    assert.isFalse(accepts(InvoiceConfig, { ...config, createOn: "daysAfterPayment" }))
  })
})

describe("operatorsOf", () => {
  it("splits the operatorIds of a brand and keeps unknown operators", () => {
    assert.deepStrictEqual(operatorsOf("getnet,cielo"), ["getnet", "cielo"])
    assert.deepStrictEqual(operatorsOf("bin, pagseguro,,novo"), ["bin", "pagseguro", "novo"])
    assert.deepStrictEqual(operatorsOf(""), [])
  })
})
