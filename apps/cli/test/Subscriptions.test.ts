import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { respond } from "./Contracts.ts"
import * as Fake from "./Fake.ts"

const wordsOf = (text: string) => text.split(" ")

// 02:00 UTC on the 21st is still the 20th in São Paulo.
const late = TestClock.setTime(Date.UTC(2026, 10, 21, 2))

const noSandbox = (request: Fake.SentRequest): Fake.Played =>
  request.url.includes("/sandbox/") ? [404, { error: { message: "nothing" } }] : respond(request)

const created = (words: string) => Fake.parcela(["subscriptions", "create", ...wordsOf(words)], { play: noSandbox })

describe("parcela subscriptions create", () => {
  it.effect("uses price and dates of the plan, and begins on the company's day", () =>
    Effect.gen(function* () {
      yield* late
      const { requests, code, out } = yield* created(
        "--my-id c --plan box --method creditcard --customer-my-id maria --card-my-id card-1"
      )
      assert.strictEqual(code, 0)
      assert.isTrue(requests.at(-1)?.url.endsWith("/v2/subscriptions"))
      assert.deepStrictEqual(requests.at(-1)?.body, {
        myId: "c",
        planMyId: "box",
        firstPayDayDate: "2026-11-20",
        mainPaymentMethodId: "creditcard",
        Customer: { myId: "maria" },
        PaymentMethodCreditCard: { Card: { myId: "card-1" } }
      })
      assert.match(out, /^price +R\$ 49,90 monthly$/mu)
      assert.match(out, /^payments +1, without end$/mu)
      assert.match(out, /^\d+ +\S+ +notSend +R\$ 49,90 +2031-01-31$/mu)
    })
  )

  it.effect("accepts its own price and dates", () =>
    Effect.gen(function* () {
      const { requests } = yield* created(
        "--my-id c --value 4990 --periodicity yearly --quantity 3 --first-payday 2030-01-31 --method pix --customer-id 2 --extra-field ORDER=1001"
      )
      assert.deepStrictEqual(
        requests.map(({ body }) => body),
        [
          {
            myId: "c",
            value: 4990,
            periodicity: "yearly",
            quantity: 3,
            firstPayDayDate: "2030-01-31",
            mainPaymentMethodId: "pix",
            Customer: { svcPayId: 2 },
            ExtraFields: [{ tagName: "ORDER", tagValue: "1001" }]
          }
        ]
      )
      const wrong = yield* created("--my-id c --value 0 --first-payday soon --method pix --extra-field ORDER")
      assert.deepStrictEqual([wrong.code, wrong.requests], [2, []])
      for (const part of ["Subscription.value", "Subscription.firstPayDayDate", "tagValue"]) {
        assert.include(wrong.err, part)
      }
    })
  )
})

describe("parcela subscriptions edit and edit-payment", () => {
  it.effect("change only the given fields", () =>
    Effect.gen(function* () {
      const bodyOf = (words: string) =>
        Effect.map(Fake.parcela(["subscriptions", ...wordsOf(words)], { play: respond }), ({ requests }) => [
          requests[0]?.method,
          requests[0]?.body
        ])
      assert.deepStrictEqual(yield* bodyOf("edit c --my-id d --info note"), [
        "PUT",
        { myId: "d", additionalInfo: "note" }
      ])
      assert.deepStrictEqual(yield* bodyOf("edit-payment c --value 5990 --plan-id 4 --method pix"), [
        "PUT",
        { value: 5990, planSvcPayId: 4, mainPaymentMethodId: "pix" }
      ])
      assert.deepStrictEqual(yield* bodyOf("edit-payment c --card-installments 3 --pre-authorize --card-my-id x"), [
        "PUT",
        { PaymentMethodCreditCard: { Card: { myId: "x" }, qtdInstallments: 3, preAuthorize: true } }
      ])
    })
  )
})

describe("parcela plans", () => {
  it.effect("accepts prices by payment method, and shows them", () =>
    Effect.gen(function* () {
      const prices = "--price creditcard=12990 --price creditcard/12=13990 --price pix=11990"
      const { requests, out } = yield* Fake.parcela(
        wordsOf(`plans create --name box --periodicity monthly --quantity 0 ${prices}`),
        { play: respond }
      )
      assert.deepStrictEqual(requests[0]?.body, {
        name: "box",
        periodicity: "monthly",
        quantity: 0,
        PlanPrices: [
          { payment: "creditcard", value: 12990 },
          { payment: "creditcard", value: 13990, installment: 12 },
          { payment: "pix", value: 11990 }
        ]
      })
      assert.include(out, "creditcard R$ 129,90, pix R$ 119,90")
      for (const price of ["12990", "cash=1", "pix=R$1"]) {
        const wrong = yield* Fake.parcela(["plans", "edit", "box", "--price", price])
        assert.deepStrictEqual([wrong.code, wrong.requests], [2, []], price)
        assert.include(wrong.err, "PlanPrices")
      }
    })
  )
})

describe("a transaction", () => {
  const one = { svcPayId: 4, myId: "p", value: 100, payday: "2026-11-20", status: "captured" }

  it.effect("is shown with the charge or the subscription that it belongs to", () =>
    Effect.gen(function* () {
      const Transactions = [
        { ...one, chargeMyId: "order-1", chargeSvcPayId: 7 },
        { ...one, chargeMyId: null, chargeSvcPayId: 7 },
        { ...one, subscriptionMyId: "contract-1", subscriptionSvcPayId: 1 },
        one
      ]
      const { out } = yield* Fake.parcela(["transactions", "list"], { play: () => [200, { Transactions }] })
      const at = out.split("\n")[0]?.indexOf("BELONGS TO") ?? -1
      assert.deepStrictEqual(
        out
          .split("\n")
          .slice(1)
          .map((line) => line.slice(at).trimEnd()),
        ["charge order-1", "charge 7", "subscription contract-1", ""]
      )
    })
  )

  it.effect("that is partly refunded shows the refunded amounts", () =>
    Effect.gen(function* () {
      const ConciliationOccurrences = [
        { type: "payment", liquidValue: 90 },
        { type: "canceled", liquidValue: 30 },
        { type: "canceled", liquidValue: 10 }
      ]
      const Transaction = { ...one, ConciliationOccurrences }
      const play = () => [200, { type: true, Transaction, PaymentMethodCreditCard: { Card: {} } }] as const
      const part = yield* Fake.parcela(wordsOf("transactions reverse p --value 40"), { play })
      assert.include(part.out, "R$ 0,40 are reversed.")
      assert.match(part.out, /^taken back +R\$ 0,40$/mu)
      const whole = yield* Fake.parcela(wordsOf("transactions reverse p"), { play })
      assert.include(whole.out, "The remaining amount is reversed.")
    })
  )
})
