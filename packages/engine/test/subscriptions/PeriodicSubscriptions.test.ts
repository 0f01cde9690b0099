import { assert, describe, it } from "@effect/vitest"
import { CreateSubscription } from "@parcela/core/subscriptions/Subscription"
import { dateAt } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { subjectOf } from "@parcela/engine/command/IdempotencyKey"
import { isCompanyRestored } from "@parcela/engine/ports/StoreError"
import { PeriodicSubscriptions } from "@parcela/engine/subscriptions/PeriodicSubscriptions"
import { SubscriptionChanges } from "@parcela/engine/subscriptions/SubscriptionEditing"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Periodic from "../fixtures/Periodic.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const worker = (count = 100) => DueWorker.use((due) => due.runOnce("make instalments", count))

const has = (state: object | undefined, fields: object) => assert.deepInclude(state, fields)

const refusal = <A, E extends object, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), World.refusalOf)

describe("creating a periodic subscription", () => {
  it.effect("charges the first instalment at once when it is due today, and returns the outcome", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const created = yield* Periodic.create(company, Periodic.monthlyByCard())
      const [first, ...others] = created.Transactions
      assert.deepStrictEqual(others, [])
      has(first, { value: 1990, payday: Samples.today, installment: 1, status: "captured" })
      assert.isString(first!.tid)
      has(created, {
        status: "active",
        value: 1990,
        quantity: 0,
        periodicity: "monthly",
        firstPayDayDate: Samples.today
      })
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("returns a denial in the instalment, and creates the subscription", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const created = yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.denied))
      assert.strictEqual(created.Transactions[0]!.status, "denied")
      assert.isDefined(created.Transactions[0]!.AbecsReasonDenied)
    }).pipe(World.inWorld())
  )

  it.effect("returns an open instalment when its outcome is unknown, and records the outcome later", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* plan.next("charge", World.ResponseLost())
      yield* plan.next("lookup", World.ResponseLost())
      const created = yield* Periodic.create(company, Periodic.monthlyByCard())
      assert.strictEqual(created.Transactions[0]!.status, "notSend")
      yield* World.passTime("2 seconds")
      yield* DueWorker.use((due) => due.runOnce("resolve attempt", 1))
      assert.strictEqual((yield* Periodic.payments(company))[0]!.status, "captured")
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("registers the first instalment by boleto or Pix", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const pix = yield* Periodic.create(company, Periodic.monthly())
      const boleto = yield* Periodic.create(company, Periodic.monthly({ myId: "b", mainPaymentMethodId: "boleto" }))
      assert.isString(pix.Transactions[0]!.Pix!.qrCode)
      assert.isString(boleto.Transactions[0]!.Boleto!.bankLine)
    }).pipe(World.inWorld())
  )

  it.effect("sends nothing before the first day, and creates all instalments of a fixed quantity", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company)
      const changes = { quantity: 3, firstPayDayDate: "2027-01-31" }
      const created = yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, changes))
      assert.deepStrictEqual(
        created.Transactions.map(({ installment, payday, status }) => [installment, payday, status]),
        [
          [1, "2027-01-31", "notSend"],
          [2, "2027-02-28", "notSend"],
          [3, "2027-03-31", "notSend"]
        ]
      )
      assert.deepStrictEqual(yield* World.ledger, [])
      assert.deepStrictEqual(
        (yield* Rows.deliveries).map(({ event }) => event),
        Array.from({ length: 3 }, () => "subscription.addTransaction")
      )
    }).pipe(World.inWorld())
  )

  it.effect("creates many instalments in parts, and none twice when two processes continue", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const changes = { quantity: 130, periodicity: "weekly", firstPayDayDate: Samples.tomorrow }
      const created = yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, changes))
      assert.lengthOf(created.Transactions, 24)
      for (let part = 0; part < 5; part++) {
        yield* Effect.all([worker(1), World.inAnotherProcess(worker(1))], { concurrency: "unbounded" })
      }
      const made = yield* Periodic.payments(company)
      assert.deepStrictEqual(
        made.map(({ installment }) => installment),
        Array.from({ length: 120 }, (_, place) => place + 1)
      )
      assert.strictEqual(yield* worker(), 0)
      // Each week one falls due, and one more is made.
      yield* Periodic.advance(company, 8)
      assert.lengthOf(yield* Periodic.payments(company), 122)
    }).pipe(World.inWorld())
  )

  it.effect("asks the client to repeat the request when a restore removed the subscription of the key", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const sql = yield* SqlClient.SqlClient
      const row = { company_id: company, idempotency_key: "k", fingerprint: "f", created_at: 0 }
      yield* sql`INSERT INTO idempotency_keys ${sql.insert({ ...row, subject: subjectOf("subscription", SvcPayId.make(7)) })}`
      const key = { name: { companyId: company, key: "k", fingerprint: "f" }, respond: () => assert.fail() }
      const command = yield* Schema.decodeUnknownEffect(CreateSubscription)(Periodic.monthly())
      const error = yield* Effect.flip(PeriodicSubscriptions.use(({ create }) => create(company, command, key)))
      assert.isTrue(isCompanyRestored(error))
    }).pipe(World.inWorld())
  )

  it.effect("waits for a card with its first instalment, which is neither returned nor sent", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company)
      const created = yield* Periodic.create(company, Periodic.monthly({ mainPaymentMethodId: "creditcard" }))
      assert.strictEqual(created.status, "waitingPayment")
      const [first, ...others] = created.Transactions
      assert.deepStrictEqual(others, [])
      has(first, { status: "notSend", value: 1990, payday: Samples.today, installment: 1, CreditCard: undefined })
      assert.strictEqual(yield* Rows.count("due_work"), 0)
      assert.deepStrictEqual(
        (yield* Rows.deliveries).map(({ event }) => event),
        ["subscription.addTransaction"]
      )
      const retried = yield* Effect.flip(World.retry(company, first!.myId!))
      assert.strictEqual(World.refusalOf(retried), "CardMissing")
    }).pipe(World.inWorld())
  )

  it.effect("assigns the card of an added payment to the waiting instalments", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthly({ mainPaymentMethodId: "creditcard", quantity: 3 }))
      yield* Periodic.advance(company, 40)
      assert.deepStrictEqual(
        (yield* Periodic.payments(company)).map(({ status }) => status),
        ["notSend", "notSend", "notSend"]
      )
      yield* World.pay(company, "more", {
        payday: "2027-01-01",
        PaymentMethodCreditCard: Samples.card(Samples.cards.captured)
      })
      yield* Periodic.advance(company, 1)
      // What was agreed on is a debt: two of three were due.
      assert.deepStrictEqual(
        (yield* Periodic.payments(company)).map(({ status }) => status),
        ["captured", "captured", "notSend", "notSend"]
      )
      assert.lengthOf(yield* World.ledger, 2)
    }).pipe(World.inWorld())
  )

  it.effect("allows a waiting payment to be paid by its own card, waived, or cancelled with the subscription", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const Transactions = [1, 2, 3].map((installment) => ({ installment, myId: `p${installment}` }))
      const body = Periodic.monthly({ mainPaymentMethodId: "creditcard", quantity: 3, Transactions })
      yield* Periodic.create(company, body)
      const card = Samples.card(Samples.cards.captured)
      assert.strictEqual((yield* World.edit(company, "p1", { PaymentMethodCreditCard: card })).status, "captured")
      assert.strictEqual((yield* World.waive(company, "p2")).status, "free")
      yield* SubscriptionChanges.use((changes) => changes.cancel(company, World.ref("sub")))
      assert.deepStrictEqual(
        (yield* Periodic.payments(company)).map(({ status }) => status),
        ["captured", "free", "cancelByContract"]
      )
    }).pipe(World.inWorld())
  )

  it.effect("applies the different values of single instalments", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const Transactions = [
        { installment: 1, myId: "paid", payedOutsideSvcPay: true },
        { installment: 30, myId: "thirty", value: 1, payday: "2029-01-15", additionalInfo: "half" }
      ]
      const changes = { quantity: 36, Transactions }
      const created = yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, changes))
      has(created.Transactions[0], { myId: "paid", status: "payExternal", payedOutsideSvcPay: true })
      yield* worker()
      const thirty = (yield* Periodic.payments(company))[29]!
      has(thirty, { myId: "thirty", value: 1, payday: "2029-01-15", additionalInfo: "half" })
      assert.deepStrictEqual(yield* World.ledger, [])
    }).pipe(World.inWorld())
  )

  it.effect("is refused before the vault stores its card", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribeBy(company, "pix")
      yield* World.pay(company, "taken")
      const byCard = (changes: object) =>
        refusal(Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, changes)))
      assert.strictEqual(yield* byCard({}), "MyIdTaken")
      assert.strictEqual((yield* World.vault).requests, 0)
      assert.strictEqual(yield* byCard({ myId: "b", firstPayDayDate: "2026-09-20" }), "InstalmentPast")
      assert.strictEqual(yield* byCard({ myId: "b", Transactions: [{ installment: 1, myId: "taken" }] }), "MyIdTaken")
      assert.strictEqual(yield* Rows.count("subscriptions"), 1)
    }).pipe(World.inWorld())
  )
})

