import { assert, describe, it } from "@effect/vitest"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/Instant"
import { IncomingPayments } from "@parcela/engine/ports/IncomingPayments"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Clock, Effect } from "effect"
import { announced, receive, reportOf, settled, standings } from "../fixtures/Receipts.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as World from "@parcela/test-world/World"

const pending = Effect.fnUntraced(function* (method: "boleto" | "pix") {
  const company = yield* World.company()
  yield* World.listen(company)
  yield* World.subscribeBy(company, method)
  yield* World.pay(company, "p")
  return company
})

const now = Effect.map(Clock.currentTimeMillis, (millis) => BusinessTime.make(millis))

const statusOf = (myId: string) => Effect.map(Rows.transaction(myId), ({ status }) => status)

const problems = Effect.map(
  IncomingPayments.use(({ list }) => list({ standing: "unmatched" }, { after: 0, limit: 100 })),
  (all) => all.map(({ problem }) => problem)
)

describe("a reported payment", () => {
  for (const method of ["boleto", "pix"] as const) {
    const paid = method === "pix" ? "payedPix" : "payedBoleto"

    it.effect(`of a ${method} that arrives five times is applied and announced once`, () =>
      Effect.gen(function* () {
        const company = yield* pending(method)
        const report = yield* reportOf("p", { id: "E1", fee: Cents.make(7) })
        const received = yield* Effect.all(
          Array.from({ length: 5 }, () => receive(report)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(received.filter(({ isNew }) => isNew).length, 1)
        assert.strictEqual(yield* statusOf("p"), paid)
        assert.deepStrictEqual(yield* settled("p"), [["E1", 1990]])
        assert.deepStrictEqual(yield* announced, [paid])
        assert.strictEqual((yield* Rows.journal).filter((tag) => tag === "TransactionSettled").length, 1)
        const again = yield* receive(report)
        assert.deepStrictEqual([again.isNew, again.payment.standing], [false, "applied"])
        assert.strictEqual(again.payment.companyId, company)
        assert.deepStrictEqual(
          (yield* Rows.rows("due_work")).map(({ kind }) => kind).filter((kind) => kind === "apply payment"),
          []
        )
      }).pipe(World.inWorld())
    )
  }

  it.effect("of a Pix is found later by its end-to-end id", () =>
    Effect.gen(function* () {
      yield* pending("pix")
      yield* receive(yield* reportOf("p", { id: "E0000000020260921141312345678901" }))
      const found = yield* Transactions.use(({ findByReference }) =>
        findByReference({ kind: "endToEndId", value: "E0000000020260921141312345678901" })
      )
      assert.deepStrictEqual(
        found.map(({ myId }) => String(myId)),
        ["p"]
      )
    }).pipe(World.inWorld())
  )

  for (const [value, status] of [
    [1989, "lessValueBoleto"],
    [1990, "payedBoleto"],
    [1991, "moreValueBoleto"]
  ] as const) {
    it.effect(`of ${value} for a boleto of 1990 makes it ${status}, and a second one paidDuplicityBoleto`, () =>
      Effect.gen(function* () {
        yield* pending("boleto")
        yield* receive(yield* reportOf("p", { id: "1", value: Cents.make(value) }))
        assert.strictEqual(yield* statusOf("p"), status)
        yield* receive(yield* reportOf("p", { id: "2" }))
        assert.deepStrictEqual(yield* announced, [status, "paidDuplicityBoleto"])
        assert.deepStrictEqual(yield* settled("p"), [
          ["1", value],
          ["2", 1990]
        ])
      }).pipe(World.inWorld())
    )
  }

  it.effect("closes the charge of its payment", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const { transaction } = yield* World.charge(company, "c")
      yield* receive(yield* reportOf(transaction.myId, { id: "E1" }))
      const [charge] = yield* Rows.rows("charges")
      assert.strictEqual(charge!["status"], "closed")
    }).pipe(World.inWorld())
  )

  it.effect("that its transaction refuses is stored with the reason, and changes nothing", () =>
    Effect.gen(function* () {
      const company = yield* pending("pix")
      yield* receive(yield* reportOf("p", { id: "less", value: Cents.make(1) }))
      assert.strictEqual(yield* statusOf("p"), "pendingPix")
      const report = yield* reportOf("p", { id: "late" })
      yield* World.cancel(company, "p")
      yield* receive(report)
      yield* receive(report)
      assert.strictEqual(yield* statusOf("p"), "cancel")
      assert.deepStrictEqual(yield* announced, ["cancel"])
      assert.deepStrictEqual(yield* standings, [
        ["less", "unmatched"],
        ["late", "unmatched"]
      ])
      assert.deepStrictEqual(
        (yield* problems).map((problem) => problem!.split(":")[0]),
        ["Transaction.value", "Transaction.status"]
      )
    }).pipe(World.inWorld())
  )

  it.effect("that is repeated with another amount stores both reports, and the first one counts", () =>
    Effect.gen(function* () {
      yield* pending("boleto")
      yield* receive(yield* reportOf("p", { id: "1" }))
      const { payment } = yield* receive(yield* reportOf("p", { id: "1", value: Cents.make(5) }))
      assert.deepNestedInclude(payment, { "report.value": 1990, "differing.value": 5 })
      assert.deepStrictEqual(yield* settled("p"), [["1", 1990]])
    }).pipe(World.inWorld())
  )

  it.effect("that is repeated with another fee stores both reports", () =>
    Effect.gen(function* () {
      yield* pending("boleto")
      yield* receive(yield* reportOf("p", { id: "1", fee: Cents.make(3) }))
      const { payment } = yield* receive(yield* reportOf("p", { id: "1", fee: Cents.make(4) }))
      assert.deepNestedInclude(payment, { "report.fee": 3, "differing.fee": 4 })
    }).pipe(World.inWorld())
  )

  it.effect("with a reference of another company delays no clock advance", () =>
    Effect.gen(function* () {
      yield* pending("boleto")
      const companyId = yield* World.company()
      yield* receive(yield* reportOf("p", { id: "1", companyId }))
      const waiting = (yield* Rows.rows("due_work")).filter(({ kind }) => kind === "apply payment")
      assert.deepStrictEqual(
        waiting.map(({ company_id }) => company_id),
        [null]
      )
    }).pipe(World.inWorld())
  )

  it.effect("for another company's account does not match the reference of this company", () =>
    Effect.gen(function* () {
      yield* pending("pix")
      const other = yield* World.company()
      const { payment } = yield* receive(yield* reportOf("p", { id: "E1", companyId: other }))
      assert.deepStrictEqual([payment.standing, yield* statusOf("p")], ["waiting", "pendingPix"])
    }).pipe(World.inWorld())
  )

  it.effect(
    "with an unknown reference waits, is applied once the reference is known, and is unmatched after 15 minutes",
    () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.subscribeBy(company, "pix")
        const plan = yield* World.faults
        // The charge was opened, and the response lost: its txid is not known here.
        yield* plan.next("open", World.ResponseLost())
        yield* World.pay(company, "p")
        const txid = (yield* World.providerRequests).find(({ call }) => call === "open")!.reference!
        const unknown = { kind: "txid", value: "0".repeat(32) } as const
        const known = { kind: "txid", value: txid } as const
        const report = { method: "pix", value: Cents.make(1990), paidAt: yield* now } as const
        yield* receive({ ...report, id: "early", reference: known })
        yield* receive({ ...report, id: "stray", reference: unknown })
        assert.deepStrictEqual(yield* standings, [
          ["early", "waiting"],
          ["stray", "waiting"]
        ])
        for (let minutes = 0; minutes < 40; minutes++) {
          yield* World.passTime("1 minute")
          yield* DueWorker.use((worker) =>
            Effect.andThen(worker.runOnce("resolve attempt", 9), worker.runOnce("apply payment", 9))
          )
        }
        assert.strictEqual(yield* statusOf("p"), "payedPix")
        assert.deepStrictEqual(yield* standings, [
          ["early", "applied"],
          ["stray", "unmatched"]
        ])
        assert.deepStrictEqual(yield* problems, [`No payment has the txid ${unknown.value}`])
      }).pipe(World.inWorld())
  )
})
