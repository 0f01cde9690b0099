import { assert, describe, it } from "@effect/vitest"
import { EditPayment } from "@parcela/core/transactions/PaymentRequests"
import { cardOf, documentKeyOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import { Payments } from "@parcela/engine/payments/Payments"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Recovery } from "@parcela/engine/work/Recovery"
import { Fault } from "@parcela/provider-simulator/InjectedFailures"
import { Effect, Schema } from "effect"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const { ResponseLost, RequestLost, refusalOf } = World

const byCard = Effect.fnUntraced(function* (number: string, changes: object = {}) {
  const company = yield* World.company()
  yield* World.subscribeByCard(company, number)
  yield* World.pay(company, "p", changes)
  return company
})

const by = Effect.fnUntraced(function* (method: "boleto" | "pix") {
  const company = yield* World.company()
  yield* World.subscribeBy(company, method)
  yield* World.pay(company, "p")
  return company
})

const plain = (state: TransactionState): object => state

const work = Effect.map(Rows.rows("due_work"), (rows) =>
  rows.flatMap(({ due_at, kind }) => (kind === "send payment" ? [Number(due_at)] : []))
)

const bodyByCard = (terms: object) => ({
  myId: "another",
  mainPaymentMethodId: "creditcard",
  Customer: Samples.ana,
  PaymentMethodCreditCard: { ...Samples.card(Samples.cards.captured), ...terms }
})

