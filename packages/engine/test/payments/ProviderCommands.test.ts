import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import { reversedOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import type { KeyUse } from "@parcela/engine/command/IdempotencyKey"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { Payments } from "@parcela/engine/payments/Payments"
import { Recovery } from "@parcela/engine/work/Recovery"
import { Fault } from "@parcela/provider-simulator/InjectedFailures"
import { Duration, Effect, Fiber } from "effect"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const { ResponseLost, RequestLost, refusalOf, Slow } = World

const no = Fault.Denied({ code: "57", message: "not permitted" })

const captured = Effect.fnUntraced(function* () {
  const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
  yield* World.pay(company, "p")
  return company
})

const held = Effect.fnUntraced(function* () {
  const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
  yield* World.pay(company, "p", { PaymentMethodCreditCard: { preAuthorize: true } })
  return company
})

const pending = Effect.fnUntraced(function* (method: "boleto" | "pix") {
  const company = yield* World.company()
  yield* World.subscribeBy(company, method)
  yield* World.pay(company, "p")
  return company
})

/** The amounts of one kind of effect at the providers. */
const done = (effect: string) =>
  Effect.map(World.providerRequests, (entries): ReadonlyArray<number | null> =>
    entries.flatMap((entry) => (entry.effect === effect ? [entry.value] : []))
  )

const givenBack = (state: TransactionState): number => reversedOf(state)

const keyOf = (companyId: CompanyId, key = "k"): KeyUse<PaymentContext> => ({
  name: { companyId, key, fingerprint: "f" },
  respond: ({ transaction }) => ({ status: 200, body: transaction.status })
})

describe("reverse", () => {
  it.effect("refunds the whole amount, announces the refund and journals it", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      yield* World.listen(company)
      const reversed = yield* World.reverse(company, "p")
      assert.strictEqual(reversed.status, "reversed")
      assert.deepStrictEqual(yield* done("reversed"), [1990])
      assert.deepStrictEqual((yield* Rows.journal).slice(-2), ["TransactionReversed", "TransactionStatusChanged"])
      assert.deepStrictEqual(
        (yield* Rows.deliveries).map(({ event, payload }) => [event, payload.Transaction.status]),
        [["transaction.updateStatus", "reversed"]]
      )
      assert.strictEqual(refusalOf(yield* Effect.flip(World.reverse(company, "p"))), "TransactionCannot")
    }).pipe(World.inWorld())
  )

  it.effect("refunds parts until nothing remains, and never more", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      const first = yield* World.reverse(company, "p", 500)
      assert.deepStrictEqual([first.status, givenBack(first)], ["captured", 500])
      assert.strictEqual(refusalOf(yield* Effect.flip(World.reverse(company, "p", 1491))), "ReversalOutOfRange")
      assert.strictEqual((yield* World.reverse(company, "p", 400)).status, "captured")
      assert.strictEqual((yield* World.reverse(company, "p")).status, "reversed")
      assert.deepStrictEqual(yield* done("reversed"), [500, 400, 1090])
    }).pipe(World.inWorld())
  )

  it.effect("is executed once for concurrent requests with the same amount, and refused for another amount", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      const plan = yield* World.faults
      yield* plan.next("reverse", Slow({ delay: Duration.seconds(5) }))
      const same = yield* Effect.forkChild(
        Effect.all(
          [1, 2, 3, 4].map(() => World.reverse(company, "p", 500)),
          { concurrency: "unbounded" }
        )
      )
      yield* World.passTime("1 second")
      assert.strictEqual(refusalOf(yield* Effect.flip(World.reverse(company, "p", 600))), "AttemptPending")
      assert.strictEqual(refusalOf(yield* Effect.flip(World.reverse(company, "p"))), "AttemptPending")
      yield* World.passTime("4 seconds")
      for (const one of yield* Fiber.join(same)) assert.strictEqual(givenBack(one), 500)
      assert.deepStrictEqual(yield* done("reversed"), [500])
    }).pipe(World.inWorld())
  )

  it.effect("of a part under another key is a separate reversal: refused during the first, executed after it", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      const plan = yield* World.faults
      yield* plan.next("reverse", Slow({ delay: Duration.seconds(5) }))
      const give = (key: string) =>
        Payments.use((payments) =>
          payments.reverse(company, World.ref("p"), { valueToReverse: Cents.make(500) }, keyOf(company, key))
        )
      const both = yield* Effect.forkChild(Effect.all([give("a"), give("a")], { concurrency: "unbounded" }))
      yield* World.passTime("1 second")
      assert.strictEqual(refusalOf(yield* Effect.flip(give("b"))), "AttemptPending")
      yield* World.passTime("4 seconds")
      yield* Fiber.join(both)
      assert.deepStrictEqual(yield* done("reversed"), [500])
      yield* give("b")
      assert.deepStrictEqual(yield* done("reversed"), [500, 500])
    }).pipe(World.inWorld())
  )

  it.effect("of the whole remainder under another key joins the open reversal", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      const plan = yield* World.faults
      yield* plan.next("reverse", Slow({ delay: Duration.seconds(5) }))
      const give = (key: string) =>
        Payments.use((payments) => payments.reverse(company, World.ref("p"), {}, keyOf(company, key)))
      const both = yield* Effect.forkChild(Effect.all([give("a"), give("b")], { concurrency: "unbounded" }))
      yield* World.passTime("5 seconds")
      yield* Fiber.join(both)
      assert.deepStrictEqual(yield* done("reversed"), [1990])
    }).pipe(World.inWorld())
  )

  it.effect("returns the stored response to all repeats of one key, though the payment changes in between", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      const plan = yield* World.faults
      yield* plan.next("reverse", Slow({ delay: Duration.seconds(5) }))
      // Each look at the payment sees another one.
      let reads = 0
      const key = { ...keyOf(company), respond: () => ({ status: 200, body: `look ${++reads}` }) }
      const give = Payments.use((payments) => payments.reverse(company, World.ref("p"), {}, key))
      const all = yield* World.whileTimePasses(Effect.all([give, give, give], { concurrency: "unbounded" }))
      // One of them carried it, and what it has is what it stored.
      const others = all.filter(({ _tag }) => _tag === "Replayed")
      const stored = { _tag: "Replayed", response: { status: 200, body: "look 1" } } as const
      assert.deepStrictEqual([...others, yield* give], [stored, stored, stored])
    }).pipe(World.inWorld())
  )

  it.effect("leaves the payment unchanged when the operator denies it, also under a key", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      const plan = yield* World.faults
      yield* plan.next("reverse", no)
      const give = Payments.use((payments) => payments.reverse(company, World.ref("p"), {}, keyOf(company)))
      const refused = yield* Effect.flip(give)
      assert.deepStrictEqual("refusal" in refused ? refused.refusal : refused, {
        _tag: "DeniedByProvider",
        provider: "cardOperator",
        code: "57",
        message: "not permitted"
      })
      assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
      const requested = (yield* World.providerRequests).length
      assert.strictEqual(refusalOf(yield* Effect.flip(give)), "DeniedByProvider")
      assert.lengthOf(yield* World.providerRequests, requested)
      // Without the key it is a command of its own.
      assert.strictEqual((yield* World.reverse(company, "p")).status, "reversed")
    }).pipe(World.inWorld())
  )

  it.effect("is executed once when a repeat joins an attempt with an unknown outcome", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      const plan = yield* World.faults
      yield* plan.next("reverse", ResponseLost())
      const give = Payments.use((payments) => payments.reverse(company, World.ref("p"), {}, keyOf(company)))
      assert.strictEqual((yield* Effect.flip(give))._tag, "OutcomeUnknown")
      assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
      // The process that gave up asks again at once.
      const completed = yield* give
      assert.strictEqual(completed._tag === "Done" ? completed.value.transaction.status : undefined, "reversed")
      assert.deepStrictEqual(yield* give, { _tag: "Replayed", response: { status: 200, body: "reversed" } })
      assert.deepStrictEqual(yield* done("reversed"), [1990])
    }).pipe(World.inWorld())
  )

  it.effect("is executed by a worker when the request never arrived", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      const plan = yield* World.faults
      const { runDueWork } = yield* Recovery
      yield* plan.next("reverse", RequestLost())
      assert.strictEqual((yield* Effect.flip(World.reverse(company, "p")))._tag, "OutcomeUnknown")
      yield* World.passTime("10 seconds")
      yield* runDueWork
      assert.strictEqual((yield* Rows.transaction("p")).status, "reversed")
    }).pipe(World.inWorld())
  )

  it.effect("is not joined by a retry, and is refused to another company", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      const plan = yield* World.faults
      yield* plan.next("reverse", RequestLost())
      yield* Effect.flip(World.reverse(company, "p"))
      assert.strictEqual(refusalOf(yield* Effect.flip(World.retry(company, "p"))), "NotRetriable")
      const other = yield* World.company()
      const commands = [
        Effect.flip(World.reverse(other, "p")),
        Effect.flip(World.capture(other, "p")),
        Effect.flip(World.cancel(other, "p"))
      ]
      for (const refused of commands) assert.strictEqual(refusalOf(yield* refused), "TransactionNotFound")
    }).pipe(World.inWorld())
  )
})

