import { assert, describe, it } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { operationExamples } from "@parcela/transport/Contract"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { callByOldHttp } from "../fixtures/RawRequest.ts"
import { call, onServer, token } from "@parcela/test-world/Server"

const of = "/sandbox/companies/sandbox"

const apply = (body: unknown) => call("POST", `${of}/fixtures`, { body })

const example = JSON.parse(readFileSync(new URL("../../../../examples/fixtures.json", import.meta.url), "utf8"))

interface Row {
  readonly kind: string
  readonly name: string
  readonly outcome: string
  readonly fields?: ReadonlyArray<string>
  readonly problem?: string
}

const rowsOf = Effect.fnUntraced(function* (body: unknown) {
  const { json, status, text } = yield* apply(body)
  assert.strictEqual(status, 200, text)
  return json.applied as ReadonlyArray<Row>
})

const outcomes = (rows: ReadonlyArray<Row>) => [...new Set(rows.map(({ outcome }) => outcome))]

/** The example requests of the documentation. */
const documented = (...names: ReadonlyArray<string>) =>
  names.map((name) => operationExamples.get(name)?.request as { readonly myId: string })

describe("the control of fixtures", () => {
  it.effect("creates the entities of the example once, and recognizes all of them again", () =>
    Effect.gen(function* () {
      const made = yield* rowsOf(example)
      assert.isAbove(made.length, 9)
      assert.deepStrictEqual(outcomes(made), ["created"])
      assert.deepStrictEqual(outcomes(yield* rowsOf(example)), ["alreadyThere"])
    }).pipe(onServer())
  )

  it.effect("accepts the names of another naming profile as its operations do, from this machine only", () =>
    Effect.gen(function* () {
      const [subscription] = documented("createManualSubscription")
      const paid = { subscription: subscription?.myId, myId: "paid", value: 1990, payedOutsideGalaxPay: true }
      const body = {
        manualSubscriptions: [subscription],
        payments: [{ ...paid, payday: "2027-03-10" }]
      }
      assert.deepStrictEqual(outcomes(yield* rowsOf(body)), ["created"])
      assert.match(yield* callByOldHttp(`${of}/fixtures`, {}, JSON.stringify(body)), /^HTTP\/1\.1 403 /)
    }).pipe(onServer({ naming: galaxPay }))
  )

  it.effect("recognizes every entity that the documentation's examples create", () =>
    Effect.gen(function* () {
      const body = {
        plans: documented("createPlan"),
        customers: documented("createCustomer"),
        manualSubscriptions: documented("createManualSubscription"),
        subscriptions: documented("createSubscription"),
        payments: documented("addTransaction").map((one) => ({
          ...one,
          subscription: documented("createManualSubscription")[0]?.myId
        })),
        charges: documented("createCharge")
      }
      const made = yield* rowsOf(body)
      assert.lengthOf(made, 6)
      assert.deepStrictEqual(outcomes(made), ["created"])
      assert.deepStrictEqual(outcomes(yield* rowsOf(body)), ["alreadyThere"])
    }).pipe(onServer())
  )

  it.effect("sets the company's identity if it has none, and leaves a different one unchanged", () =>
    Effect.gen(function* () {
      const company = { legalName: "Padaria Ana Ltda.", document: "12345678000195", city: "Recife" }
      const row = { kind: "company", name: "sandbox" }
      assert.deepStrictEqual(yield* rowsOf({ company }), [{ ...row, outcome: "created" }])
      assert.deepInclude((yield* call("GET", of)).json, company)
      assert.deepStrictEqual(yield* rowsOf({ company }), [{ ...row, outcome: "alreadyThere" }])
      const other = { ...company, city: "Olinda" }
      assert.deepStrictEqual(yield* rowsOf({ company: other }), [{ ...row, outcome: "differs", fields: ["city"] }])
      assert.deepInclude((yield* call("GET", of)).json, company)
      const { json, status } = yield* apply({ company: { document: "12345678000196" } })
      assert.strictEqual(status, 400)
      assert.hasAllKeys(json.error.details, ["Fixtures.document"])
    }).pipe(onServer())
  )

  it.effect("refuses a CNPJ with letters if they are not enabled", () =>
    Effect.gen(function* () {
      const [row] = yield* rowsOf({ company: { document: "12ABC34501DE35" } })
      assert.deepInclude(row, { kind: "company", outcome: "refused" })
      assert.match(row!.problem!, /^document must have digits only/u)
    }).pipe(onServer())
  )

  it.effect("reports different and refused entities, leaves them unchanged, and creates the others", () =>
    Effect.gen(function* () {
      yield* rowsOf(example)
      const [ana, bruno] = example.customers
      const [order] = example.charges
      const rows = yield* rowsOf({
        customers: [
          { ...ana, name: "Ana Lima", phones: [] },
          { ...bruno, myId: "another", emails: ["b@example.com"] }
        ],
        charges: [
          { ...order, value: 1, PaymentMethodPix: { ...order.PaymentMethodPix, fine: 100 } },
          { ...order, myId: "new" }
        ],
        faults: [{ ...example.faults[0], fault: { type: "Unavailable" } }]
      })
      assert.deepStrictEqual(
        rows.map(({ fields, name, outcome }) => [name, outcome, fields]),
        [
          ["ana", "differs", ["name", "phones"]],
          ["another", "refused", undefined],
          ["order-1", "differs", ["value", "PaymentMethodPix.fine"]],
          ["new", "created", undefined],
          ["charge: Unavailable", "created", undefined]
        ]
      )
      assert.match(rows[1]?.problem ?? "", /^Customer.document: customer 2 already has this document/)
      const { json } = yield* call("GET", "/v2/customers?startAt=0&limit=9&myIds=ana", { token: yield* token })
      assert.strictEqual(json.Customers[0].name, "Ana Souza")
    }).pipe(onServer())
  )

  it.effect("reports every error of a file with its path, and creates nothing", () =>
    Effect.gen(function* () {
      const answer = yield* apply({
        clock: "tomorrow",
        customers: [
          {
            myId: "a",
            name: "A",
            document: "1",
            emails: [],
            Address: { ...example.customers[0].Address, state: "Goiás" }
          },
          { name: "B", document: "39053344705", emails: ["b@example.com"] },
          { myId: "a", name: "", document: "52998224725", emails: ["b@example.com"] }
        ],
        charges: [
          { myId: "c", value: 0, payday: "soon", mainPaymentMethodId: "pix", Customer: { myId: "a" }, colour: "red" }
        ],
        endpoints: [
          { url: "nowhere", events: ["nonsense"] },
          { url: "http://127.0.0.1:8031/", events: Array.from({ length: 101 }, () => "transaction.updateStatus") }
        ],
        faults: [
          { call: "nothing", fault: { type: "Hang" } },
          { fault: { type: "Unavailable" }, from: "2027-01-02T00:00:00Z", until: "2027-01-01T00:00:00Z" }
        ],
        surprise: 1
      })
      assert.strictEqual(answer.status, 400)
      assert.sameMembers(Object.keys(answer.json.error.details), [
        "Fixtures.surprise",
        "Fixtures.clock",
        "customers[0].document",
        "customers[0].Address.state",
        "customers[0].emails",
        "customers[1].myId",
        "customers[2].name",
        "charges[0].colour",
        "charges[0].value",
        "charges[0].payday",
        "endpoints[0].url",
        "endpoints[0].events",
        "endpoints[1].events",
        "faults[0].call",
        "faults[0].isDone",
        "faults[1].until"
      ])
      const twice = yield* apply({ customers: [example.customers[0], example.customers[0]] })
      assert.deepStrictEqual(twice.json.error.details, {
        "Fixtures.customers": ["must be items with different myIds"]
      })
      const { json } = yield* call("GET", "/v2/customers?startAt=0&limit=9", { token: yield* token })
      assert.deepStrictEqual(json.Customers, [])
    }).pipe(onServer())
  )

  it.effect("creates each entity once when a file is applied twice concurrently", () =>
    Effect.gen(function* () {
      const both = yield* Effect.all([rowsOf(example), rowsOf(example)], { concurrency: "unbounded" })
      // A clock is advanced to one time and an identity set to one value, by either.
      const made = both.flat().filter(({ kind }) => kind !== "clock" && kind !== "company")
      assert.deepStrictEqual(new Set(outcomes(made)), new Set(["created", "alreadyThere"]))
      const names = made.filter(({ outcome }) => outcome === "created").map(({ kind, name }) => `${kind} ${name}`)
      assert.lengthOf(names, new Set(names).size)
      assert.lengthOf((yield* call("GET", `${of}/endpoints`)).json.endpoints, example.endpoints.length)
      assert.lengthOf((yield* call("GET", "/sandbox/faults")).json.faults, example.faults.length)
    }).pipe(onServer())
  )

  it.effect("recognizes an endpoint with repeated events in any order", () =>
    Effect.gen(function* () {
      const url = "http://127.0.0.1:8031/"
      const wanting = (...events: ReadonlyArray<string>) => rowsOf({ endpoints: [{ url, events }] })
      yield* wanting("transaction.updateStatus", "chargeback.update", "transaction.updateStatus")
      const again = yield* wanting("chargeback.update", "chargeback.update", "transaction.updateStatus")
      assert.deepStrictEqual(outcomes(again), ["alreadyThere"])
      const fewer = yield* wanting("chargeback.update")
      assert.deepStrictEqual(
        fewer.map(({ fields }) => fields),
        [["events"]]
      )
    }).pipe(onServer())
  )
})
