/** Requests as code of the family writes them. */
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { address, ana, byCard, byPix, cards, charge, payment } from "@parcela/test-world/Samples"
import { basic, call, server, signIn } from "@parcela/test-world/Server"

const create = "/v2/subscriptions/manual"
const add = "/v2/transactions/sub/myId/add"

/** Returns the unknown keys that a response names. */
const reported = ({ headers }: { readonly headers: Headers }): string | null => headers.get("x-unknown-keys")

layer(server())("a tolerant server", (it) => {
  it.effect("accepts a number as myId, and returns text", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const created = yield* call("POST", create, { body: { ...byPix(), myId: 12 } })
      assert.deepStrictEqual([created.status, created.json.Subscription.myId], [200, "12"])
      assert.isNull(reported(created))
      const added = yield* call("POST", "/v2/transactions/12/myId/add", { body: { ...payment("p"), value: "1990" } })
      assert.deepStrictEqual([added.status, added.json.Transaction.value], [200, 1990])
    })
  )

  it.effect("accepts payday as the first day of a subscription without firstPayDayDate", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const body = { ...byPix(), value: 1990, quantity: 0, periodicity: "monthly", payday: "2099-03-31" }
      const created = yield* call("POST", "/v2/subscriptions", { body })
      assert.deepStrictEqual([created.status, created.json.Subscription?.firstPayDayDate], [200, "2099-03-31"])
      assert.isNull(reported(created))
      const both = { ...body, myId: "both", firstPayDayDate: "2099-04-01" }
      const given = yield* call("POST", "/v2/subscriptions", { body: both })
      assert.deepStrictEqual([given.status, given.json.Subscription?.firstPayDayDate], [200, "2099-04-01"])
    })
  )

  it.effect("accepts null and [] for absent fields, and reports a required field", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const body = {
        ...byPix(),
        additionalInfo: null,
        PaymentMethodCreditCard: { Card: [] },
        PaymentMethodBoleto: [],
        Transactions: [],
        Customer: { ...ana, Address: null, phones: null }
      }
      assert.strictEqual((yield* call("POST", create, { body })).status, 200)
      const refused = yield* call("POST", create, { body: { ...byPix(), Customer: null } })
      assert.deepStrictEqual(refused.json.error.details, { "Subscription.Customer": ["is required"] })
    })
  )

  it.effect("accepts a returned subscription with a change, but no payments", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byPix() })
      yield* call("POST", add, { body: payment("p") })
      const shown = (yield* call("GET", "/v2/subscriptions?startAt=0&limit=1")).json.Subscriptions[0]
      const edit = (Transactions: unknown) =>
        call("PUT", "/v2/subscriptions/sub/myId", { body: { ...shown, additionalInfo: "new", Transactions } })
      assert.lengthOf(shown.Transactions, 1)
      const edited = yield* edit(shown.Transactions)
      assert.deepStrictEqual([edited.status, edited.json.Subscription.additionalInfo], [200, "new"])
      assert.include(reported(edited), "Subscription.Transactions")
      const refused = yield* edit([...shown.Transactions, payment("q")])
      assert.property(refused.json.error.details, "Subscription.Transactions")
    })
  )

  it.effect("accepts the documented fields that the interface does not list", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const ExtraFields = [{ tagName: "CONTRACT", tagValue: "7" }]
      const InvoiceConfig = { description: "Course", type: "onePerTransaction", createOn: "payment" }
      const Discount = { qtdDaysBeforePayDay: 2, type: "percent", value: 250 }
      const terms = {
        Link: { minInstallment: 1, maxInstallment: 3 },
        qtdInstallments: "2",
        preAuthorize: false,
        cardOperatorId: "cielo",
        Antifraud: { ip: "203.0.113.7", sessionId: "s" }
      }
      const { PaymentMethodCreditCard, ...body } = byCard("4111111111111111")
      const created = yield* call("POST", create, {
        body: {
          ...body,
          ExtraFields,
          InvoiceConfig,
          Split: { type: "percent", value: 1000 },
          PaymentMethodCreditCard: { ...PaymentMethodCreditCard, ...terms },
          PaymentMethodBoleto: { documentNumber: "12", Aggrement: { name: "a", document: ana.document }, Discount },
          PaymentMethodPix: { Discount },
          Customer: { ...ana, ExtraFields, invoiceHoldIss: false, municipalDocument: "12", password: "secret" }
        }
      })
      assert.deepStrictEqual([created.status, reported(created)], [200, null])
      assert.notInclude(JSON.stringify(created.json), "secret")
      const added = yield* call("POST", add, {
        body: { ...payment("p"), InvoiceConfig, PaymentMethodCreditCard: { ...terms, qtdInstallments: 1 } }
      })
      assert.deepStrictEqual([added.status, reported(added)], [200, null])
    })
  )

  it.effect("refuses the hash of a card with any other fields, and names the fields to send", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const others of [{}, { myId: "card" }, byCard("4111111111111111").PaymentMethodCreditCard.Card]) {
        const body = {
          ...byCard("4111111111111111"),
          PaymentMethodCreditCard: { Card: { ...others, hash: "9f86d081884c7d65" } }
        }
        const refused = yield* call("POST", create, { body })
        assert.strictEqual(refused.status, 400)
        assert.match(refused.json.error.details["Card.hash"][0], /are not accepted: send number/u)
        assert.notInclude(JSON.stringify(refused.json), "9f86d081884c7d65")
      }
    })
  )

  it.effect("accepts telephone numbers as text, with and without the country code", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const phones = ["11987654321", 5511987654322, "551133334444", 1133335555]
      const created = yield* call("POST", create, { body: { ...byPix(), Customer: { ...ana, phones } } })
      assert.deepStrictEqual(
        created.json.Subscription.Customer.phones,
        [11987654321, 11987654322, 1133334444, 1133335555]
      )
    })
  )

  it.effect("ignores empty items of a list, and requires an item if the list needs one", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const emails = ["ana@example.com", null, ""]
      const body = { ...byPix(), Customer: { ...ana, emails, phones: ["11987654321", null, ""] } }
      const created = yield* call("POST", create, { body })
      assert.deepInclude(created.json.Subscription.Customer, { emails: ["ana@example.com"], phones: [11987654321] })
      const refused = yield* call("POST", create, { body: { ...byPix(), Customer: { ...ana, emails: [""] } } })
      assert.deepStrictEqual(refused.json.error.details, {
        "Customer.emails": ["must have at least one e-mail address"]
      })
    })
  )

  it.effect("accepts a card number, CVV and postal code as numbers that lost no digit", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const body = byCard(cards.captured)
      const Card = { ...body.PaymentMethodCreditCard.Card, number: Number(cards.captured), cvv: 951 }
      const Customer = { ...ana, Address: { ...address, zipCode: 95500000 } }
      const created = yield* call("POST", create, { body: { ...body, PaymentMethodCreditCard: { Card }, Customer } })
      assert.deepStrictEqual(
        [created.status, created.json.Subscription?.Customer.Address.zipCode],
        [200, "95500000"],
        created.text
      )
    })
  )

  it.effect("takes an address of nulls, and a card without fields, for absent ones", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/customers", { body: ana })
      const Address = { zipCode: null, street: null, number: null, neighborhood: null, city: null, state: null }
      const edited = yield* call("PUT", "/v2/customers/ana/myId", { body: { name: "Ana Lima", Address } })
      assert.deepStrictEqual([edited.status, edited.json.Customer?.name], [200, "Ana Lima"])
      const body = { ...byCard(cards.captured), PaymentMethodCreditCard: { Card: {} } }
      const created = yield* call("POST", create, { body })
      assert.deepStrictEqual([created.status, created.json.Subscription?.status], [200, "waitingPayment"])
    })
  )

  it.effect("reads a product of JavaScript as cents, and a truth value as text or number", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byPix() })
      const cents = { ...payment("cents"), value: 19.99 * 100 }
      assert.deepStrictEqual((yield* call("POST", add, { body: cents })).json.Transaction?.value, 1999)
      const fraction = { ...payment("fraction"), value: 1998.5 }
      assert.strictEqual((yield* call("POST", add, { body: fraction })).status, 400)
      for (const [sent, expected] of [
        ["false", false],
        [0, false],
        ["true", true],
        [1, true]
      ] as const) {
        const body = { ...payment(`outside-${String(sent)}`), payedOutsideSvcPay: sent }
        const added = yield* call("POST", add, { body })
        assert.strictEqual(added.json.Transaction?.payedOutsideSvcPay, expected, String(sent))
      }
      const unclear = { ...payment("unclear"), payedOutsideSvcPay: "no" }
      assert.strictEqual((yield* call("POST", add, { body: unclear })).status, 400)
    })
  )

  it.effect("does not accept a number as CVV or postal code that lost a leading zero", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const body = byCard(cards.captured)
      const Card = { ...body.PaymentMethodCreditCard.Card, cvv: 51 }
      const Address = { zipCode: 1001000, street: "a", number: 1, neighborhood: "b", city: "c", state: "SP" }
      const numbers = { ...body, PaymentMethodCreditCard: { Card }, Customer: { ...ana, Address } }
      const refused = yield* call("POST", create, { body: numbers })
      assert.hasAllKeys(refused.json.error.details, ["Card.cvv", "Address.zipCode"])
    })
  )

  it.effect("never accepts an invalid value: an amount with a comma, an impossible date", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byPix() })
      const values = [
        { value: "19,90" },
        { value: "019" },
        { value: " 19" },
        { value: "1e3" },
        { value: 19.9 },
        { payday: 20260921 },
        { payday: "2026-02-30" }
      ]
      for (const [index, wrong] of values.entries()) {
        const answer = yield* call("POST", add, { body: { ...payment(`p${index}`), ...wrong } })
        assert.hasAllKeys(answer.json.error.details, [`Transaction.${Object.keys(wrong)[0]}`], JSON.stringify(wrong))
      }
    })
  )

  it.effect("ignores unknown keys and returns their names, without values", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const body = {
        ...byPix(),
        aditionalInfo: "x",
        Customer: {
          ...ana,
          Address: {
            complementary: "secret",
            zipCode: "01001000",
            street: "a",
            number: "1",
            neighborhood: "b",
            city: "c",
            state: "SP"
          }
        }
      }
      const created = yield* call("POST", create, { body })
      assert.strictEqual(created.status, 200)
      assert.strictEqual(reported(created), "Address.complementary, Subscription.aditionalInfo")
    })
  )

  it.effect("limits and encodes the returned names, and hides digits that may be of a card", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const keys = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}é\r\n`, 1]))
      const named = reported(yield* call("POST", create, { body: { ...byPix(), "4111111111111111": 1, ...keys } }))
      assert.notInclude(named ?? "", "411111")
      assert.match(named ?? "", /^[\x20-\x7e]{1,2000}, and 31 more$/)
    })
  )

  it.effect(
    "refuses an unknown key that is similar to a key of money, of a date or of an outside payment, and names that key",
    () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        yield* call("POST", create, { body: byPix() })
        for (const [key, value, meant] of [
          ["Value", 1, "value"],
          ["valor", 1, "value"],
          ["payDay", "2026-09-21", "payday"],
          ["paidOutsideSvcPay", true, "payedOutsideSvcPay"],
          ["payedOutside", true, "payedOutsideSvcPay"]
        ] as const) {
          const answer = yield* call("POST", add, { body: { ...payment("near"), [key]: value } })
          assert.deepStrictEqual(answer.json.error.details, {
            [`Transaction.${key}`]: [`is not a field here: did you mean ${meant}?`]
          })
        }
        const near = yield* call("GET", "/v2/transactions?startAt=0&limit=1&payDayfrom=2026-01-01&colour=red")
        assert.hasAllKeys(near.json.error.details, ["Transaction.payDayfrom", "Transaction.colour"])
      })
  )

  it.effect("refuses a key that is similar to a filter, because the list would not be filtered", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const [key, meant] of [
        ["statuses", "status"],
        ["status[]", "status"],
        ["Status", "status"],
        ["myIDs", "myIds"],
        ["svcPayId", "svcPayIds"],
        ["galaxPayId", "svcPayIds"],
        ["subscriptionMyId", "subscriptionMyIds"]
      ] as const) {
        const listed = yield* call("GET", `/v2/transactions?startAt=0&limit=9&${encodeURIComponent(key)}=x`)
        assert.strictEqual(listed.status, 400, key)
        assert.deepStrictEqual(Object.values(listed.json.error.details), [
          [`is not a field here: did you mean ${meant}?`]
        ])
      }
    })
  )

  it.effect("refuses payments in the body of a manual subscription instead of ignoring them", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const refused = yield* call("POST", create, { body: { ...byPix(), Transactions: [{ value: 1 }] } })
      assert.hasAllKeys(refused.json.error.details, ["Subscription.Transactions"])
    })
  )

  it.effect("refuses the fine, the interest and the discount of a payment instead of ignoring them", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byPix() })
      for (const term of [
        { fine: 200 },
        { interest: 100 },
        { Discount: { type: "fixed", value: 1, qtdDaysBeforePayDay: 1 } },
        { PaymentMethodBoleto: { fine: 200 } },
        { PaymentMethodPix: { interest: 100 } }
      ]) {
        const [key] = Object.keys(term)
        const added = yield* call("POST", "/v2/transactions/sub/myId/add", { body: { ...payment("p"), ...term } })
        assert.strictEqual(added.status, 400)
        assert.match(added.json.error.details[`Transaction.${key}`][0], /PaymentMethodBoleto or PaymentMethodPix/u)
        const charged = yield* call("POST", "/v2/charges", { body: { ...charge(byPix(), key), ...term } })
        assert.strictEqual(charged.status, key?.startsWith("P") ? 200 : 400, charged.text)
      }
      const unsaid = { ...payment("p"), fine: null, PaymentMethodPix: [] }
      assert.strictEqual((yield* call("POST", "/v2/transactions/sub/myId/add", { body: unsaid })).status, 200)
    })
  )

  it.effect("accepts the other spelling in bodies, queries and paths", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const created = yield* call("POST", create, { body: byPix() })
      const { Customer, svcPayId } = created.json.Subscription
      const again = { ...byPix("other"), Customer: { galaxPayId: Customer.svcPayId } }
      assert.strictEqual((yield* call("POST", create, { body: again })).status, 200)
      const body = { ...payment("p"), payedOutsideGalaxPay: true }
      const added = yield* call("POST", `/v2/transactions/${svcPayId}/galaxPayId/add`, { body })
      assert.deepStrictEqual([added.status, added.json.Transaction.status], [200, "payExternal"])
      const listed = yield* call("GET", `/v2/subscriptions?startAt=0&limit=9&galaxPayIds=${svcPayId}`)
      assert.strictEqual(listed.json.totalQtdFoundInPage, 1)
    })
  )

  it.effect("refuses a field in both spellings with different values, under both", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byPix() })
      const problems = (...fields: ReadonlyArray<string>) =>
        Object.fromEntries(
          fields.map((field) => [field, ["is sent under two names with different values: send only one of them"]])
        )
      const Customer = { galaxPayId: 10, svcPayId: 11 }
      const ofCustomer = problems("Customer.svcPayId", "Customer.galaxPayId")
      const requests = [
        ["POST", create, { ...byPix("other"), Customer }, ofCustomer],
        ["POST", "/v2/charges", { ...charge(byPix("other")), Customer }, ofCustomer],
        [
          "POST",
          "/v2/charges",
          { ...charge(byPix("other")), planSvcPayId: 1, planGalaxPayId: "2" },
          problems("Charge.planSvcPayId", "Charge.planGalaxPayId")
        ],
        [
          "POST",
          add,
          { ...payment("q"), payedOutsideGalaxPay: true, payedOutsideSvcPay: false },
          problems("Transaction.payedOutsideSvcPay", "Transaction.payedOutsideGalaxPay")
        ],
        [
          "GET",
          "/v2/cards?startAt=0&limit=9&customerSvcPayIds=1&customerGalaxPayIds=2",
          undefined,
          problems("Card.customerSvcPayIds", "Card.customerGalaxPayIds")
        ]
      ] as const
      for (const [method, path, body, details] of requests) {
        const refused = yield* call(method, path, body === undefined ? {} : { body })
        assert.deepStrictEqual([refused.status, refused.json.error.details], [400, details])
      }
    })
  )

  it.effect("accepts a field in both spellings with one value, and returns the name of the ignored key", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { svcPayId } = (yield* call("POST", create, { body: byPix() })).json.Subscription.Customer
      const named = [
        { svcPayId, galaxPayId: String(svcPayId) },
        { svcPayId, galaxPayId: null },
        { svcPayId: null, galaxPayId: svcPayId }
      ]
      for (const [place, Customer] of named.entries()) {
        const created = yield* call("POST", create, { body: { ...byPix(`sub-${place}`), Customer } })
        assert.deepStrictEqual([created.status, created.json.Subscription?.Customer.svcPayId], [200, svcPayId])
        assert.strictEqual(reported(created), Customer.svcPayId === null ? null : "Customer.galaxPayId")
      }
    })
  )

  it.effect("ignores empty filters and empty items", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byPix() })
      const listed = yield* call(
        "GET",
        "/v2/subscriptions?startAt=0&&limit=9&myIds=sub,x,&svcPayIds=&status=&createdAtFrom=&colour="
      )
      assert.deepStrictEqual([listed.status, listed.json.totalQtdFoundInPage], [200, 1])
    })
  )

  it.effect("refuses an unknown filter and names the filters of the list, because the list would not be filtered", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const filter of ["subscriptionId=5", "name=Ana"]) {
        const refused = yield* call("GET", `/v2/cards?startAt=0&limit=9&${filter}`)
        assert.strictEqual(refused.status, 400, filter)
        assert.deepStrictEqual(refused.json.error.details, {
          [`Card.${filter.slice(0, filter.indexOf("="))}`]: [
            "is not a filter of this list: it has startAt, limit, myIds, svcPayIds, customerMyIds, customerSvcPayIds, status, createdAtFrom, createdAtTo, order"
          ]
        })
      }
    })
  )

  it.effect("finds a customer by a document with punctuation", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/customers", { body: { ...ana, document: "52998224725" } })
      const listed = yield* call("GET", "/v2/customers?startAt=0&limit=9&documents=529.982.247-25")
      assert.deepStrictEqual([listed.status, listed.json.totalQtdFoundInPage], [200, 1])
    })
  )

  it.effect(
    "refuses an empty filter by identifiers if it is the only filter, because the list would not be filtered",
    () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        yield* call("POST", create, { body: byPix() })
        for (const [list, filter, key] of [
          ["subscriptions", "myIds=", "Subscription.myIds"],
          ["subscriptions", "galaxPayIds=,", "Subscription.galaxPayIds"],
          ["subscriptions", "customerMyIds=&order=createdAt.desc", "Subscription.customerMyIds"],
          ["customers", "documents=", "Customer.documents"]
        ] as const) {
          const refused = yield* call("GET", `/v2/${list}?startAt=0&limit=9&${filter}`)
          assert.deepStrictEqual([refused.status, Object.keys(refused.json.error.details)], [400, [key]], filter)
        }
        for (const filter of ["myIds=&status=", "myIds=sub&svcPayIds=", "status="]) {
          const listed = yield* call("GET", `/v2/subscriptions?startAt=0&limit=9&${filter}`)
          assert.deepStrictEqual([listed.status, listed.json.totalQtdFoundInPage], [200, 1], filter)
        }
      })
  )

  it.effect("refuses null as the amount of a reversal, because the whole amount would be reversed", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byCard(cards.captured) })
      yield* call("POST", add, { body: payment("p") })
      const refused = yield* call("PUT", "/v2/transactions/p/myId/reverse", { body: { valueToReverse: null } })
      assert.deepStrictEqual(
        [refused.status, Object.keys(refused.json.error.details)],
        [400, ["Transaction.valueToReverse"]]
      )
      const { json } = yield* call("GET", "/v2/transactions?startAt=0&limit=1")
      assert.strictEqual(json.Transactions[0].status, "captured")
    })
  )

  it.effect("does not repeat the text of an invalid form", () =>
    Effect.gen(function* () {
      const { company } = yield* signIn()
      const answer = yield* call("POST", "/v2/token", {
        headers: {
          ...basic(company.clientId, Redacted.value(company.clientSecret)),
          "content-type": "application/x-www-form-urlencoded"
        },
        body: "4111111111111111"
      })
      assert.deepStrictEqual(answer.json.error.details, { "Token.body": ["is neither JSON nor a form"] })
    })
  )

  it.effect("treats both forms of a request under one key as the same request", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const headers = { "idempotency-key": "k" }
      const first = yield* call("POST", create, { headers, body: { ...byPix(), myId: 77, extra: 1 } })
      const again = yield* call("POST", create, { headers, body: { ...byPix(), myId: "77" } })
      assert.strictEqual(again.text, first.text)
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    })
  )

  it.effect("returns a 200 with the denial of a card", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byCard(cards.denied) })
      const added = yield* call("POST", add, { body: { ...payment("p"), value: "1990", DeadlineDays: 1 } })
      assert.deepStrictEqual([added.status, added.json.Transaction.status], [200, "denied"])
    })
  )
})

layer(server({ strictRequests: true }))("a strict server", (it) => {
  it.effect("accepts spaces in a card number, and the card of the public sandbox", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const number of ["4111 1111 1111 1111", "4211 1111 1111 1111"]) {
        const { json, status } = yield* call("POST", create, { body: byCard(number, number) })
        assert.strictEqual(status, 200)
        assert.match(json.Subscription.PaymentMethodCreditCard.Card.number, /^4[12]11\*{8}1111$/u)
      }
      const typo = yield* call("POST", create, { body: byCard("4111 1111 1111 1112") })
      assert.deepStrictEqual([typo.status, Object.keys(typo.json.error.details)], [400, ["Card.number"]])
    })
  )

  it.effect("forbids unknown keys of bodies in its OpenAPI document, unlike the default server", () =>
    Effect.gen(function* () {
      const { json } = yield* call("GET", "/openapi.json")
      assert.isFalse(json.components.schemas.AddPayment.additionalProperties)
    })
  )

  it.effect("refuses all of these forms", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byPix() })
      for (const wrong of [{ value: "1990" }, { extra: 1 }, { additionalInfo: null }, { payedOutsideGalaxPay: true }]) {
        assert.strictEqual((yield* call("POST", add, { body: { ...payment("p"), ...wrong } })).status, 400)
      }
      assert.strictEqual((yield* call("GET", "/v2/subscriptions?startAt=0&limit=1&status=")).status, 400)
      const unknown = yield* call("GET", "/v2/plans?startAt=0&limit=1&subscriptionId=5")
      assert.include(unknown.json.error.details["Plan.subscriptionId"][0], "it has startAt, limit, myIds")
    })
  )
})

layer(server({ allowedOrigins: ["https://shop.example"] }))("pages of other origins", (it) => {
  it.effect("receive a response to a preflight if they are allowed, and may read responses", () =>
    Effect.gen(function* () {
      const preflight = (origin: string) =>
        call("OPTIONS", "/v2/token", {
          headers: {
            origin,
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization"
          }
        })
      const allowed = yield* preflight("https://shop.example")
      assert.strictEqual(allowed.status, 204)
      assert.strictEqual(allowed.headers.get("access-control-allow-origin"), "https://shop.example")
      assert.include(allowed.headers.get("access-control-allow-headers") ?? "", "authorization")
      const other = yield* preflight("https://other.example")
      assert.deepStrictEqual([other.status, other.headers.get("access-control-allow-origin")], [405, null])
      const read = yield* call("GET", "/v2/transactions", { headers: { origin: "https://shop.example" } })
      assert.deepStrictEqual(
        [read.status, read.headers.get("access-control-allow-origin"), read.headers.get("vary")],
        [401, "https://shop.example", "origin"]
      )
    })
  )

  it.effect("may send every header that a preflight names, if the names are valid and few", () =>
    Effect.gen(function* () {
      const allowedOf = (names: string) =>
        Effect.map(
          call("OPTIONS", "/v2/token", {
            headers: {
              origin: "https://shop.example",
              "access-control-request-method": "POST",
              "access-control-request-headers": names
            }
          }),
          ({ headers }) => headers.get("access-control-allow-headers")?.split(", ") ?? []
        )
      assert.includeMembers(yield* allowedOf("authorization, Cache-Control,pragma"), ["cache-control", "pragma"])
      const always = yield* allowedOf("")
      assert.includeMembers(always, ["authorization", "content-type", "idempotency-key"])
      for (const wrong of ["a b", "x(y)", "x".repeat(65), Array.from({ length: 33 }, (_, i) => `x-${i}`).join()]) {
        assert.deepStrictEqual(yield* allowedOf(wrong), always, wrong)
      }
    })
  )
})
