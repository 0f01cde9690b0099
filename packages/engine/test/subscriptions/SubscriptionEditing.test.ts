import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { SubscriptionChanges } from "@parcela/engine/subscriptions/SubscriptionEditing"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Effect } from "effect"
import * as Periodic from "../fixtures/Periodic.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const edit = World.editSubscription

const refusal = <A, E extends object, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), World.refusalOf)

const seen = (company: CompanyId) =>
  Effect.map(Periodic.payments(company), (all) => all.map(({ method, status, value }) => [method, status, value]))

describe("editing a subscription", () => {
  it.effect("changes the value of open and future payments, and leaves paid ones unchanged", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthlyByCard())
      yield* DueWorker.use((due) => due.runOnce("make instalments", 1))
      const edited = yield* edit(company, { value: 2990 })
      assert.deepStrictEqual([edited.value, edited.Transactions.map(({ value }) => value)], [2990, [2990]])
      yield* Periodic.advance(company, 31)
      assert.deepStrictEqual(yield* seen(company), [
        ["creditcard", "captured", 1990],
        ["creditcard", "captured", 2990],
        ["creditcard", "notSend", 2990]
      ])
    }).pipe(World.inWorld())
  )

  it.effect("changes the method of open payments: a card payment becomes a Pix with a code", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const changes = { quantity: 2, firstPayDayDate: Samples.tomorrow }
      yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, changes))
      yield* edit(company, { mainPaymentMethodId: "pix" })
      assert.deepStrictEqual(yield* seen(company), [
        ["pix", "pendingPix", 1990],
        ["pix", "pendingPix", 1990]
      ])
      yield* DueWorker.use((due) => due.runOnce("send payment", 9))
      for (const payment of yield* Periodic.payments(company)) assert.property(payment, "registration")
    }).pipe(World.inWorld())
  )

  it.effect(
    "assigns the new card to open and denied payments, and creates the instalments of a waiting subscription",
    () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.denied))
        const edited = yield* edit(company, { PaymentMethodCreditCard: Samples.card(Samples.cards.captured) })
        const card = edited.PaymentMethodCreditCard!.Card!.svcPayId
        const [denied] = yield* Periodic.payments(company)
        assert.deepStrictEqual([denied!.status, "cardId" in denied! && denied.cardId], ["denied", card])

        const other = yield* World.company()
        yield* Periodic.create(other, Periodic.monthly({ mainPaymentMethodId: "creditcard" }))
        yield* edit(other, { PaymentMethodCreditCard: Samples.card(Samples.cards.captured) })
        yield* Periodic.advance(other, 1)
        assert.deepStrictEqual(yield* seen(other), [
          ["creditcard", "captured", 1990],
          ["creditcard", "notSend", 1990]
        ])
      }).pipe(World.inWorld())
  )

  it.effect(
    "bills a subscription that waited for its card by Pix, with the waiting payment and without the time in between",
    () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        yield* Periodic.create(company, Periodic.monthly({ mainPaymentMethodId: "creditcard" }))
        yield* Periodic.advance(company, 70)
        const waiting = ["creditcard", "notSend", 1990]
        assert.deepStrictEqual(yield* seen(company), [waiting])
        assert.strictEqual((yield* edit(company, { additionalInfo: "note" })).status, "waitingPayment")
        assert.strictEqual((yield* edit(company, { mainPaymentMethodId: "pix" })).status, "active")
        yield* Periodic.advance(company, 1)
        // The first one, which was shown, and the next one; not those between.
        const byPix = ["pix", "pendingPix", 1990]
        assert.deepStrictEqual(yield* seen(company), [byPix, byPix])
        assert.deepStrictEqual(yield* Periodic.paydays(company), ["2026-11-30", "2026-12-21"])
      }).pipe(World.inWorld())
  )

  it.effect("withdraws registered payments, and registers them again with the new value unless they are overdue", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthly())
      yield* edit(company, { value: 2990 })
      // It takes the provider's word first.
      assert.deepStrictEqual(yield* seen(company), [["pix", "pendingPix", 1990]])
      for (const kind of ["change payment", "send payment"] as const) {
        assert.strictEqual(yield* DueWorker.use((due) => due.runOnce(kind, 9)), 1)
      }
      assert.deepStrictEqual(yield* seen(company), [["pix", "pendingPix", 2990]])
      const effects = (yield* World.providerRequests).map(({ effect, value }) => `${effect} ${value}`)
      assert.deepStrictEqual(effects, ["registered 1990", "canceled 1990", "registered 2990"])
      yield* Periodic.advance(company, 2)
      yield* edit(company, { value: 3990 })
      yield* Periodic.advance(company, 1)
      assert.deepStrictEqual(yield* seen(company), [
        ["pix", "pendingPix", 2990],
        ["pix", "pendingPix", 3990]
      ])
    }).pipe(World.inWorld())
  )

  it.effect("sends a registered payment by the new method after its withdrawal, and back again", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribeBy(company, "boleto")
      yield* World.pay(company, "p")
      yield* World.pay(company, "own", { value: 700 })
      yield* World.listen(company)
      const work = ["change payment", "send payment"] as const
      const settle = Effect.forEach(work, (kind) => DueWorker.use((due) => due.runOnce(kind, 9)))
      yield* edit(company, { mainPaymentMethodId: "pix" })
      assert.deepStrictEqual(yield* settle, [2, 2])
      const byPix = [
        ["pix", "pendingPix", 1990],
        ["pix", "pendingPix", 700]
      ]
      assert.deepStrictEqual(yield* seen(company), byPix)
      assert.isDefined((yield* Rows.transaction("p")).registration?.charge)
      assert.deepStrictEqual(
        (yield* Rows.deliveries).map(({ event, payload }) => [event, payload.Transaction.status]),
        [
          ["transaction.updateStatus", "pendingPix"],
          ["transaction.updateStatus", "pendingPix"]
        ]
      )
      // The bank gives a number of its own to the second slip.
      yield* edit(company, { mainPaymentMethodId: "boleto" })
      yield* settle
      const effects = (yield* World.providerRequests).map(({ call, effect }) => `${call} ${effect}`)
      assert.deepStrictEqual(effects.filter((each) => each === "register registered").length, 4)
      assert.isDefined((yield* Rows.transaction("p")).registration?.slip)
      const PaymentMethodCreditCard = Samples.card(Samples.cards.captured)
      yield* edit(company, { mainPaymentMethodId: "creditcard", PaymentMethodCreditCard })
      yield* settle
      assert.deepStrictEqual(yield* seen(company), [
        ["creditcard", "captured", 1990],
        ["creditcard", "captured", 700]
      ])
    }).pipe(World.inWorld())
  )

  it.effect("leaves the method of overdue payments, and of payments whose withdrawal is denied", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribeBy(company, "boleto")
      yield* World.pay(company, "p", { payday: Samples.tomorrow })
      const plan = yield* World.faults
      yield* plan.next("cancel", World.denied)
      yield* edit(company, { mainPaymentMethodId: "pix" })
      yield* DueWorker.use((due) => due.runOnce("change payment", 9))
      assert.deepStrictEqual(yield* seen(company), [["boleto", "pendingBoleto", 1990]])
      yield* edit(company, { mainPaymentMethodId: "boleto" })
      yield* Periodic.advance(company, 2)
      yield* edit(company, { mainPaymentMethodId: "pix" })
      yield* DueWorker.use((due) => due.runOnce("change payment", 9))
      assert.deepStrictEqual(yield* seen(company), [["boleto", "pendingBoleto", 1990]])
    }).pipe(World.inWorld())
  )

  for (const last of [3990, 1990]) {
    it.effect(`registers it with ${last} when it is edited again during the withdrawal for 2990`, () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        yield* Periodic.create(company, Periodic.monthly())
        yield* edit(company, { value: 2990 })
        const plan = yield* World.faults
        yield* plan.next("cancel", World.RequestLost())
        yield* Effect.forkChild(DueWorker.use((due) => due.runOnce("change payment", 9)))
        yield* World.passTime("10 seconds")
        yield* edit(company, { value: last })
        for (const kind of ["change payment", "resolve attempt", "change payment", "send payment"] as const) {
          yield* World.passTime("2 minutes")
          assert.strictEqual(yield* DueWorker.use((due) => due.runOnce(kind, 9)), 1)
        }
        assert.deepStrictEqual(yield* seen(company), [["pix", "pendingPix", last]])
        const effects = (yield* World.providerRequests).map(({ effect, value }) => `${effect} ${value}`)
        assert.deepStrictEqual(effects, ["registered 1990", "canceled 1990", `registered ${last}`])
      }).pipe(World.inWorld())
    )
  }

  it.effect("changes a hundred payments at once, and the others by jobs", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const changes = { quantity: 120, periodicity: "weekly", firstPayDayDate: Samples.tomorrow }
      yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, changes))
      while ((yield* Periodic.payments(company)).length < 120) {
        yield* DueWorker.use((due) => due.runOnce("make instalments", 1))
      }
      const changed = Effect.map(Periodic.payments(company), (all) => all.filter(({ value }) => value === 5).length)
      yield* edit(company, { value: 5 })
      assert.strictEqual(yield* changed, 100)
      assert.strictEqual(yield* DueWorker.use((due) => due.runOnce("apply terms", 9)), 1)
      assert.strictEqual(yield* changed, 120)
    }).pipe(World.inWorld())
  )

  it.effect("changes the edited fields, and writes nothing if nothing changes", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthly())
      const changes = { myId: "renamed", additionalInfo: "note", ExtraFields: [{ tagName: "a", tagValue: "b" }] }
      const edited = yield* edit(company, changes)
      assert.deepStrictEqual(
        { myId: edited.myId, additionalInfo: edited.additionalInfo, ExtraFields: edited.ExtraFields } as object,
        changes
      )
      const before = yield* Rows.count("journal")
      yield* edit(company, changes, "renamed")
      assert.strictEqual(yield* Rows.count("journal"), before)
    }).pipe(World.inWorld())
  )

  it.effect(
    "refuses a value for a manual subscription, a taken myId, a missing card, and a cancelled subscription",
    () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.subscribeBy(company, "pix", "manual")
        yield* Periodic.create(company, Periodic.monthly())
        assert.strictEqual(yield* refusal(edit(company, { value: 1 }, "manual")), "ScheduleMissing")
        assert.strictEqual(yield* refusal(edit(company, { myId: "manual" })), "MyIdTaken")
        assert.strictEqual(yield* refusal(edit(company, { mainPaymentMethodId: "creditcard" })), "CardMissing")
        assert.strictEqual(yield* refusal(edit(company, { planMyId: "none" })), "PlanNotFound")
        yield* SubscriptionChanges.use((changes) => changes.cancel(company, World.ref("sub")))
        const PaymentMethodCreditCard = Samples.card(Samples.cards.captured)
        assert.strictEqual(yield* refusal(edit(company, { PaymentMethodCreditCard })), "SubscriptionCannot")
        assert.strictEqual((yield* World.vault).requests, 0)
      }).pipe(World.inWorld())
  )
})