describe("a pre-authorized payment", () => {
  it.effect("is authorized, captured once even by concurrent requests, and refunded at most once", () =>
    Effect.gen(function* () {
      const company = yield* held()
      assert.strictEqual((yield* Rows.transaction("p")).status, "authorized")
      assert.deepStrictEqual([yield* done("authorized"), yield* done("captured")], [[1990], []])
      const plan = yield* World.faults
      yield* plan.next("capture", Slow({ delay: Duration.seconds(5) }))
      const captures = yield* Effect.forkChild(
        Effect.all([World.capture(company, "p"), World.capture(company, "p")], { concurrency: "unbounded" })
      )
      yield* World.passTime("5 seconds")
      for (const { status } of yield* Fiber.join(captures)) assert.strictEqual(status, "captured")
      assert.deepStrictEqual(yield* done("captured"), [1990])
      assert.strictEqual(refusalOf(yield* Effect.flip(World.capture(company, "p"))), "TransactionCannot")
      assert.strictEqual((yield* World.reverse(company, "p")).status, "reversed")
      assert.deepStrictEqual(yield* done("reversed"), [1990])
    }).pipe(World.inWorld())
  )

  it.effect("is released as a whole, not in part", () =>
    Effect.gen(function* () {
      const company = yield* held()
      assert.strictEqual(refusalOf(yield* Effect.flip(World.reverse(company, "p", 500))), "AuthorizedInPart")
      assert.strictEqual((yield* World.reverse(company, "p")).status, "reversed")
      assert.deepStrictEqual([yield* done("captured"), yield* done("reversed")], [[], [1990]])
    }).pipe(World.inWorld())
  )

  it.effect("is not captured by a retry during its release", () =>
    Effect.gen(function* () {
      const company = yield* held()
      const plan = yield* World.faults
      yield* plan.next("reverse", RequestLost())
      yield* Effect.flip(World.reverse(company, "p"))
      for (const refused of [Effect.flip(World.retry(company, "p")), Effect.flip(World.capture(company, "p"))]) {
        assert.strictEqual(refusalOf(yield* refused), "AttemptPending")
      }
      assert.strictEqual((yield* World.reverse(company, "p")).status, "reversed")
      assert.deepStrictEqual(yield* done("captured"), [])
    }).pipe(World.inWorld())
  )

  it.effect("is denied when the operator denies the capture, without an error", () =>
    Effect.gen(function* () {
      const company = yield* held()
      const plan = yield* World.faults
      yield* plan.next("capture", no)
      assert.strictEqual((yield* World.capture(company, "p")).status, "denied")
      // What was held is released, so that a retry holds the amount once.
      assert.deepStrictEqual([yield* done("authorized"), yield* done("reversed")], [[1990], [1990]])
      assert.strictEqual((yield* World.retry(company, "p")).status, "authorized")
      assert.deepStrictEqual([yield* done("authorized"), yield* done("captured")], [[1990, 1990], []])
    }).pipe(World.inWorld())
  )
})

