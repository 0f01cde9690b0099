import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { inPortuguese } from "@parcela/core/language/Translation"
import { Effect } from "effect"
import { byCard, byPix, cards, charge, today } from "@parcela/test-world/Samples"
import { onServer, server, signIn } from "@parcela/test-world/Server"

const page = "/v2/charges?startAt=0&limit=10"

/** The fields of a charge that the tests read. */
interface Shown {
  readonly myId: string
  readonly status: string
  readonly Transactions: readonly [{ readonly status: string }]
}

const byBoleto = { ...byPix(), mainPaymentMethodId: "boleto" }

layer(server())("charges", (it) => {
  it.effect("are created with their payment, which is charged at once if it is due", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json, status } = yield* call("POST", "/v2/charges", { body: charge(byCard(cards.captured)) })
      assert.strictEqual(status, 200)
      const { Charge, type } = json
      assert.isTrue(type)
      assert.deepInclude(Charge, { myId: "c", status: "closed", value: 1990, paymentLink: null })
      assert.strictEqual(Charge.PaymentMethodCreditCard.Card.number, "4111********1111")
      assert.lengthOf(Charge.Transactions, 1)
      const [payment] = Charge.Transactions
      assert.deepInclude(payment, { status: "captured", value: 1990, payday: today, installment: 1 })
      assert.deepInclude(payment, { chargeMyId: "c", chargeSvcPayId: Charge.svcPayId })
      assert.notProperty(payment, "subscriptionSvcPayId")
    })
  )

  it.effect("pass their text to their payment when they are created and edited", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const made = yield* call("POST", "/v2/charges", { body: { ...charge(byBoleto), additionalInfo: "order 7" } })
      assert.strictEqual(made.json.Charge.additionalInfo, "order 7")
      assert.strictEqual(made.json.Charge.Transactions[0].additionalInfo, "order 7")
      const edited = yield* call("PUT", "/v2/charges/c/myId", { body: { additionalInfo: "order 8" } })
      assert.strictEqual(edited.json.Charge.additionalInfo, "order 8")
      assert.strictEqual(edited.json.Charge.Transactions[0].additionalInfo, "order 8")
    })
  )

  it.effect("return a 200 with the denial in the payment", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json, status } = yield* call("POST", "/v2/charges", { body: charge(byCard(cards.denied)) })
      const [payment] = json.Charge.Transactions
      assert.deepStrictEqual([status, json.Charge.status, payment.status], [200, "active", "denied"])
      assert.isString(payment.reasonDenied)
      assert.isString(payment.AbecsReasonDenied.code)
    })
  )

  it.effect("show the code of a boleto and of a Pix", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const boleto = yield* call("POST", "/v2/charges", { body: charge(byBoleto, "boleto") })
      assert.match(boleto.json.Charge.Transactions[0].Boleto.bankLine, /^\d{47}$/)
      const pix = yield* call("POST", "/v2/charges", { body: charge(byPix(), "pix") })
      assert.containsAllKeys(pix.json.Charge.Transactions[0].Pix, ["qrCode", "reference", "image", "page"])
    })
  )

  it.effect("report every problem of a request at once, under Charge, Customer and Card", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const Card = { number: "1", holder: "ANA", expiresAt: "2030-13", cvv: "x" }
      const { json, status } = yield* call("POST", "/v2/charges", {
        body: {
          value: 0,
          payday: "2026-02-30",
          mainPaymentMethodId: "cash",
          Customer: { document: "1" },
          PaymentMethodCreditCard: { Card, preAuthorize: "maybe" },
          ExtraFields: [{ tagName: "" }]
        }
      })
      assert.strictEqual(status, 400)
      assert.includeMembers(Object.keys(json.error.details), [
        "Charge.myId",
        "Charge.value",
        "Charge.payday",
        "Charge.mainPaymentMethodId",
        "Customer.document",
        "Card.number",
        "Card.expiresAt",
        "Card.cvv",
        "PaymentMethodCreditCard.preAuthorize"
      ])
    })
  )

  it.effect(
    "accept numbers as text, null, and an empty list for an absent card, which clients of the family send",
    () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        const terms = { ...byCard(cards.captured).PaymentMethodCreditCard, qtdInstallments: "3" }
        const made = yield* call("POST", "/v2/charges", {
          body: {
            ...charge(byCard(cards.captured)),
            value: "1990",
            additionalInfo: null,
            PaymentMethodCreditCard: terms
          }
        })
        assert.strictEqual(made.status, 200)
        assert.strictEqual(made.json.Charge.PaymentMethodCreditCard.qtdInstallments, 3)
        const noCard = { ...charge(byCard(cards.captured), "d"), PaymentMethodCreditCard: { Card: [] } }
        const { json } = yield* call("POST", "/v2/charges", { body: noCard })
        const { paymentLink, status, Transactions } = json.Charge
        assert.deepStrictEqual(
          { paymentLink, status, payment: Transactions[0].status },
          { paymentLink: null, status: "waitingPayment", payment: "notSend" }
        )
      })
  )

  it.effect("are created once under a key, and a repeat returns the stored response", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const headers = { "idempotency-key": "k" }
      const body = charge(byCard(cards.captured))
      const first = yield* call("POST", "/v2/charges", { body, headers })
      const again = yield* call("POST", "/v2/charges", { body, headers })
      assert.deepStrictEqual([again.status, again.text], [200, first.text])
      const other = yield* call("POST", "/v2/charges", { body: { ...body, value: 1991 }, headers })
      assert.strictEqual(other.status, 422)
      const taken = yield* call("POST", "/v2/charges", { body })
      assert.deepStrictEqual(taken.json.error.details, { "Charge.myId": ['"c" is already in use'] })
    })
  )

  it.effect("are authorized first with preAuthorize, and then captured or released", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { PaymentMethodCreditCard } = byCard(cards.captured)
      const held = (myId: string) => ({
        ...charge(byCard(cards.captured), myId),
        PaymentMethodCreditCard: { ...PaymentMethodCreditCard, preAuthorize: true }
      })
      const statusOf = ({ json }: { readonly json: { readonly Charge: Shown } }) => [
        json.Charge.status,
        json.Charge.Transactions[0].status
      ]
      assert.deepStrictEqual(statusOf(yield* call("POST", "/v2/charges", { body: held("a") })), [
        "active",
        "authorized"
      ])
      assert.deepStrictEqual(statusOf(yield* call("PUT", "/v2/charges/a/myId/capture")), ["closed", "captured"])
      const { json } = yield* call("POST", "/v2/charges", { body: held("b") })
      const { svcPayId } = json.Charge
      const released = yield* call("PUT", `/v2/charges/${svcPayId}/svcPayId/reverse`, { body: {} })
      assert.deepStrictEqual(statusOf(released), ["closed", "reversed"])
    })
  )

  it.effect("are retried, and reversed in part or in full, without a body and with an empty list", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/charges", { body: charge(byCard(cards.deniedAtFirst)) })
      const retried = yield* call("PUT", "/v2/charges/c/myId/retry", { body: [] })
      assert.deepInclude(retried.json.Charge, { status: "closed" })
      assert.strictEqual(retried.json.Charge.Transactions[0].status, "captured")
      const part = yield* call("PUT", "/v2/charges/c/myId/reverse", { body: { valueToReverse: 990 } })
      assert.deepInclude(part.json.Charge.Transactions[0], { status: "captured", reversedValue: 990 })
      const misspelled = yield* call("PUT", "/v2/charges/c/myId/reverse", { body: { value: 100 } })
      assert.strictEqual(misspelled.status, 400)
      const rest = yield* call("PUT", "/v2/charges/c/myId/reverse", { body: [] })
      assert.isTrue(rest.json.type)
      assert.deepInclude(rest.json.Charge.Transactions[0], { status: "reversed", reversedValue: 1990 })
    })
  )

  it.effect("change with their payment while it is open, and their own fields can always be edited", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const later = { ...charge(byCard(cards.captured)), payday: "2026-10-21" }
      yield* call("POST", "/v2/charges", { body: later })
      const edited = yield* call("PUT", "/v2/charges/c/myId", {
        body: { value: 2990, payday: "2026-11-21", myId: "d", additionalInfo: "a", mainPaymentMethodId: "creditcard" }
      })
      assert.deepInclude(edited.json.Charge, { myId: "d", value: 2990, additionalInfo: "a", status: "active" })
      assert.deepInclude(edited.json.Charge.Transactions[0], { value: 2990, payday: "2026-11-21", status: "notSend" })
      const due = yield* call("PUT", "/v2/charges/d/myId", { body: { payday: today } })
      assert.deepStrictEqual([due.json.Charge.status, due.json.Charge.Transactions[0].status], ["closed", "captured"])
      const fields = { ExtraFields: [{ tagName: "ORDER", tagValue: "7" }] }
      const noted = yield* call("PUT", "/v2/charges/d/myId", { body: fields })
      assert.deepInclude(noted.json.Charge, { ...fields, value: 2990, status: "closed" })
      const found = yield* call("GET", `${page}&ExtraFields=ORDER.7`)
      assert.deepStrictEqual(found.json.Charges, [noted.json.Charge])
      const paid = yield* call("PUT", "/v2/charges/d/myId", { body: { value: 100 } })
      assert.strictEqual(paid.status, 400)
      yield* call("POST", "/v2/charges", { body: charge(byPix(), "e") })
      const taken = yield* call("PUT", "/v2/charges/e/myId", { body: { myId: "d" } })
      assert.deepStrictEqual(taken.json.error.details, { "Charge.myId": ['"d" is already in use'] })
    })
  )

  it.effect("are marked as paid outside by an edit, after their registration is withdrawn", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/charges", { body: charge(byPix()) })
      const { json } = yield* call("PUT", "/v2/charges/c/myId", { body: { payedOutsideSvcPay: true, payday: today } })
      assert.deepInclude(json.Charge, { status: "closed", payedOutsideSvcPay: true })
      assert.strictEqual(json.Charge.Transactions[0].status, "payExternal")
    })
  )

  it.effect("are cancelled with their payment, but not after they are paid", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/charges", { body: charge(byPix(), "pix") })
      yield* call("POST", "/v2/charges", { body: charge(byCard(cards.denied), "denied") })
      yield* call("POST", "/v2/charges", { body: charge(byCard(cards.captured), "paid") })
      for (const path of ["pix/myId/", "denied/myId"]) {
        const { json, status } = yield* call("DELETE", `/v2/charges/${path}`)
        assert.deepStrictEqual([status, json], [200, { type: true }], path)
      }
      const paid = yield* call("DELETE", "/v2/charges/paid/myId")
      assert.strictEqual(paid.status, 400)
      assert.deepStrictEqual(paid.json.error.details, {
        "Transaction.status": ["a transaction that is captured cannot be cancelled: return the amount with /reverse"]
      })
      const { json } = yield* call("GET", page)
      assert.deepStrictEqual(
        json.Charges.map(({ myId, status, Transactions: [payment] }: Shown) => [myId, status, payment.status]),
        [
          ["pix", "canceled", "cancelByContract"],
          ["denied", "canceled", "cancelByContract"],
          ["paid", "closed", "captured"]
        ]
      )
    })
  )

  it.effect("return a 404 when they are cancelled already, with the message that public clients compare", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/charges", { body: charge(byPix()) })
      const headers = { "idempotency-key": "k" }
      const first = yield* call("DELETE", "/v2/charges/c/myId", { headers })
      const again = yield* call("DELETE", "/v2/charges/c/myId")
      assert.deepStrictEqual([first.status, again.status], [200, 404])
      const words = "No charge was found to be cancelled."
      assert.strictEqual(inPortuguese(words), "Nenhuma cobrança avulsa encontrada para cancelar.")
      assert.deepStrictEqual(again.json.error, { message: words, details: { "Charge.status": [words] } })
      const repeated = yield* call("DELETE", "/v2/charges/c/myId", { headers })
      assert.deepStrictEqual([repeated.status, repeated.text], [200, first.text])
    })
  )

  it.effect("that are authorized are refused with the alternative to a cancellation", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { PaymentMethodCreditCard } = byCard(cards.captured)
      const held = { ...PaymentMethodCreditCard, preAuthorize: true }
      const body = { ...charge(byCard(cards.captured)), PaymentMethodCreditCard: held }
      yield* call("POST", "/v2/charges", { body })
      const { json, status } = yield* call("DELETE", "/v2/charges/c/myId")
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(json.error.details, {
        "Transaction.status": [
          "a transaction that is authorized cannot be cancelled: release the amount with /reverse, or capture it with /capture"
        ]
      })
    })
  )

  it.effect("report a problem of a reversed amount under valueToReverse", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/charges", { body: charge(byCard(cards.captured)) })
      const { json } = yield* call("GET", page)
      const [payment] = json.Charges[0].Transactions
      for (const [path, key] of [
        ["charges/c/myId", "Charge.valueToReverse"],
        [`transactions/${payment.svcPayId}/svcPayId`, "Transaction.valueToReverse"]
      ] as const) {
        for (const [valueToReverse, words] of [
          [-1, "must be at least one cent"],
          [0, "must be at least one cent"],
          [1991, "must be from 1 to 1990, the amount in cents that can still be reversed"]
        ] as const) {
          const refused = yield* call("PUT", `/v2/${path}/reverse`, { body: { valueToReverse } })
          assert.deepStrictEqual([refused.status, refused.json.error.details], [400, { [key]: [words] }])
        }
      }
    })
  )

  it.effect("are cancelled when their transaction is cancelled", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const made = yield* call("POST", "/v2/charges", { body: charge(byPix()) })
      yield* call("DELETE", `/v2/transactions/${made.json.Charge.Transactions[0].svcPayId}/svcPayId`)
      const { json } = yield* call("GET", page)
      assert.deepStrictEqual([json.Charges[0].status], ["canceled"])
    })
  )

  it.effect("are listed with their payments, also by the company's own fields", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const fields = { ExtraFields: [{ tagName: "ORDER", tagValue: "1.5" }] }
      const first = yield* call("POST", "/v2/charges", { body: { ...charge(byCard(cards.captured), "a"), ...fields } })
      yield* call("POST", "/v2/charges", { body: charge(byPix(), "b") })
      const found = yield* call("GET", `${page}&ExtraFields=ORDER.1.5,ORDER.2&myIds=&status=`)
      assert.deepStrictEqual(found.json, { totalQtdFoundInPage: 1, Charges: [first.json.Charge] })
      const none = yield* call("GET", `${page}&ExtraFields=ORDER.9&status=active`)
      assert.deepStrictEqual(none.json, { totalQtdFoundInPage: 0, Charges: [] })
      const faulty = yield* call("GET", `${page}&ExtraFields=ORDER`)
      assert.deepStrictEqual(Object.keys(faulty.json.error.details), ["Charge.ExtraFields"])
    })
  )

  it.effect("are visible to one company only", () =>
    Effect.gen(function* () {
      const mine = yield* signIn()
      const other = yield* signIn()
      const made = yield* mine.call("POST", "/v2/charges", { body: charge(byPix()) })
      const { svcPayId } = made.json.Charge
      for (const ref of ["c/myId", `${svcPayId}/svcPayId`]) {
        for (const [method, path] of [
          ["PUT", ""],
          ["PUT", "/retry"],
          ["PUT", "/reverse"],
          ["PUT", "/capture"],
          ["DELETE", ""]
        ] as const) {
          const { status } = yield* other.call(method, `/v2/charges/${ref}${path}`, { body: {} })
          assert.strictEqual(status, 404, `${method} ${ref}${path}`)
        }
      }
      assert.deepStrictEqual((yield* other.call("GET", page)).json.Charges, [])
      assert.strictEqual((yield* other.call("POST", "/v2/charges", { body: charge(byPix()) })).status, 200)
    })
  )
})

layer(server())("charges under the family's names", (it) => {
  it.effect("have galaxPayId, and payedOutsideGalaxPay marks them as paid", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const body = { ...charge(byCard(cards.captured)), payedOutsideGalaxPay: true }
      const { json } = yield* call("POST", "/v2/charges", { body })
      const { galaxPayId, payedOutsideGalaxPay, Transactions } = json.Charge
      assert.isNumber(galaxPayId)
      assert.deepStrictEqual([payedOutsideGalaxPay, Transactions[0].status], [true, "payExternal"])
      assert.strictEqual(Transactions[0].chargeGalaxPayId, galaxPayId)
    }).pipe(onServer({ naming: galaxPay }))
  )
})
