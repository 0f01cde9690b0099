import { assert, describe, it } from "@effect/vitest"
import { operationExamples } from "@parcela/transport/Contract"
import { Effect } from "effect"
import * as Fake from "./Fake.ts"

const shown = (operation: "createCharge" | "cancelCharge" | "listCharges") => () =>
  [200, operationExamples.get(operation)?.response] as const

// In four years, by the clock of the test.
const testCard = { number: "4111111111111111", holder: "SANDBOX CARD", expiresAt: "1974-12", cvv: "123" }

describe("parcela charges", () => {
  it.effect("creates a charge from flags, with a customer and a test card", () =>
    Effect.gen(function* () {
      const flags = "--my-id order-1 --value 12990 --payday 2026-11-20 --method creditcard --customer-my-id maria"
      const { requests, code, out } = yield* Fake.parcela(
        ["charges", "create", ...flags.split(" "), "--test-card", "approved"],
        { play: shown("createCharge") }
      )
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(requests[0]?.body, {
        myId: "order-1",
        value: 12990,
        payday: "2026-11-20",
        mainPaymentMethodId: "creditcard",
        Customer: { myId: "maria" },
        PaymentMethodCreditCard: { Card: testCard }
      })
      for (const part of ["example-charge (1)", "active", "denied"]) assert.include(out, part)
      // Its payment is named too, for what is done by transactions.
      assert.match(out, /^transaction +\S+ \(\d+\)$/mu)
    })
  )

  it.effect("accepts amounts in whole cents only, and converts an amount with a comma in its message", () =>
    Effect.gen(function* () {
      const output = {
        "5,00": "R$ 5,00 is 500",
        "129.90": "R$ 129,90 is 12990",
        "1,5": "R$ 5,00 is 500",
        "-5": "R$ 5,00 is 500"
      }
      for (const [value, meant] of Object.entries(output)) {
        const { requests, code, err } = yield* Fake.parcela(["charges", "create", "--value", value])
        assert.deepStrictEqual([requests, code], [[], 2])
        assert.include(err, `"${value}". Expected cents, without a comma or point: ${meant}`)
      }
    })
  )

  it.effect("explains how to send a file in the names of another deployment", () =>
    Effect.gen(function* () {
      const ofFile = (body: object) =>
        Fake.parcela(["charges", "create", "--body", "-"], { stdin: JSON.stringify(body), play: shown("createCharge") })
      const body = { myId: "c", value: 500, payday: "2026-12-23", mainPaymentMethodId: "pix" }
      const theirs = yield* ofFile({ ...body, Customer: { galaxPayId: 1 } })
      assert.deepStrictEqual([theirs.requests, theirs.code], [[], 2])
      assert.include(theirs.err, "Write svcPayId for galaxPayId, or run the command with --naming galaxPay")
      const other = yield* ofFile({ ...body, Customer: { id: 1 } })
      assert.include(other.err, "Correct these fields")
    })
  )

  it.effect("shows the paid and the refunded amounts of a payment and of a list", () =>
    Effect.gen(function* () {
      const paid = { svcPayId: 1, status: "moreValueBoleto", value: 1000, paidValue: 1050 }
      const part = { svcPayId: 2, status: "captured", value: 1990, reversedValue: 990 }
      const listed = yield* Fake.parcela(["transactions", "list"], {
        play: () => [
          200,
          { Transactions: [paid, part, { svcPayId: 3, status: "payedPix", value: 500, paidValue: 500 }] }
        ]
      })
      for (const text of ["R$ 10,00 (paid R$ 10,50)", "R$ 19,90 (R$ 9,90 back)", "R$ 5,00"]) {
        assert.include(listed.out, text)
      }
      const retried = yield* Fake.parcela(["transactions", "retry", "p"], { play: () => [200, { Transaction: part }] })
      assert.match(retried.out, /^given back +R\$ 9,90$/mu)
      const charged = yield* Fake.parcela(["charges", "retry", "c"], {
        play: () => [200, { type: true, Charge: { svcPayId: 1, status: "closed", value: 1000, Transactions: [paid] } }]
      })
      assert.match(charged.out, /^paid +R\$ 10,50$/mu)
    })
  )

  it.effect("cancels a charge, and lists charges by a custom field", () =>
    Effect.gen(function* () {
      const cancelled = yield* Fake.parcela(["charges", "cancel", "order-1"], { play: shown("cancelCharge") })
      assert.deepStrictEqual(
        [cancelled.requests[0]?.method, cancelled.out],
        ["DELETE", "The charge is cancelled, and its payment with it."]
      )
      const listed = yield* Fake.parcela(["charges", "list", "--extra-field", "ORDER.1001"], {
        play: shown("listCharges")
      })
      assert.include(listed.requests[0]?.url, "ExtraFields=ORDER.1001")
      assert.include(listed.out, "example-charge")
    })
  )
})