describe("cancel", () => {
  it.effect("ends an unpaid card payment and its scheduled job", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.denied)
      yield* World.pay(company, "later", { payday: Samples.tomorrow })
      yield* World.pay(company, "denied")
      yield* World.listen(company)
      const requested = (yield* World.providerRequests).length
      for (const myId of ["later", "denied"]) {
        assert.strictEqual((yield* World.cancel(company, myId)).status, "cancel")
      }
      assert.lengthOf(yield* World.providerRequests, requested)
      assert.deepStrictEqual(
        (yield* Rows.rows("due_work")).filter(({ kind }) => kind === "send payment"),
        []
      )
      assert.deepStrictEqual(
        (yield* Rows.deliveries).map(({ event, payload }) => [event, payload.Transaction.status]),
        [
          ["transaction.updateStatus", "cancel"],
          ["transaction.updateStatus", "cancel"]
        ]
      )
    }).pipe(World.inWorld())
  )

  for (const method of ["boleto", "pix"] as const) {
    it.effect(`withdraws a ${method} at its provider, once`, () =>
      Effect.gen(function* () {
        const company = yield* pending(method)
        assert.strictEqual((yield* World.cancel(company, "p")).status, "cancel")
        assert.lengthOf(yield* done("canceled"), 1)
        const events = (yield* Rows.journal).length
        assert.strictEqual(refusalOf(yield* Effect.flip(World.cancel(company, "p"))), "CancelledBefore")
        assert.lengthOf(yield* done("canceled"), 1)
        assert.lengthOf(yield* Rows.journal, events)
      }).pipe(World.inWorld())
    )

    it.effect(`of a ${method} that its provider denies leaves the payment open`, () =>
      Effect.gen(function* () {
        const company = yield* pending(method)
        const plan = yield* World.faults
        yield* plan.next("cancel", no)
        assert.strictEqual(refusalOf(yield* Effect.flip(World.cancel(company, "p"))), "DeniedByProvider")
        assert.match((yield* Rows.transaction("p")).status, /^pending/u)
        assert.strictEqual((yield* World.cancel(company, "p")).status, "cancel")
      }).pipe(World.inWorld())
    )
  }

  it.effect("is refused during a provider request, and after a payment", () =>
    Effect.gen(function* () {
      const company = yield* captured()
      const plan = yield* World.faults
      yield* plan.next("charge", RequestLost())
      yield* World.pay(company, "under way")
      assert.strictEqual(refusalOf(yield* Effect.flip(World.cancel(company, "under way"))), "AttemptPending")
      assert.strictEqual(refusalOf(yield* Effect.flip(World.cancel(company, "p"))), "TransactionCannot")
    }).pipe(World.inWorld())
  )
})