describe("an edit", () => {
  it.effect("changes the value, payday and sending time of a payment that is not due", () =>
    Effect.gen(function* () {
      const company = yield* byCard(Samples.cards.captured, { payday: Samples.tomorrow })
      const [before] = yield* work
      const edited = yield* World.edit(company, "p", { value: 2500, payday: "2026-09-23", additionalInfo: "a note" })
      assert.deepInclude(plain(edited), {
        status: "notSend",
        value: 2500,
        payday: "2026-09-23",
        additionalInfo: "a note"
      })
      const [after, ...none] = yield* work
      assert.deepStrictEqual(none, [])
      assert.strictEqual(after! - before!, 24 * 3_600_000)
      assert.strictEqual((yield* Rows.journal).at(-1), "TransactionEdited")
      assert.lengthOf(yield* World.ledger, 0)
    }).pipe(World.inWorld())
  )

  it.effect("charges a card payment that becomes due by the edit once, with the new value", () =>
    Effect.gen(function* () {
      const company = yield* byCard(Samples.cards.captured, { payday: Samples.tomorrow })
      const edited = yield* World.edit(company, "p", { value: 2500, payday: Samples.today })
      assert.strictEqual(edited.status, "captured")
      assert.deepStrictEqual(
        (yield* World.ledger).map(({ value }) => Number(value)),
        [2500]
      )
      assert.deepStrictEqual(yield* work, [])
    }).pipe(World.inWorld())
  )

  it.effect(
    "refuses more instalments than the card's brand allows, like adding a payment and editing its subscription",
    () =>
      Effect.gen(function* () {
        const company = yield* byCard(Samples.cards.captured, { payday: Samples.tomorrow })
        const tooMany = { PaymentMethodCreditCard: { qtdInstallments: 13 } }
        const refused = [
          yield* Effect.flip(World.edit(company, "p", tooMany)),
          yield* Effect.flip(World.pay(company, "q", tooMany)),
          yield* Effect.flip(World.editSubscription(company, tooMany)),
          yield* Effect.flip(World.subscribe(company, bodyByCard({ qtdInstallments: 0 })))
        ]
        assert.deepStrictEqual(
          refused.map(World.refusalOf),
          Array.from({ length: 4 }, () => "InstallmentsTooMany")
        )
        const most = { PaymentMethodCreditCard: { qtdInstallments: 12 } }
        assert.strictEqual((yield* World.edit(company, "p", most)).status, "notSend")
      }).pipe(World.inWorld())
  )

  it.effect(
    "with a new card and paydayDate today charges that card at once, and leaves the subscription's card unchanged",
    () =>
      Effect.gen(function* () {
        const company = yield* byCard(Samples.cards.denied)
        const before = cardOf(yield* World.pay(company, "other", { payday: Samples.tomorrow }))
        const edited = yield* World.edit(company, "p", {
          paydayDate: Samples.today,
          PaymentMethodCreditCard: Samples.card(Samples.cards.captured)
        })
        assert.strictEqual(edited.status, "captured")
        assert.notStrictEqual(cardOf(edited), before)
        assert.strictEqual(cardOf(yield* World.pay(company, "third", { payday: Samples.tomorrow })), before)
        assert.strictEqual((yield* World.vault).cards, 2)
      }).pipe(World.inWorld())
  )

  it.effect("that is repeated while its outcome is unknown joins the same attempt", () =>
    Effect.gen(function* () {
      const company = yield* byCard(Samples.cards.denied)
      const plan = yield* World.faults
      const body = { paydayDate: Samples.today, PaymentMethodCreditCard: Samples.card(Samples.cards.captured) }
      yield* plan.next("charge", ResponseLost())
      yield* plan.next("lookup", RequestLost())
      assert.strictEqual((yield* Effect.flip(World.edit(company, "p", body)))._tag, "OutcomeUnknown")
      assert.strictEqual(
        refusalOf(yield* Effect.flip(World.edit(company, "p", { ...body, value: 2 }))),
        "AttemptPending"
      )
      assert.strictEqual((yield* World.edit(company, "p", body)).status, "captured")
      assert.lengthOf(
        (yield* World.ledger).filter(({ outcome }) => outcome === "Captured"),
        1
      )
    }).pipe(World.inWorld())
  )

  it.effect("that is refused with any card is refused before the vault stores the card", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* World.pay(company, "p", { payday: Samples.tomorrow })
      yield* World.pay(company, "taken", { payday: Samples.tomorrow })
      const before = yield* World.vault
      for (const [changes, tag] of [
        [{ myId: "taken" }, "MyIdTaken"],
        [{ paydayDate: Samples.tomorrow }, "PaydayDateNotToday"],
        [{ terms: { qtdInstallments: 13 } }, "InstallmentsTooMany"]
      ] as const) {
        const { terms = {}, ...body } = { terms: {}, ...changes }
        const PaymentMethodCreditCard = { ...Samples.card(Samples.cards.denied), ...terms }
        const refused = yield* Effect.flip(World.edit(company, "p", { ...body, PaymentMethodCreditCard }))
        assert.strictEqual(refusalOf(refused), tag)
      }
      assert.deepStrictEqual(yield* World.vault, before)
    }).pipe(World.inWorld())
  )

  it.effect.each(["boleto", "pix"] as const)("of the value of an overdue %s registers it again, due today", (method) =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribeBy(company, method)
      yield* World.pay(company, "p")
      yield* World.passTime("2 days")
      const edited = yield* World.edit(company, "p", { value: 900 })
      assert.deepInclude(plain(edited), { value: 900, payday: "2026-09-23" })
      assert.isDefined("registration" in edited ? edited.registration : undefined)
      const past = yield* Effect.flip(World.edit(company, "p", { value: 800, payday: Samples.today }))
      assert.strictEqual(refusalOf(past), "PaydayPast")
    }).pipe(World.inWorld())
  )

  it.effect("of a paid payment changes only its names, and other changes are refused before vaulting", () =>
    Effect.gen(function* () {
      const company = yield* byCard(Samples.cards.captured)
      const edited = yield* World.edit(company, "p", { myId: "q", additionalInfo: "later", value: 1990 })
      assert.deepInclude(plain(edited), { myId: "q", additionalInfo: "later", status: "captured" })
      const requests = (yield* World.vault).requests
      for (const body of [
        { value: 1 },
        { payday: Samples.tomorrow },
        { payedOutsideSvcPay: true },
        { paydayDate: Samples.today },
        { PaymentMethodCreditCard: Samples.card(Samples.cards.denied) }
      ]) {
        assert.strictEqual(refusalOf(yield* Effect.flip(World.edit(company, "q", body))), "NotEditable")
      }
      assert.strictEqual((yield* World.vault).requests, requests)
    }).pipe(World.inWorld())
  )

  it.effect("refuses a taken myId, a day other than today, and a card for a payment that is not by card", () =>
    Effect.gen(function* () {
      const company = yield* by("pix")
      yield* World.pay(company, "q")
      const refused = (body: object) => Effect.map(Effect.flip(World.edit(company, "p", body)), refusalOf)
      assert.strictEqual(yield* refused({ myId: "q" }), "MyIdTaken")
      assert.strictEqual(yield* refused({ paydayDate: Samples.tomorrow }), "PaydayDateNotToday")
      assert.strictEqual(yield* refused({ paydayDate: Samples.today }), "NotByCard")
      assert.strictEqual(yield* refused({ PaymentMethodCreditCard: Samples.card(Samples.cards.captured) }), "NotByCard")
      const other = yield* World.company()
      assert.strictEqual(
        refusalOf(yield* Effect.flip(World.edit(other, "p", { additionalInfo: "x" }))),
        "TransactionNotFound"
      )
    }).pipe(World.inWorld())
  )

  it.effect("writes nothing when all values are unchanged", () =>
    Effect.gen(function* () {
      const company = yield* byCard(Samples.cards.denied)
      const entries = (yield* Rows.journal).length
      yield* World.edit(company, "p", { myId: "p", value: 1990, payday: Samples.today, payedOutsideSvcPay: false })
      assert.lengthOf(yield* Rows.journal, entries)
    }).pipe(World.inWorld())
  )
})

