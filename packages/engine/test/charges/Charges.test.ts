import { assert, describe, it } from "@effect/vitest"
import { BillingError } from "@parcela/core/errors/BillingError"
import { Cents } from "@parcela/core/money/Cents"
import { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Journal } from "@parcela/engine/ports/Journal"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { ChargeManagement } from "@parcela/engine/charges/Charges"
import { Recovery } from "@parcela/engine/work/Recovery"
import { Fault } from "@parcela/provider-simulator/InjectedFailures"
import { Effect } from "effect"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const { cardMethod: byCard, cards } = Samples

const refusalsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.filterOrFail(
    Effect.flip(effect),
    (error): error is Extract<E, BillingError> => error instanceof BillingError,
    (error) => new Error(`It was no refusal: ${error}`)
  )

const stateOf = ({ owner, transaction }: PaymentContext) => {
  assert(owner._tag === "Charge")
  return { charge: owner.charge.status, payment: transaction.status }
}

describe("creating a charge", () => {
  it.effect("charges a card that is due today at once, and the charge is over when it is captured", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      assert.deepStrictEqual(stateOf(yield* World.charge(id, "paid", byCard(cards.captured))), {
        charge: "closed",
        payment: "captured"
      })
      assert.deepStrictEqual(stateOf(yield* World.charge(id, "denied", byCard(cards.denied))), {
        charge: "active",
        payment: "denied"
      })
      const tomorrow = { ...byCard(cards.captured), payday: Samples.tomorrow }
      assert.deepStrictEqual(stateOf(yield* World.charge(id, "later", tomorrow)), {
        charge: "active",
        payment: "notSend"
      })
      assert.lengthOf(yield* World.ledger, 2)
    }).pipe(World.inWorld())
  )

  it.effect("waits for a card, can be deactivated, and is charged once its payment has a card", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      const payments = []
      for (const myId of ["a", "b"]) {
        const made = yield* World.charge(id, myId, { mainPaymentMethodId: "creditcard" })
        payments.push(made.transaction.myId)
        assert.deepStrictEqual(stateOf(made), { charge: "waitingPayment", payment: "notSend" })
        const retry = ChargeManagement.use((charges) => charges.retry(id, World.ref(myId)))
        assert.strictEqual((yield* refusalsOf(retry)).refusal._tag, "CardMissing")
      }
      const setAside = ChargeManagement.use((charges) => charges.deactivate(id, World.ref("b")))
      assert.strictEqual((yield* setAside).status, "inactive")
      assert.strictEqual((yield* setAside).status, "inactive")
      assert.strictEqual(yield* DueWorker.use((due) => due.runOnce("send payment", 9)), 0)
      const PaymentMethodCreditCard = Samples.card(cards.captured)
      const given = yield* Effect.forEach(payments, (myId) => World.edit(id, myId, { PaymentMethodCreditCard }))
      assert.deepStrictEqual(
        given.map(({ status }) => status),
        ["captured", "notSend"]
      )
      // It was paused until then: a worker sends it.
      assert.strictEqual(yield* DueWorker.use((due) => due.runOnce("send payment", 9)), 1)
      const stored = (yield* Rows.rows("charges")).map(({ data }) => JSON.parse(String(data)))
      assert.deepStrictEqual(
        stored.map(({ cardId, status }) => [typeof cardId, status]),
        [
          ["number", "closed"],
          ["number", "closed"]
        ]
      )
      const late = ChargeManagement.use((charges) => charges.deactivate(id, World.ref("a")))
      assert.strictEqual((yield* refusalsOf(late)).refusal._tag, "ChargeCannot")
    }).pipe(World.inWorld())
  )

  it.effect("registers a boleto and a Pix, with the charge's own terms", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      for (const method of ["boleto", "pix"]) {
        const made = yield* World.charge(id, method, { mainPaymentMethodId: method })
        assert.isTrue("registration" in made.transaction && made.transaction.registration !== undefined)
        assert.strictEqual(stateOf(made).charge, "active")
      }
    }).pipe(World.inWorld())
  )

  it.effect("sends no request for a charge that was paid outside, and closes it", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      const made = yield* World.charge(id, "cash", { ...byCard(cards.captured), payedOutsideSvcPay: true })
      assert.deepStrictEqual(stateOf(made), { charge: "closed", payment: "payExternal" })
      assert.deepStrictEqual(yield* World.ledger, [])
    }).pipe(World.inWorld())
  )

  it.effect("sends a later payment on its due day", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      const { transaction } = yield* World.charge(id, "later", { ...byCard(cards.captured), payday: Samples.tomorrow })
      yield* World.passTime("1 day")
      assert.strictEqual(yield* DueWorker.use((worker) => worker.runOnce("send payment", 9)), 1)
      assert.strictEqual((yield* Rows.transaction(transaction.myId)).status, "captured")
    }).pipe(World.inWorld())
  )

  it.effect("stores the fields that only a charge has", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      yield* World.plan(id, { myId: "box" })
      const { owner } = yield* World.charge(id, "c", {
        ...byCard(cards.captured, { qtdInstallments: 3 }),
        planMyId: "box",
        additionalInfo: "internal",
        ExtraFields: [{ tagName: "ORDER", tagValue: "1" }]
      })
      assert(owner._tag === "Charge")
      const { additionalInfo, creditCard, extraFields, planMyId } = owner.charge
      assert.deepStrictEqual(
        [additionalInfo, creditCard, extraFields, String(planMyId)],
        ["internal", { qtdInstallments: 3 }, [{ tagName: "ORDER", tagValue: "1" }], "box"]
      )
    }).pipe(World.inWorld())
  )

  it.effect("refuses a plan that does not exist or belongs to another company, also in an edit", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      const other = yield* World.company()
      yield* World.plan(other, { myId: "theirs" })
      yield* World.charge(id, "c", { ...byCard(cards.captured), payday: Samples.tomorrow })
      const editing = yield* ChargeManagement
      for (const named of [{ planMyId: MyId.make("theirs") }, { planSvcPayId: SvcPayId.make(99_999) }]) {
        const created = yield* refusalsOf(World.charge(id, "d", { ...byCard(cards.captured), ...named }))
        assert.strictEqual(created.refusal._tag, "PlanNotFound")
        const edited = yield* refusalsOf(editing.edit(id, World.ref("c"), named))
        assert.strictEqual(edited.refusal._tag, "PlanNotFound")
      }
      yield* World.plan(id, { myId: "mine" })
      yield* editing.edit(id, World.ref("c"), { planMyId: MyId.make("mine") })
    }).pipe(World.inWorld())
  )

  it.effect("returns all validation errors at once", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      const faults = { ...byCard(cards.captured, { qtdInstallments: 13 }), value: 10_000_000_000 }
      const several = yield* refusalsOf(World.charge(id, "c", { ...faults, mainPaymentMethodId: "boleto" }))
      assert.hasAllKeys(several.details, ["PaymentMethodCreditCard.qtdInstallments", "Transaction.value"])
      assert.strictEqual(yield* Rows.count("charges"), 0)
    }).pipe(World.inWorld())
  )

  it.effect("accepts at most the number of instalments that the card's brand allows", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      for (const qtdInstallments of [1, 12]) {
        yield* World.charge(id, `c${qtdInstallments}`, byCard(cards.captured, { qtdInstallments }))
      }
      for (const qtdInstallments of [0, 13]) {
        const { refusal } = yield* refusalsOf(World.charge(id, "c", byCard(cards.captured, { qtdInstallments })))
        assert.deepStrictEqual(refusal, { _tag: "InstallmentsTooMany", brand: "Visa", maximum: 12 })
      }
    }).pipe(World.inWorld())
  )

  it.effect("is cancelled in the background while its provider does not respond, and a repeated cancel succeeds", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      yield* World.charge(id, "c")
      const plan = yield* World.faults
      yield* plan.next("cancel", Fault.RequestLost(), Fault.RequestLost())
      const charges = yield* ChargeManagement
      for (const _ of [1, 2]) {
        const { transaction } = World.valueOf(yield* charges.cancel(id, World.ref("c")))
        assert.strictEqual(transaction.status, "pendingPix")
      }
      yield* World.passTime("10 seconds")
      yield* Recovery.use(({ runDueWork }) => runDueWork)
      const [charge] = yield* Rows.rows("charges")
      assert.strictEqual(charge?.["status"], "canceled")
    }).pipe(World.inWorld())
  )

  it.effect("takes the new value of its payment only after the provider has withdrawn the registration", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      yield* World.charge(id, "c")
      const plan = yield* World.faults
      yield* plan.next("cancel", Fault.Denied({ code: "paid", message: "it was paid" }))
      const charges = yield* ChargeManagement
      const dearer = charges.edit(id, World.ref("c"), { value: Cents.make(2500) })
      const seen = Effect.map(Rows.rows("charges"), (rows) =>
        rows.map(({ data }) => (JSON.parse(String(data)) as { readonly value: number }).value)
      )
      assert.strictEqual((yield* refusalsOf(dearer)).refusal._tag, "DeniedByProvider")
      assert.deepStrictEqual(yield* seen, [1990])
      const { owner, transaction } = World.valueOf(yield* dearer)
      assert(owner._tag === "Charge")
      assert.deepStrictEqual([owner.charge.value, transaction.value].map(Number), [2500, 2500])
      assert.deepStrictEqual(yield* seen, [2500])
    }).pipe(World.inWorld())
  )

  it.effect("finds an existing customer and card, and refuses a taken myId before the vault stores a card", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      const first = yield* World.charge(id, "c", byCard(cards.captured))
      const again = yield* World.charge(id, "d", {
        Customer: { svcPayId: first.customer.id },
        mainPaymentMethodId: "creditcard",
        PaymentMethodCreditCard: { Card: { svcPayId: first.card!.id } }
      })
      assert.deepStrictEqual([again.customer, again.card], [first.customer, first.card])
      const before = yield* World.vault
      const { refusal } = yield* refusalsOf(World.charge(id, "c", byCard(cards.denied)))
      assert.deepStrictEqual(refusal, { _tag: "MyIdTaken", entity: "Charge", myId: MyId.make("c") })
      assert.deepStrictEqual(yield* World.vault, before)
    }).pipe(World.inWorld())
  )

  it.effect("journals the charge and its payment, and announces the change of status with the charge", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      yield* World.listen(id)
      const { owner, transaction } = yield* World.charge(id, "c", byCard(cards.captured))
      assert(owner._tag === "Charge")
      const entries = yield* Journal.use((journal) => journal.latest(id, 20))
      const charge = entries.filter(({ subject }) => subject.kind === "charge")
      assert.deepStrictEqual(
        charge.flatMap(({ events }) => events),
        [
          { _tag: "ChargeCreated", chargeId: owner.charge.id },
          { _tag: "ChargeStatusChanged", chargeId: owner.charge.id, from: "active", to: "closed" }
        ]
      )
      yield* DeliveryWorker.use((worker) => worker.deliverDue)
      const { received } = yield* World.Receiver
      const bodies = received.map(({ body }) => JSON.parse(body))
      assert.deepStrictEqual(
        bodies.map(({ event }) => event),
        ["transaction.updateStatus"]
      )
      assert.deepInclude(bodies[0].Transaction, { svcPayId: transaction.id, chargeMyId: "c", status: "captured" })
      assert.deepInclude(bodies[0].Charge, { svcPayId: owner.charge.id, myId: "c", status: "closed" })
      assert.notProperty(bodies[0], "Subscription")
    }).pipe(World.inWorld())
  )
})

