/**
 * What every adapter of the port `Attempts` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import type { Attempt } from "@parcela/core/attempts/Attempt"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { Attempts } from "@parcela/engine/ports/Attempts"
import { Cents } from "@parcela/core/money/Cents"
import type { EpochMillis } from "@parcela/core/time/EpochMillis"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { UnitOfWork } from "@parcela/engine/ports/UnitOfWork"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { conflictOf } from "./internal/Failures.ts"
import { keptCompany, keptTransaction, minute, newTransaction, onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Attempts (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    /** Makes attempts of one transaction. */
    const setUp = Effect.gen(function* () {
      const attempts = yield* Attempts
      const company = yield* keptCompany
      const transaction = yield* keptTransaction(company.id)
      const attempt = (id: string, changes: Partial<Attempt> = {}): Attempt => ({
        id: AttemptId.make(id),
        companyId: company.id,
        transactionId: transaction.id,
        kind: "charge",
        cardId: SvcPayId.make(9),
        value: Cents.make(12_990),
        provider: "cardOperator",
        startedAt: minute(0),
        ...changes
      })
      return { attempts, attempt }
    })

    it.effect("answers what was inserted, unsettled or settled", () =>
      Effect.gen(function* () {
        const { attempt, attempts } = yield* setUp
        const open = attempt("open")
        const settled = attempt("settled", { result: { outcome: "unrecorded", at: minute(3) } })
        yield* attempts.insert(open)
        yield* attempts.insert(settled)
        assert.deepStrictEqual(yield* attempts.find(open.id), Option.some(open))
        assert.deepStrictEqual(yield* attempts.find(settled.id), Option.some(settled))
        assert.deepStrictEqual(yield* attempts.find(AttemptId.make("another")), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("an attempt is written once", () =>
      Effect.gen(function* () {
        const { attempt, attempts } = yield* setUp
        yield* attempts.insert(attempt("a"))
        const again = attempts.insert(attempt("a", { startedAt: minute(5) }))
        assert.strictEqual(yield* conflictOf(again), "attempts.id")
        assert.deepStrictEqual(yield* attempts.find(AttemptId.make("a")), Option.some(attempt("a")))
      }).pipe(onEmpty)
    )

    it.effect("may be written before its transaction, in the same unit", () =>
      Effect.gen(function* () {
        const { attempt, attempts } = yield* setUp
        const transactions = yield* Transactions
        const unitOfWork = yield* UnitOfWork
        const company = yield* keptCompany
        const transaction = yield* newTransaction(company.id)
        const first = attempt("first", { companyId: company.id, transactionId: transaction.id })
        yield* unitOfWork.transact(Effect.andThen(attempts.insert(first), transactions.insert(transaction)))
        assert.deepStrictEqual(yield* attempts.find(first.id), Option.some(first))
      }).pipe(onEmpty)
    )

    it.effect("is settled once, and keeps its first result", () =>
      Effect.gen(function* () {
        const { attempt, attempts } = yield* setUp
        const one = attempt("a")
        yield* attempts.insert(one)
        const result = {
          outcome: "denied",
          code: "51",
          message: "no funds",
          merchantAdviceCode: "24",
          reference: "tid",
          at: minute(1)
        } as const
        assert.isTrue(yield* attempts.settle(one.id, result))
        assert.isFalse(yield* attempts.settle(one.id, { outcome: "captured", at: minute(2) }))
        assert.isFalse(yield* attempts.settle(AttemptId.make("another"), result))
        assert.deepStrictEqual(yield* attempts.find(one.id), Option.some({ ...one, result }))
      }).pipe(onEmpty)
    )

    it.effect("one of many that settle it at once is told so", () =>
      Effect.gen(function* () {
        const { attempt, attempts } = yield* setUp
        yield* attempts.insert(attempt("a"))
        const results = yield* Effect.all(
          Array.from({ length: 10 }, () =>
            attempts.settle(AttemptId.make("a"), { outcome: "captured", at: minute(1) })
          ),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          results.filter((won) => won),
          1
        )
      }).pipe(onEmpty)
    )

    it.effect("gives the history of a transaction, and of a card since an instant, first begun first", () =>
      Effect.gen(function* () {
        const { attempt, attempts } = yield* setUp
        const first = attempt("z", { result: { outcome: "denied", code: "51", at: minute(1) } })
        const second = attempt("b", { kind: "capture", startedAt: minute(5) })
        const register = attempt("c", { kind: "register", provider: "boletoBank", startedAt: minute(3) })
        const { cardId, ...withoutCard } = register
        yield* Effect.forEach([second, first, withoutCard], attempts.insert)
        const { companyId, transactionId } = first
        const history = yield* attempts.ofTransaction(companyId, transactionId)
        assert.deepStrictEqual(history, [first, withoutCard, second])
        const from = (at: EpochMillis) =>
          Effect.map(attempts.ofCard(companyId, cardId!, at), (found) => found.map(({ id }) => id))
        assert.deepStrictEqual(yield* from(minute(0)), [first.id, second.id])
        assert.deepStrictEqual(yield* from(minute(5)), [second.id])
        assert.deepStrictEqual(yield* attempts.ofCard(companyId, SvcPayId.make(8), minute(0)), [])
        const other = yield* keptCompany
        assert.deepStrictEqual(yield* attempts.ofTransaction(other.id, transactionId), [])
        assert.deepStrictEqual(yield* attempts.ofCard(other.id, cardId!, minute(0)), [])
      }).pipe(onEmpty)
    )
  })
