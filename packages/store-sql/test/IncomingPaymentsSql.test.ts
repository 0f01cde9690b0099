/** Tests of the port `IncomingPayments`. */
import { assert, describe, it } from "@effect/vitest"
import { Cents } from "@parcela/core/money/Cents"
import type { IncomingPayment } from "@parcela/core/transactions/IncomingReport"
import { SvcPayId } from "@parcela/core/values/Identifier"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { DueWork } from "@parcela/engine/ports/DueWork"
import { IncomingPayments } from "@parcela/engine/ports/IncomingPayments"
import { Effect, Option } from "effect"
import { storedCompany, minute, onEmptyStore, type StoreLayer } from "./fixtures/StoreFixtures.ts"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

const report: IncomingPayment = {
  method: "pix",
  id: "E0000000020260921141312345678901",
  reference: { kind: "txid", value: "0123456789abcdef0123456789abcdef" },
  value: Cents.make(1990),
  paidAt: minute(0),
  fee: Cents.make(3),
  payer: { name: "Ana Souza" }
}

const at = (companyId?: CompanyId) => ({ now: minute(1), owner: "one", until: minute(2), companyId })

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`IncomingPayments (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    it.effect("stores a report once, however often and concurrently it arrives", () =>
      Effect.gen(function* () {
        const payments = yield* IncomingPayments
        const { id: companyId } = yield* storedCompany
        const stored = yield* Effect.all(
          Array.from({ length: 5 }, () => payments.keep(report, at(companyId))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(stored.filter(({ isNew }) => isNew).length, 1)
        const { payment } = stored[0]!
        assert.deepStrictEqual(payment, {
          id: payment.id,
          report,
          standing: "waiting",
          companyId,
          restores: 0,
          transactionId: undefined,
          problem: undefined,
          receivedAt: minute(1),
          differing: undefined
        })
        for (const each of stored) assert.deepStrictEqual(each.payment, payment)
        assert.deepStrictEqual(yield* payments.find(payment.id), Option.some(payment))
        assert.deepStrictEqual(yield* payments.find(0), Option.none())
        // The same name by the other method is another payment.
        assert.isTrue((yield* payments.keep({ ...report, method: "boleto" }, at())).isNew)
      }).pipe(onEmpty)
    )

    it.effect("stores a dispute in addition to payments, by its operator's reference", () =>
      Effect.gen(function* () {
        const payments = yield* IncomingPayments
        const { id: companyId } = yield* storedCompany
        const reference = { kind: "tid", value: "01K" } as const
        const dispute = { method: "creditcard", id: report.id, reference, companyId } as const
        yield* payments.keep(report, at(companyId))
        const { isNew, payment } = yield* payments.keep(dispute, at(companyId))
        assert.deepStrictEqual([isNew, payment.report, payment.standing], [true, dispute, "waiting"])
        assert.deepStrictEqual(yield* payments.keep(dispute, at(companyId)), { payment, isNew: false })
        const other = { ...dispute, reference: { ...reference, value: "01L" } }
        assert.deepStrictEqual((yield* payments.keep(other, at(companyId))).payment.differing, other)
      }).pipe(onEmpty)
    )

    it.effect("stores a later, different report with the same name in addition to the first", () =>
      Effect.gen(function* () {
        const payments = yield* IncomingPayments
        const { payment } = yield* payments.keep(report, at())
        const other = { ...report, value: Cents.make(1) }
        const again = yield* payments.keep(other, at())
        assert.deepStrictEqual(again, { payment: { ...payment, differing: other }, isNew: false })
        // What it says of the payer is no contradiction.
        const { payer: _, ...bare } = report
        assert.deepStrictEqual((yield* payments.keep(bare, at())).payment.differing, other)
      }).pipe(onEmpty)
    )

    it.effect(
      "stores the job of a report with it, leased by the process that applies it first, until it is applied",
      () =>
        Effect.gen(function* () {
          const payments = yield* IncomingPayments
          const dueWork = yield* DueWork
          const { id: companyId } = yield* storedCompany
          const { payment } = yield* payments.keep(report, at(companyId))
          const lease = (now: number) =>
            Effect.map(
              dueWork.lease({
                kind: "apply payment",
                owner: "two",
                now: minute(now),
                until: minute(now + 1),
                limit: 9,
                perCompany: 9,
                except: []
              }),
              (leased) => leased.map((work) => [work.subject, work.companyId])
            )
          assert.deepStrictEqual(yield* lease(1), [])
          assert.deepStrictEqual(yield* lease(2), [[String(payment.id), companyId]])
          yield* payments.mark(payment, { standing: "waiting", problem: "not yet" })
          assert.deepStrictEqual(yield* lease(3), [[String(payment.id), companyId]])
          yield* payments.mark(payment, { standing: "applied" })
          assert.deepStrictEqual(yield* lease(9), [])
        }).pipe(onEmpty)
    )

    it.effect("records the result of a report, and changes nothing once a result is recorded", () =>
      Effect.gen(function* () {
        const payments = yield* IncomingPayments
        const { id: companyId } = yield* storedCompany
        const { payment } = yield* payments.keep(report, at())
        const found = Effect.map(payments.find(payment.id), Option.getOrThrow)
        const transactionId = SvcPayId.make(7)
        yield* payments.mark(payment, { standing: "waiting", problem: "not yet" })
        assert.deepStrictEqual(yield* found, { ...payment, problem: "not yet" })
        yield* payments.mark(payment, { standing: "applied", companyId, transactionId })
        const applied = { ...payment, standing: "applied", companyId, restores: 0, transactionId } as const
        assert.deepStrictEqual(yield* found, applied)
        yield* payments.mark(payment, { standing: "unmatched", problem: "too late" })
        assert.deepStrictEqual(yield* found, applied)
      }).pipe(onEmpty)
    )

    it.effect("lists the reports of a company, of a status, and those that wait for a reference", () =>
      Effect.gen(function* () {
        const payments = yield* IncomingPayments
        const { id: companyId } = yield* storedCompany
        const stored = yield* Effect.forEach(["a", "b", "c"], (id) =>
          payments.keep({ ...report, id, ...(id === "c" ? {} : { companyId }) }, at())
        )
        const [a, b, c] = stored.map(({ payment: { id } }) => id) as [number, number, number]
        yield* payments.mark({ id: b }, { standing: "unmatched", problem: "nobody's" })
        const list = (filter: Parameters<typeof payments.list>[0], after = 0, limit = 9) =>
          Effect.map(payments.list(filter, { after, limit }), (found) => found.map(({ id }) => id))
        assert.deepStrictEqual(yield* list({}), [a, b, c])
        assert.deepStrictEqual(yield* list({}, a, 1), [b])
        assert.deepStrictEqual(yield* list({ companyId }), [a, b])
        assert.deepStrictEqual(yield* list({ standing: "unmatched" }), [b])
        const waiting = (...values: ReadonlyArray<string>) =>
          Effect.map(payments.listWaiting(values.map((value) => ({ kind: "txid", value }) as const)), (found) =>
            found.map(({ id }) => id)
          )
        assert.deepStrictEqual(yield* waiting("another", report.reference.value), [a, c])
        assert.deepStrictEqual(yield* waiting("another"), [])
        assert.deepStrictEqual(yield* waiting(), [])
      }).pipe(onEmpty)
    )
  })

forEachStore(suite)