describe("editing a charge", () => {
  it.effect("to another method cancels the registration and registers the payment with the other method", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      const charges = yield* ChargeManagement
      const edit = (mainPaymentMethodId: "boleto" | "creditcard" | "pix", more: object = {}) =>
        Effect.map(charges.edit(id, World.ref("c"), { mainPaymentMethodId, ...more }), World.valueOf)
      yield* World.charge(id, "c", { mainPaymentMethodId: "boleto", payday: Samples.today })
      yield* World.passTime("2 days")
      const toPix = yield* edit("pix", { value: 900 })
      assert.deepInclude(stateOf(toPix), { charge: "active", payment: "pendingPix" })
      assert.deepInclude(toPix.owner._tag === "Charge" ? toPix.owner.charge : {}, {
        mainPaymentMethodId: "pix",
        value: 900
      })
      assert.deepInclude(toPix.transaction as object, { method: "pix", value: 900, payday: "2026-09-23" })
      assert.isDefined("registration" in toPix.transaction ? toPix.transaction.registration : undefined)
      assert.deepStrictEqual(
        (yield* World.providerRequests).map(({ call }) => call).filter((call) => call !== "lookup"),
        ["register", "cancel", "open"]
      )
      assert.strictEqual(World.refusalOf(yield* Effect.flip(edit("creditcard"))), "ChargeWithoutCard")
    }).pipe(World.inWorld())
  )

  it.effect(
    "from a denied card to a Pix registers it, back to the card charges the card, and a paid one is refused",
    () =>
      Effect.gen(function* () {
        const id = yield* World.company()
        const charges = yield* ChargeManagement
        const edit = (mainPaymentMethodId: "creditcard" | "pix") =>
          Effect.map(charges.edit(id, World.ref("c"), { mainPaymentMethodId }), World.valueOf)
        yield* World.charge(id, "c", { ...byCard(cards.denied), payday: Samples.today })
        assert.strictEqual((yield* edit("pix")).transaction.status, "pendingPix")
        yield* edit("creditcard")
        yield* DueWorker.use((worker) => worker.runOnce("send payment", 9))
        const again = yield* edit("creditcard")
        assert.strictEqual(again.transaction.status, "denied")
        yield* World.charge(id, "paid", byCard(cards.captured))
        const refused = yield* Effect.flip(charges.edit(id, World.ref("paid"), { mainPaymentMethodId: "pix" }))
        assert.strictEqual(World.refusalOf(refused), "NotEditable")
      }).pipe(World.inWorld())
  )

  it.effect("journals the change once with its previous and new values, also when the edit ends the charge", () =>
    Effect.gen(function* () {
      const id = yield* World.company()
      const { owner } = yield* World.charge(id, "c", { ...byCard(cards.captured), payday: Samples.tomorrow })
      assert(owner._tag === "Charge")
      const chargeId = owner.charge.id
      const charges = yield* ChargeManagement
      yield* charges.edit(id, World.ref("c"), { additionalInfo: "paid in cash", payedOutsideSvcPay: true })
      const [created, edited, ...others] = (yield* Journal.use((journal) => journal.latest(id, 20))).filter(
        ({ subject }) => subject.kind === "charge"
      )
      assert.deepStrictEqual([created?.before, others], [undefined, []])
      assert.deepStrictEqual(edited?.events, [
        { _tag: "ChargeEdited", chargeId },
        { _tag: "ChargeStatusChanged", chargeId, from: "active", to: "closed" }
      ])
      assert.deepInclude(edited?.before, { additionalInfo: null, status: "active" })
      assert.deepInclude(edited?.after, { additionalInfo: "paid in cash", status: "closed" })
    }).pipe(World.inWorld())
  )
})
