import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Chargeback, ChargebackStatus } from "../src/transactions/Chargeback.ts"
import { operatorsOf } from "../src/cards/CardOperatorId.ts"
import { InvoiceConfig } from "../src/invoices/InvoiceConfig.ts"
import { paymentMethodInputs } from "../src/paymentMethods/PaymentMethodInputs.ts"
import { Deadline, PaymentMethodPix } from "../src/paymentMethods/PaymentMethods.ts"
import { entities, values } from "./fixtures/Entities.ts"

// Whole subscriptions are large; the parts they are made of are drawn on their own too.
const runs = 40

describe("every entity and value", () => {
  for (const [name, schema] of Object.entries<Schema.Codec<unknown>>({ ...entities, ...values })) {
    it.effect.prop(
      `${name} decodes what it encodes`,
      [schema],
      ([value]) =>
        Effect.gen(function* () {
          const encoded = yield* Schema.encodeEffect(schema)(value)
          // Through text, as on the wire.
          const sent: unknown = JSON.parse(JSON.stringify(encoded))
          assert.deepStrictEqual(sent, encoded)
          assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(schema)(sent), value)
        }),
      { arbitrary: { runs } }
    )
  }
})

describe("what is written keeps its limits", () => {
  const accepts = (schema: Schema.Codec<unknown, unknown>, value: unknown) => Schema.is(schema)(value)
  const chargeback = { svcPayId: 1, status: "inAnalysis" }

  it("refuses a chargeback of an unknown status, without an identifier, or with a day that does not exist", () => {
    assert.isTrue(accepts(Chargeback, chargeback))
    assert.isFalse(accepts(Chargeback, { ...chargeback, status: "open" }))
    assert.isFalse(accepts(Chargeback, { status: "inAnalysis" }))
    assert.isFalse(accepts(Chargeback, { ...chargeback, expiryDate: "2026-02-30" }))
    assert.isFalse(accepts(Chargeback, { ...chargeback, process: "x".repeat(256) }))
  })

  it("has the five statuses of a chargeback", () => {
    assert.strictEqual(ChargebackStatus.literals.length, 5)
  })

  it("takes a Pix deadline in days and in minutes, of eleven digits at most", () => {
    assert.isTrue(accepts(Deadline, { type: "days", value: 99_999_999_999 }))
    assert.isTrue(accepts(Deadline, { type: "minutes", value: 30 }))
    assert.isFalse(accepts(Deadline, { type: "hours", value: 1 }))
    assert.isFalse(accepts(Deadline, { type: "days", value: 100_000_000_000 }))
    for (const type of ["days", "minutes"]) {
      // What was stored stays readable; a request cannot ask for a code that lapses as it is made.
      assert.isTrue(accepts(PaymentMethodPix, { Deadline: { type, value: 0 } }))
      assert.isFalse(accepts(paymentMethodInputs.PaymentMethodPix, { Deadline: { type, value: 0 } }))
      assert.isTrue(accepts(paymentMethodInputs.PaymentMethodPix, { Deadline: { type, value: 1 } }))
    }
  })

  it("wants the number of days that an invoice's moment counts", () => {
    const config = { description: "Service", type: "onlyOne" }
    assert.isTrue(accepts(InvoiceConfig, { ...config, createOn: "payment" }))
    assert.isTrue(accepts(InvoiceConfig, { ...config, createOn: "daysBeforePayDay", qtdDaysBeforePayDay: 3 }))
    assert.isFalse(accepts(InvoiceConfig, { ...config, createOn: "daysBeforePayDay", qtdDaysAfterPay: 3 }))
    assert.isTrue(accepts(InvoiceConfig, { ...config, createOn: "daysAfterPayment", qtdDaysAfterPay: 0 }))
    assert.isFalse(accepts(InvoiceConfig, { ...config, createOn: "daysAfterPayment" }))
  })
})

describe("operatorsOf", () => {
  it("splits a brand's operatorIds and keeps operators it does not know", () => {
    assert.deepStrictEqual(operatorsOf("getnet,cielo"), ["getnet", "cielo"])
    assert.deepStrictEqual(operatorsOf("bin, pagseguro,,novo"), ["bin", "pagseguro", "novo"])
    assert.deepStrictEqual(operatorsOf(""), [])
  })
})
