/** Tests of the writes of a `CommandStore`: all or nothing. */
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { assert, describe, it } from "@effect/vitest"
import { type Attempt, AttemptId } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, SvcPayId } from "@parcela/core/values/Identifier"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { Journal } from "@parcela/engine/ports/Journal"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import type { KeyName } from "@parcela/engine/command/IdempotencyKey"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { atOnce, DueWork } from "@parcela/engine/ports/DueWork"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { Effect, Option, Result } from "effect"
import { Cents } from "@parcela/core/money/Cents"
import { captured, minute, conflictOf, onEmptyStore } from "../fixtures/StoreFixtures.ts"
import { look, writeAttempt } from "@parcela/test-world/StoreWrites"
import { storedChargePayment } from "../fixtures/ChargeFixtures.ts"
import {
  storedPayment,
  writes,
  isDue,
  keyOf,
  storedKey,
  counting,
  type OnEmpty,
  countedIn,
  paymentsIn
} from "../fixtures/CommandStoreFixtures.ts"

/** The rows of a payment and its company, read by the other ports. */
const standing = Effect.fnUntraced(function* (
  companyId: CompanyId,
  { id }: TransactionState,
  key: KeyName,
  attempts: ReadonlyArray<AttemptId>
) {
  const args = { companyId, transaction: bySvcPayId(id) }
  const found = yield* look("payment", args, key)
  return {
    key: found.key,
    payments: paymentsIn(found.found),
    transaction: Option.getOrThrow(yield* Transactions.use((all) => all.find(companyId, bySvcPayId(id)))),
    referred: (yield* Transactions.use((all) => all.findByReference({ kind: "tid", value: `tid-${id}` }))).length,
    attempts: (yield* Effect.forEach(attempts, (attempt) => look("payment", { ...args, attempt }))).flatMap(
      ({ found }) => found?.attempts ?? []
    ),
    journal: (yield* Journal.use((journal) => journal.latest(companyId, 10))).map(({ at, events, subject }) => [
      at,
      subject.kind,
      ...events.map(({ _tag }) => _tag)
    ]),
    deliveries: (yield* Outbox.use((outbox) => outbox.list(companyId, {}, Number.MAX_SAFE_INTEGER, 10))).map(
      ({ event, state, transactionId }) => ({ event, state, transactionId })
    )
  }
})

/** A capture with its consequences: its attempt ends, another starts, and the subscription counts. */
const capture = Effect.gen(function* () {
  const payment = yield* storedPayment
  const { args, attempt, companyId, opened } = payment
  const make = yield* writes
  const key = keyOf(companyId)
  const next = captured(opened)
  const started: Attempt = { ...attempt, id: AttemptId.make("begun"), kind: "reverse" }
  const settled: Attempt = {
    ...attempt,
    result: { outcome: "captured", code: "00", reference: `tid-${opened.id}`, at: minute(1) }
  }
  const decide = (found: PaymentContext) =>
    make(
      {
        guards: [found.guard],
        changes: [
          countedIn(found),
          { table: "transactions", before: found.transaction, next, customerId: found.customer.id }
        ],
        started: [started],
        settled: [settled],
        events: [
          { _tag: "OperatorResponded", transactionId: opened.id, attemptId: attempt.id, outcome: "Captured" },
          { _tag: "TransactionStatusChanged", transactionId: opened.id, from: "notSend", to: "captured" }
        ],
        snapshots: { ...found, transaction: next }
      },
      found,
      storedKey(key)
    )
  const stands = standing(companyId, opened, key, [attempt.id, started.id])
  return { ...payment, args, started, decide, key, next, settled, stands }
})