describe("a payment outside the service", () => {
  it.effect("ends a denied card payment, and announces the change", () =>
    Effect.gen(function* () {
      const company = yield* byCard(Samples.cards.denied)
      yield* World.listen(company)
      const edited = yield* World.edit(company, "p", { payedOutsideSvcPay: true, additionalInfo: "cash" })
      assert.deepInclude(plain(edited), { status: "payExternal", additionalInfo: "cash" })
      assert.deepStrictEqual(
        (yield* Rows.deliveries).map(({ event, payload }) => [event, payload.Transaction.status]),
        [["transaction.updateStatus", "payExternal"]]
      )
      assert.strictEqual((yield* World.edit(company, "p", { payedOutsideSvcPay: true })).status, "payExternal")
      // What is ended is not opened again, and a 200 would read as if it were.
      assert.strictEqual(
        refusalOf(yield* Effect.flip(World.edit(company, "p", { payedOutsideSvcPay: false }))),
        "NotEditable"
      )
    }).pipe(World.inWorld())
  )

  for (const method of ["boleto", "pix"] as const) {
    it.effect(`withdraws a ${method} first, so that it cannot be paid twice`, () =>
      Effect.gen(function* () {
        const company = yield* by(method)
        const edited = yield* World.edit(company, "p", { payedOutsideSvcPay: true, value: 1500 })
        assert.deepInclude(plain(edited), { status: "payExternal", value: 1500 })
        assert.lengthOf(
          (yield* World.providerRequests).filter(({ effect }) => effect === "canceled"),
          1
        )
      }).pipe(World.inWorld())
    )

    it.effect(`leaves a ${method} open when its provider denies the withdrawal, and joins an open attempt`, () =>
      Effect.gen(function* () {
        const company = yield* by(method)
        const plan = yield* World.faults
        const { runDueWork } = yield* Recovery
        yield* plan.next("cancel", Fault.Denied({ code: "paid", message: "it was paid" }))
        const outside = World.edit(company, "p", { payedOutsideSvcPay: true })
        assert.strictEqual(refusalOf(yield* Effect.flip(outside)), "DeniedByProvider")
        assert.match((yield* Rows.transaction("p")).status, /^pending/u)
        yield* plan.next("cancel", RequestLost())
        assert.strictEqual((yield* Effect.flip(outside))._tag, "OutcomeUnknown")
        // A cancellation is another thing than a payment outside.
        assert.strictEqual(refusalOf(yield* Effect.flip(World.cancel(company, "p"))), "AttemptPending")
        yield* World.passTime("10 seconds")
        yield* runDueWork
        assert.strictEqual((yield* Rows.transaction("p")).status, "payExternal")
      }).pipe(World.inWorld())
    )

    it.effect(`of value and payday withdraws a registered ${method} and registers it again once`, () =>
      Effect.gen(function* () {
        const company = yield* by(method)
        const before = yield* Rows.transaction("p")
        yield* World.listen(company)
        const edited = yield* World.edit(company, "p", { value: 2500, payday: Samples.tomorrow })
        assert.deepStrictEqual([edited.status, edited.value, edited.payday], [before.status, 2500, Samples.tomorrow])
        // The response has its new slip or code.
        const after = yield* Rows.transaction("p")
        assert.isDefined(documentKeyOf(edited))
        assert.deepStrictEqual<unknown>("registration" in edited && edited.registration, after.registration)
        assert.notDeepEqual(after.registration, before.registration)
        assert.strictEqual(yield* DueWorker.use((due) => due.runOnce("send payment", 9)), 0)
        const effects = (yield* World.providerRequests).map(({ effect, value }) => `${effect} ${value}`)
        assert.deepStrictEqual(effects, ["registered 1990", "canceled 1990", "registered 2500"])
        // It was announced when it was registered first, and its status is the same.
        assert.lengthOf(yield* Rows.deliveries, 0)
        assert.strictEqual((yield* World.cancel(company, "p")).status, "cancel")
      }).pipe(World.inWorld())
    )

    it.effect(`returns a ${method} under its key as registered again, once that is known`, () =>
      Effect.gen(function* () {
        const company = yield* by(method)
        const command = yield* Effect.orDie(Schema.decodeUnknownEffect(EditPayment)({ value: 2500 }))
        const give = (key: string) =>
          Payments.use((payments) =>
            payments.edit(company, World.ref("p"), command, {
              name: { companyId: company, key, fingerprint: "f" },
              respond: ({ transaction }) => ({ status: 200, body: documentKeyOf(transaction) ?? "none" })
            })
          )
        const { transaction } = World.valueOf(yield* give("a"))
        const again = yield* give("a")
        assert.deepStrictEqual(again, {
          _tag: "Replayed",
          response: { status: 200, body: documentKeyOf(transaction) ?? "" }
        })
        const plan = yield* World.faults
        yield* World.edit(company, "p", { value: 1500 })
        // It is requested again at once, and then by a job.
        for (const _ of [1, 2]) yield* plan.next(method === "pix" ? "open" : "register", RequestLost())
        assert.isUndefined(documentKeyOf(World.valueOf(yield* give("b")).transaction))
        const registered = documentKeyOf(World.valueOf(yield* give("b")).transaction)
        assert.isDefined(registered)
        const replayed = yield* give("b")
        assert.deepStrictEqual(replayed, { _tag: "Replayed", response: { status: 200, body: registered } })
      }).pipe(World.inWorld())
    )

    it.effect(`leaves a ${method} unchanged when its provider denies the withdrawal, and waits for an outcome`, () =>
      Effect.gen(function* () {
        const company = yield* by(method)
        const before = yield* Rows.transaction("p")
        const plan = yield* World.faults
        const { runDueWork } = yield* Recovery
        yield* plan.next("cancel", Fault.Denied({ code: "paid", message: "it was paid" }))
        const dearer = World.edit(company, "p", { value: 2500 })
        assert.strictEqual(refusalOf(yield* Effect.flip(dearer)), "DeniedByProvider")
        assert.deepStrictEqual((yield* Rows.transaction("p")).registration, before.registration)
        yield* plan.next("cancel", ResponseLost())
        assert.strictEqual((yield* Effect.flip(dearer))._tag, "OutcomeUnknown")
        assert.strictEqual(refusalOf(yield* Effect.flip(World.edit(company, "p", { value: 1 }))), "AttemptPending")
        yield* World.passTime("10 seconds")
        yield* runDueWork
        yield* runDueWork
        assert.notDeepEqual((yield* Rows.transaction("p")).registration, before.registration)
        const registered = (yield* World.providerRequests).filter(({ effect }) => effect === "registered")
        assert.deepStrictEqual(
          registered.map(({ value }) => Number(value)),
          [1990, 2500]
        )
      }).pipe(World.inWorld())
    )
  }
})