describe("waive", () => {
  it.effect("ends an unpaid card payment with its own status, and closes the charge", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.denied)
      yield* World.pay(company, "later", { payday: Samples.tomorrow })
      yield* World.pay(company, "denied")
      yield* World.listen(company)
      for (const myId of ["later", "denied"]) assert.strictEqual((yield* World.waive(company, myId)).status, "free")
      const announced = (yield* Rows.deliveries).map(({ event, payload }) => [event, payload.Transaction.status])
      assert.deepStrictEqual(announced, [
        ["transaction.updateStatus", "free"],
        ["transaction.updateStatus", "free"]
      ])
      assert.strictEqual(refusalOf(yield* Effect.flip(World.cancel(company, "later"))), "TransactionCannot")
      const { transaction } = yield* World.charge(company, "c", Samples.cardMethod(Samples.cards.denied))
      const waived = World.valueOf(
        yield* Payments.use((payments) => payments.waive(company, bySvcPayId(transaction.id)))
      )
      assert(waived.owner._tag === "Charge")
      assert.deepStrictEqual([waived.transaction.status, waived.owner.charge.status], ["free", "closed"])
    }).pipe(World.inWorld())
  )

  for (const method of ["boleto", "pix"] as const) {
    it.effect(`withdraws a ${method} at its provider once, and leaves it open after a denial`, () =>
      Effect.gen(function* () {
        const company = yield* pending(method)
        const plan = yield* World.faults
        yield* plan.next("cancel", no)
        assert.strictEqual(refusalOf(yield* Effect.flip(World.waive(company, "p"))), "DeniedByProvider")
        assert.match((yield* Rows.transaction("p")).status, /^pending/u)
        for (const _ of [1, 2]) assert.strictEqual((yield* World.waive(company, "p")).status, "free")
        assert.lengthOf(yield* done("canceled"), 1)
      }).pipe(World.inWorld())
    )
  }

  it.effect("does not join an open cancellation, and is not joined by one", () =>
    Effect.gen(function* () {
      const company = yield* pending("pix")
      const plan = yield* World.faults
      yield* plan.next("cancel", Slow({ delay: Duration.seconds(5) }))
      const waiving = yield* Effect.forkChild(World.waive(company, "p"))
      yield* World.passTime("1 second")
      assert.strictEqual(refusalOf(yield* Effect.flip(World.cancel(company, "p"))), "AttemptPending")
      yield* World.passTime("4 seconds")
      assert.strictEqual((yield* Fiber.join(waiving)).status, "free")
      assert.strictEqual(refusalOf(yield* Effect.flip(World.waive(yield* captured(), "p"))), "TransactionCannot")
    }).pipe(World.inWorld())
  )
})