/** A write set, and several at once. */
const written = (onEmpty: OnEmpty): void => {
  it.effect("stores changes, references, attempts, journal, deliveries, jobs and key together", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args, attempt, started, decide, key, next, opened, settled, stands } = yield* capture
      yield* DueWork.use((work) =>
        work.schedule([
          { kind: "resolve attempt", subject: attempt.id, companyId: args.companyId, ...atOnce(minute(0)) }
        ])
      )
      const { value } = yield* store.run({
        load: "payment",
        args,
        key,
        decide: ({ found }) => Result.succeed({ value: "captured", writes: decide(found!) })
      })
      assert.strictEqual(value, "captured")
      assert.deepStrictEqual(yield* stands, {
        key: { fingerprint: "f", subject: "transaction:1", response: undefined },
        payments: 1,
        transaction: next,
        referred: 1,
        attempts: [settled, started],
        journal: [
          [minute(1), "transaction", "OperatorResponded", "TransactionStatusChanged"],
          [minute(1), "subscription"],
          [minute(1), "attempt"],
          [minute(1), "attempt"]
        ],
        deliveries: [{ event: "transaction.updateStatus", state: "pending", transactionId: opened.id }]
      })
      assert.isTrue(yield* isDue(started.id))
      assert.isFalse(yield* isDue(attempt.id))
    }).pipe(onEmpty)
  )

  it.effect("stores nothing when the decision refuses, and nothing when one row is refused", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args, attempt, started, decide, stands } = yield* capture
      const before = yield* stands
      const refused = store.run({ load: "payment", args, decide: () => Result.fail("refused" as const) })
      assert.strictEqual(yield* Effect.flip(refused), "refused")
      assert.deepStrictEqual(yield* stands, before)
      // The attempt that begins has a name that is taken: the last of the rows.
      yield* writeAttempt({ ...attempt, id: started.id })
      const taken = yield* stands
      const conflict = store.run({
        load: "payment",
        args,
        decide: ({ found }) => Result.succeed({ value: undefined, writes: decide(found!) })
      })
      assert.strictEqual(yield* conflictOf(conflict), "attempts.id")
      assert.deepStrictEqual(yield* stands, taken)
      assert.isFalse(yield* isDue(started.id))
    }).pipe(onEmpty)
  )

  it.effect("stores nothing when its COMMIT fails, and the next write succeeds", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const make = yield* writes
      const { args, attempt, decide, stands } = yield* capture
      const before = yield* stands
      // Row by row it is taken: only the COMMIT looks for what an attempt belongs to.
      const orphan = { ...attempt, id: AttemptId.make("orphan"), transactionId: SvcPayId.make(999_999) }
      const refused = store.run({
        load: "payment",
        args,
        decide: ({ found }) =>
          Result.succeed({ value: undefined, writes: make({ guards: [found!.guard], started: [orphan] }, found!) })
      })
      assert.strictEqual((yield* Effect.flip(refused)).reason._tag, "Rejected")
      assert.deepStrictEqual(yield* stands, before)
      yield* store.run({
        load: "payment",
        args,
        decide: ({ found }) => Result.succeed({ value: undefined, writes: decide(found!) })
      })
      assert.strictEqual((yield* stands).payments, 1)
    }).pipe(onEmpty)
  )

  it.effect("of ten concurrent transactions on one charge is made by each on the result of the previous one", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args } = yield* storedChargePayment
      const make = yield* writes
      const valueIn = ({ owner }: PaymentContext) => (owner._tag === "Charge" ? owner.charge.value : undefined)
      const raised = (found: PaymentContext) => {
        if (found.owner._tag !== "Charge") throw new Error("The payment belongs to no charge")
        const { charge: before } = found.owner
        const next = { ...before, value: Cents.make(before.value + 1) }
        return make({ guards: [found.guard], changes: [{ table: "charges", before, next }] }, found)
      }
      const first = valueIn((yield* look("payment", args)).found!)!
      const raise = store.run({
        load: "payment",
        args,
        decide: ({ found }) => Result.succeed({ value: valueIn(found!), writes: raised(found!) })
      })
      const outcomes = yield* Effect.all(
        Array.from({ length: 10 }, () => raise),
        { concurrency: "unbounded" }
      )
      assert.sameMembers(
        outcomes.map(({ value }) => value),
        Array.from({ length: 10 }, (_, index) => first + index)
      )
      assert.strictEqual(valueIn((yield* look("payment", args)).found!), first + 10)
    }).pipe(onEmpty)
  )

  it.effect("of ten concurrent transactions on one root is made by each on the result of the previous one", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args } = yield* storedPayment
      const counted = yield* counting
      const count = store.run({
        load: "payment",
        args,
        decide: ({ found }) => Result.succeed({ value: paymentsIn(found)!, writes: counted(found!) })
      })
      const outcomes = yield* Effect.all(
        Array.from({ length: 10 }, () => count),
        { concurrency: "unbounded" }
      )
      assert.sameMembers(
        outcomes.map(({ value }) => value),
        Array.from({ length: 10 }, (_, index) => index)
      )
      assert.strictEqual(paymentsIn((yield* look("payment", args)).found), 10)
    }).pipe(onEmpty)
  )
}

forEachStore((name, layer) =>
  describe(`a write (${name})`, () => {
    written(onEmptyStore(layer))
  })
)