describe("a subscription of a plan", () => {
  it.effect("takes price by method, periodicity and quantity from the plan, unless the request gives them", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.plan(company, { myId: "box", quantity: 30, periodicity: "weekly" })
      const { periodicity: _p, quantity: _q, value: _v, ...body } = Periodic.monthly({ planMyId: "box" })
      const created = yield* Periodic.create(company, body)
      assert.deepStrictEqual(
        [created.value, created.quantity, created.periodicity, created.planMyId, created.Transactions.length],
        [1990, 30, "weekly", "box", 24]
      )
      const own = yield* Periodic.create(company, { ...body, myId: "own", value: 5, quantity: 0 })
      assert.deepStrictEqual([own.value, own.quantity, own.periodicity], [5, 0, "weekly"])
      assert.strictEqual(
        yield* refusal(Periodic.create(company, { ...body, myId: "b", mainPaymentMethodId: "boleto" })),
        "PlanWithoutPrice"
      )
      assert.strictEqual(yield* refusal(Periodic.create(company, { ...body, planMyId: "none" })), "PlanNotFound")
      const without = { ...body, myId: "c", planMyId: undefined }
      assert.strictEqual(
        yield* refusal(Periodic.create(company, JSON.parse(JSON.stringify(without)) as object)),
        "ScheduleIncomplete"
      )
    }).pipe(World.inWorld())
  )

  it.effect("returns the myId of its plan, and none after an edit to a plan without one", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const named = yield* World.plan(company, { myId: "box" })
      const nameless = yield* World.plan(company)
      const created = yield* Periodic.create(company, Periodic.monthly({ planMyId: "box" }))
      assert.deepStrictEqual([created.planSvcPayId, created.planMyId], [named.id, "box"])
      const edited = yield* edit(company, { planSvcPayId: nameless.id })
      assert.deepStrictEqual([edited.planSvcPayId, edited.planMyId], [nameless.id, undefined])
      const events = (yield* Rows.journal).length
      yield* edit(company, { planSvcPayId: nameless.id })
      assert.lengthOf(yield* Rows.journal, events)
    }).pipe(World.inWorld())
  )

  it.effect("takes the price of another plan by an edit, and retains its days and quantity", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.plan(company, { myId: "box", quantity: 6, periodicity: "weekly" })
      yield* Periodic.create(company, Periodic.monthly({ value: 5 }))
      const edited = yield* edit(company, { planMyId: "box" })
      assert.deepStrictEqual(
        [edited.value, edited.quantity, edited.periodicity, edited.planMyId],
        [1990, 0, "monthly", "box"]
      )
    }).pipe(World.inWorld())
  )
})