describe("a subscription without end", () => {
  it.effect("is billed for a year, each month on its day, one instalment ahead", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company)
      const first = "2027-01-31"
      yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, { firstPayDayDate: first }))
      const { waitingWork, work } = yield* Periodic.advance(company, 486)
      const days = ["01-31", "02-28", "03-31", "04-30", "05-31", "06-30", "07-31", "08-31", "09-30", "10-31", "11-30"]
      const year = [...days, "12-31"].map((day) => `2027-${day}`)
      assert.deepStrictEqual(yield* Periodic.paydays(company), [...year, "2028-01-31"])
      assert.deepStrictEqual(
        (yield* World.providerRequests).filter(({ call }) => call === "charge").map(({ at }) => dateAt(Number(at))),
        year
      )
      assert.deepStrictEqual(waitingWork, [])
      // Each payment created the next one.
      assert.deepStrictEqual(work, [{ kind: "send payment", outcome: "captured", count: 12 }])
      const announced = (yield* Rows.deliveries).filter(({ event }) => event === "subscription.addTransaction")
      assert.lengthOf(announced, 13)
      assert.strictEqual(yield* Periodic.status, "active")
    }).pipe(World.inWorld())
  )

  it.effect("gets its next instalment in the transaction that starts the charge of the previous one", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company)
      const changes = { firstPayDayDate: Samples.tomorrow }
      yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, changes))
      yield* World.passTime("1 day")
      yield* DueWorker.use((due) => due.runOnce("send payment", 100))
      assert.deepStrictEqual(
        (yield* Periodic.payments(company)).map(({ installment, status }) => [installment, status]),
        [
          [1, "captured"],
          [2, "notSend"]
        ]
      )
      assert.deepStrictEqual(
        (yield* Rows.deliveries).map(({ event }) => event),
        ["subscription.addTransaction", "subscription.addTransaction", "transaction.updateStatus"]
      )
      assert.strictEqual(yield* worker(), 0)
      yield* Periodic.advance(company, 31)
      assert.lengthOf(yield* Periodic.payments(company), 3)
    }).pipe(World.inWorld())
  )

  it.effect("creates an instalment with a given myId by a job, which checks that the myId is free", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const named = { installment: 2, myId: "second" }
      const changes = { firstPayDayDate: Samples.tomorrow, Transactions: [named] }
      yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, changes))
      yield* World.passTime("1 day")
      yield* DueWorker.use((due) => due.runOnce("send payment", 100))
      assert.lengthOf(yield* Periodic.payments(company), 1)
      assert.strictEqual(yield* worker(), 1)
      assert.strictEqual((yield* Periodic.payments(company))[1]!.myId, "second")
    }).pipe(World.inWorld())
  )

  it.effect("gives an added payment its value, and the day after its last instalment", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthly({ quantity: 2 }))
      const nothing = { value: undefined, payday: undefined }
      const added = yield* World.pay(company, "p", nothing)
      assert.deepStrictEqual([added.value, added.payday], [1990, "2026-11-21"])
      yield* World.subscribeBy(company, "pix", "manual")
      assert.strictEqual(
        World.refusalOf(yield* Effect.flip(World.pay(company, "q", nothing, "manual"))),
        "PaymentIncomplete"
      )
    }).pipe(World.inWorld())
  )

  it.effect("from 29 February is due every year, on 28 February in other years", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthly({ periodicity: "yearly", firstPayDayDate: "2028-02-29" }))
      yield* Periodic.advance(company, 5 * 365)
      assert.deepStrictEqual(yield* Periodic.paydays(company), [
        "2028-02-29",
        "2029-02-28",
        "2030-02-28",
        "2031-02-28",
        "2032-02-29"
      ])
    }).pipe(World.inWorld())
  )

  it.effect("loses no instalment when a process stops while it creates one", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthly())
      // The worker that leased the row is gone.
      const sql = yield* SqlClient.SqlClient
      const leased = Samples.start + 60_000
      yield* sql`UPDATE due_work SET lease = 'gone', lease_owner = 'gone', due_at = ${leased}, waits_since = ${Samples.start},
        clock = 'machine' WHERE kind = 'make instalments'`
      assert.strictEqual(yield* worker(), 0)
      yield* World.passTime("61 seconds")
      assert.strictEqual(yield* worker(), 1)
      assert.deepStrictEqual(yield* Periodic.paydays(company), [Samples.today, "2026-10-21"])
    }).pipe(World.inWorld())
  )
})

describe("a subscription of a fixed quantity", () => {
  it.effect("is closed when its last instalment becomes due, and that one is charged", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, { quantity: 3 }))
      yield* Periodic.advance(company, 60)
      assert.strictEqual(yield* Periodic.status, "active")
      yield* Periodic.advance(company, 1)
      assert.strictEqual(yield* Periodic.status, "closed")
      assert.deepStrictEqual(
        (yield* Periodic.payments(company)).map(({ status }) => status),
        ["captured", "captured", "captured"]
      )
      assert.strictEqual(yield* Rows.count("due_work"), 0)
    }).pipe(World.inWorld())
  )
})
