import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ana, byCard, cards, payment } from "@parcela/test-world/Samples"
import { onServer, server, signIn } from "@parcela/test-world/Server"

const card = { myId: "visa", number: cards.captured, holder: "ANA SOUZA", expiresAt: "2030-12", cvv: "9517" }
const other = { ...card, myId: "other", number: "5454545454545454" }

/** A company with Ana as its customer. */
const withAna = Effect.gen(function* () {
  const company = yield* signIn()
  const { json } = yield* company.call("POST", "/v2/customers", { body: ana })
  return { ...company, svcPayId: json.Customer.svcPayId as number }
})

type Call = Effect.Success<typeof withAna>["call"]

const namesOf = (call: Call, filter = "") =>
  Effect.map(call("GET", `/v2/cards?startAt=0&limit=10${filter}`), ({ json }) =>
    (json.Cards as ReadonlyArray<{ readonly myId: string }>).map(({ myId }) => myId)
  )

layer(server())("cards", (it) => {
  it.effect("are added to a customer and listed, without number and security code", () =>
    Effect.gen(function* () {
      const { call, svcPayId } = yield* withAna
      const added = yield* call("POST", "/v2/cards/ana/myId", { headers: { "idempotency-key": "k" }, body: card })
      const { svcPayId: id, Brand, ...shown } = added.json.Card
      assert.deepStrictEqual(shown, {
        myId: "visa",
        number: "4111********1111",
        expiresAt: "2030-12",
        customerSvcPayId: svcPayId,
        customerMyId: "ana",
        isBackup: false,
        status: "active",
        createdAt: "2026-09-21 11:13:20",
        updatedAt: "2026-09-21 11:13:20"
      })
      assert.strictEqual(Brand.id, "visa")
      const listed = yield* call("GET", `/v2/cards?startAt=0&limit=10&svcPayIds=${id}`)
      assert.deepStrictEqual(listed.json, { totalQtdFoundInPage: 1, Cards: [added.json.Card] })
      const sql = yield* SqlClient.SqlClient
      for (const table of ["cards", "journal", "idempotency_keys"]) {
        const rows = JSON.stringify(yield* sql`SELECT * FROM ${sql(table)}`)
        assert.notInclude(rows, card.number, table)
        // A random identifier may have four digits like these.
        assert.notMatch(rows, /(?<![\w-])9517(?![\w-])/, table)
      }
      const again = yield* call("POST", "/v2/cards/ana/myId", { headers: { "idempotency-key": "k" }, body: card })
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(again.text, added.text)
    })
  )

  it.effect("that the customer already has are updated with the last request", () =>
    Effect.gen(function* () {
      const { call } = yield* withAna
      const first = yield* call("POST", "/v2/cards/ana/myId", { body: card })
      const again = yield* call("POST", "/v2/cards/ana/myId", { body: { ...card, expiresAt: "2031-01" } })
      assert.strictEqual(again.json.Card.svcPayId, first.json.Card.svcPayId)
      assert.strictEqual(again.json.Card.expiresAt, "2031-01")
      const taken = yield* call("POST", "/v2/cards/ana/myId", { body: { ...other, myId: "visa" } })
      assert.deepStrictEqual([taken.status, Object.keys(taken.json.error.details)], [400, ["Card.myId"]])
    })
  )

  it.effect("require a holder", () =>
    Effect.gen(function* () {
      const { call } = yield* withAna
      const refused = yield* call("POST", "/v2/cards/ana/myId", { body: { ...card, holder: "" } })
      assert.deepStrictEqual(
        [refused.status, refused.json.error.details],
        [400, { "Card.holder": ["must have at least one character"] }]
      )
    })
  )

  it.effect("of a customer include at most one backup card", () =>
    Effect.gen(function* () {
      const { call } = yield* withAna
      const backups = Effect.map(call("GET", "/v2/cards?startAt=0&limit=10"), ({ json }) =>
        (json.Cards as ReadonlyArray<{ readonly isBackup: boolean }>).map(({ isBackup }) => isBackup)
      )
      yield* call("POST", "/v2/cards/ana/myId", { body: { ...card, isBackup: true } })
      assert.deepStrictEqual(yield* backups, [true])
      yield* call("POST", "/v2/cards/ana/myId", { body: { ...other, isBackup: true } })
      assert.deepStrictEqual(yield* backups, [false, true])
      yield* call("POST", "/v2/cards/ana/myId", { body: other })
      assert.deepStrictEqual(yield* backups, [false, true])
      yield* call("DELETE", "/v2/cards/other/myId")
      assert.deepStrictEqual(yield* backups, [false, false])
    })
  )

  it.effect(
    "are listed as inactive and not charged after their removal, and are active again when they are sent again",
    () =>
      Effect.gen(function* () {
        const { call } = yield* withAna
        yield* call("POST", "/v2/cards/ana/myId", { body: card })
        for (const _ of [1, 2]) {
          assert.deepStrictEqual((yield* call("DELETE", "/v2/cards/visa/myId")).json, { type: true })
        }
        assert.deepStrictEqual(yield* namesOf(call, "&status=inactive"), ["visa"])
        const body = { ...byCard(card.number), PaymentMethodCreditCard: { Card: { myId: "visa" } } }
        assert.strictEqual((yield* call("POST", "/v2/subscriptions/manual", { body })).status, 400)
        yield* call("POST", "/v2/cards/ana/myId", { body: card })
        assert.deepStrictEqual(yield* namesOf(call, "&status=active&customerMyIds=ana"), ["visa"])
        assert.strictEqual((yield* call("POST", "/v2/subscriptions/manual", { body })).status, 200)
      })
  )

  it.effect("cannot be removed while a subscription uses them", () =>
    Effect.gen(function* () {
      const { call } = yield* withAna
      yield* call("POST", "/v2/cards/ana/myId", { body: card })
      const body = { ...byCard(card.number), PaymentMethodCreditCard: { Card: { myId: "visa" } } }
      yield* call("POST", "/v2/subscriptions/manual", { body })
      const refused = yield* call("DELETE", "/v2/cards/visa/myId")
      assert.deepStrictEqual([refused.status, Object.keys(refused.json.error.details)], [400, ["Card.status"]])
      const replaced = { ...payment("p"), PaymentMethodCreditCard: { Card: other } }
      assert.strictEqual((yield* call("POST", "/v2/transactions/sub/myId/add", { body: replaced })).status, 200)
      assert.strictEqual((yield* call("DELETE", "/v2/cards/visa/myId")).status, 200)
    })
  )

  it.effect("cannot be removed while a pending payment uses them", () =>
    Effect.gen(function* () {
      const { call } = yield* withAna
      yield* call("POST", "/v2/cards/ana/myId", { body: card })
      yield* call("POST", "/v2/subscriptions/manual", { body: byCard(other.number) })
      const later = { ...payment("p"), payday: "2099-12-01" }
      yield* call("POST", "/v2/transactions/sub/myId/add", { body: later })
      const named = { PaymentMethodCreditCard: { Card: { myId: "visa" } } }
      assert.strictEqual((yield* call("PUT", "/v2/transactions/p/myId", { body: named })).status, 200)
      assert.strictEqual((yield* call("DELETE", "/v2/cards/visa/myId")).status, 400)
      yield* call("DELETE", "/v2/transactions/p/myId")
      assert.strictEqual((yield* call("DELETE", "/v2/cards/visa/myId")).status, 200)
    })
  )

  it.effect("are refused with every problem at once, and a hash is refused with advice", () =>
    Effect.gen(function* () {
      const { call } = yield* withAna
      const faults = { number: "4111111111111112", holder: "ANA", expiresAt: "2020-01", cvv: "1" }
      const wrong = yield* call("POST", "/v2/cards/ana/myId", { body: faults })
      assert.strictEqual(wrong.status, 400)
      assert.sameMembers(Object.keys(wrong.json.error.details), ["Card.number", "Card.cvv", "Card.expiresAt"])
      const hash = yield* call("POST", "/v2/cards/ana/myId", { body: { myId: "visa", hash: "a1b2" } })
      assert.strictEqual(hash.status, 400)
      assert.include(hash.json.error.details["Card.hash"][0], "send number, holder, expiresAt and cvv")
      assert.notInclude(hash.text, "a1b2")
    })
  )

  it.effect("and customers of another company return a 404 for either identifier", () =>
    Effect.gen(function* () {
      const mine = yield* withAna
      const { call: theirs } = yield* signIn()
      const { json } = yield* mine.call("POST", "/v2/cards/ana/myId", { body: card })
      for (const path of [`/v2/cards/${mine.svcPayId}/svcPayId`, "/v2/cards/ana/myId"]) {
        assert.strictEqual((yield* theirs("POST", path, { body: card })).status, 404, path)
      }
      for (const path of [`/v2/cards/${json.Card.svcPayId}/svcPayId`, "/v2/cards/visa/myId"]) {
        assert.strictEqual((yield* theirs("DELETE", path)).status, 404, path)
      }
      assert.deepStrictEqual(yield* namesOf(theirs), [])
    })
  )

  it.effect("use the names of the service family under its naming profile", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json } = yield* call("POST", "/v2/customers", { body: ana })
      const path = `/v2/cards/${json.Customer.galaxPayId}/galaxPayId`
      const added = yield* call("POST", path, { body: card })
      assert.deepInclude(added.json.Card, { customerGalaxPayId: json.Customer.galaxPayId, customerMyId: "ana" })
      assert.deepStrictEqual(yield* namesOf(call, `&customerGalaxPayIds=${json.Customer.galaxPayId}`), ["visa"])
    }).pipe(onServer({ naming: galaxPay }))
  )
})
