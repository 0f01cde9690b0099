/**
 * What every adapter of the port `CommandStore` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import type { Attempt } from "@parcela/core/attempts/Attempt"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { noOffset } from "@parcela/core/time/BusinessTime"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { byMyId, bySvcPayId, MyId } from "@parcela/core/values/Identifier"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { adopting, type Decided, type KeyWrite, writeSet } from "@parcela/engine/commands/WriteSet"
import { Journal } from "@parcela/engine/ports/Journal"
import { Outbox } from "@parcela/engine/ports/Outbox"
import {
  type Args,
  CommandStore,
  type CompanyContext,
  type Found,
  type KeyName,
  type Loaded,
  type LoadName,
  type Outcome,
  type PaymentContext
} from "@parcela/engine/ports/CommandStore"
import { atOnce, DueWork } from "@parcela/engine/ports/DueWork"
import { Settings } from "@parcela/engine/Settings"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { Transactions } from "@parcela/engine/ports/Transactions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { conflictOf } from "./internal/Failures.ts"
import {
  captured,
  keptCard,
  keptCompany,
  keptCustomer,
  keptEndpoint,
  keptSubscription,
  keptTransaction,
  minute,
  newTransaction,
  onEmptyStore,
  type StoreLayer
} from "./StoreFixtures.ts"
import { writeAttempt, writeTransaction } from "./StoreWrites.ts"

/**
 * What a load brings, with nothing written.
 *
 * @category running
 * @since 0.1.0
 */
export const look = <N extends LoadName>(load: N, args: Args<N>, key?: KeyName) =>
  Effect.map(
    CommandStore.use((store) =>
      store.run({
        load,
        args,
        key,
        decide: (loaded: Loaded<N>): Result.Result<Outcome<Loaded<N>>> =>
          Result.succeed({ value: loaded, writes: undefined })
      })
    ),
    ({ value }) => value
  )

/**
 * The write set of what a test decided, as `Commands` makes it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const writes = Effect.map(
  Settings,
  (settings) => (decided: Partial<Decided<unknown>>, company: CompanyContext, key?: KeyWrite) =>
    writeSet(
      { guards: [], changes: [], events: [], ...decided },
      {
        company,
        at: { business: minute(1), machine: minute(1) },
        origin: { actor: { _tag: "Service" } },
        owner: "test",
        settings,
        key
      }
    )
)

/**
 * A payment with everything that it belongs to, of a company whose endpoint wants every event.
 *
 * @category kept
 * @since 0.1.0
 */
export const keptPayment = Effect.gen(function* () {
  const company = yield* keptCompany
  yield* keptEndpoint(company.id)
  const customer = yield* keptCustomer(company.id)
  const card = yield* keptCard(company.id, { customerId: customer.id })
  const subscription = yield* keptSubscription(company.id, { customerId: customer.id, cardId: card.id })
  const owner = { _tag: "Subscription", id: subscription.id } as const
  const opened = yield* newTransaction(company.id, { owner, cardId: card.id })
  yield* writeTransaction(opened)
  const attempt: Attempt = {
    id: AttemptId.make(`attempt of ${opened.id}`),
    companyId: company.id,
    transactionId: opened.id,
    kind: "charge",
    cardId: card.id,
    value: opened.value,
    provider: "cardOperator",
    startedAt: minute(0)
  }
  yield* writeAttempt(attempt)
  const args = { companyId: company.id, transaction: bySvcPayId(opened.id) }
  return { args, attempt, card, company, companyId: company.id, customer, opened, subscription }
})

/** What stands of a payment and its company, as the other ports read it. */
const standing = Effect.fnUntraced(function* (companyId: CompanyId, { id }: TransactionState, key: KeyName) {
  const found = yield* look("payment", { companyId, transaction: bySvcPayId(id) }, key)
  return {
    version: found.found?.guard.version,
    key: found.key,
    payments: found.found?.subscription.payments,
    transaction: Option.getOrThrow(yield* Transactions.use((all) => all.find(companyId, bySvcPayId(id)))),
    referred: (yield* Transactions.use((all) => all.findByReference({ kind: "tid", value: `tid-${id}` }))).length,
    attempts: found.found?.attempts.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
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

/** Whether a row of due work is there. */
const isDue = (subject: string) =>
  Effect.map(
    DueWork.use((work) =>
      work.take({ kind: "resolve attempt", subject, owner: "test", now: minute(600), until: minute(601) })
    ),
    Option.isSome
  )

const keyOf = (companyId: CompanyId, fingerprint = "f"): KeyName => ({ companyId, key: "k", fingerprint })

const storedKey = (name: KeyName, subject = "transaction:1"): KeyWrite => ({
  _tag: "Insert",
  name,
  subject,
  response: undefined,
  at: minute(1)
})

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`CommandStore (${name})`, () => {
    const onEmpty = onEmptyStore(layer)
    describe("a load", () => {
      loads(onEmpty)
    })
    describe("a write", () => {
      written(onEmpty)
    })
    describe("a unit that is run again", () => {
      reruns(onEmpty)
    })
    describe("a key", () => {
      keys(onEmpty)
    })
  })

type OnEmpty = ReturnType<typeof onEmptyStore>

const loads = (onEmpty: OnEmpty): void => {
  it.effect("of a payment brings its root, customer, cards, attempts and the company's endpoints", () =>
    Effect.gen(function* () {
      const { args, attempt, card, company, customer, opened, subscription } = yield* keptPayment
      yield* keptTransaction(company.id)
      for (const transaction of [
        args.transaction,
        byMyId(opened.myId!),
        { typeId: "attempt", id: attempt.id } as const
      ]) {
        const { found, key } = yield* look("payment", { ...args, transaction })
        assert.isUndefined(key)
        const { endpoints, guard, ...rest } = found!
        assert.deepStrictEqual(rest, {
          company,
          clock: noOffset,
          subscription,
          customer,
          subscriptionCard: card,
          transaction: opened,
          card,
          attempts: [attempt]
        })
        assert.deepInclude(guard, { table: "subscriptions", id: subscription.id })
        assert.lengthOf(endpoints, 1)
      }
    }).pipe(onEmpty)
  )

  it.effect("of a new payment brings the subscription, the payment of that myId and the cards that may be meant", () =>
    Effect.gen(function* () {
      const { card, company, companyId, customer, opened, subscription } = yield* keptPayment
      const args = { companyId, subscription: bySvcPayId(subscription.id), myId: opened.myId! }
      const query = { svcPayId: card.id, myId: card.myId, vaultToken: card.vaultToken }
      const { endpoints: _, guard: __, ...found } = (yield* look("newPayment", { ...args, card: query })).found!
      assert.deepStrictEqual(found, {
        company,
        clock: noOffset,
        subscription,
        customer,
        subscriptionCard: card,
        sameMyId: opened,
        cards: { bySvcPayId: card, byMyId: card, byVaultToken: [card] }
      })
      const other = (yield* look("newPayment", { ...args, myId: MyId.make("another") })).found!
      assert.isUndefined(other.sameMyId)
      assert.deepStrictEqual(other.cards, { bySvcPayId: undefined, byMyId: undefined, byVaultToken: [] })
    }).pipe(onEmpty)
  )

  it.effect("of a new subscription brings the customer by each of its names, and the subscription of that myId", () =>
    Effect.gen(function* () {
      const { card, company, companyId, customer, subscription } = yield* keptPayment
      const myId = subscription.myId!
      const { document, id: svcPayId } = customer
      const query = { vaultToken: card.vaultToken }
      const named = { svcPayId, myId: customer.myId, document }
      const loaded = yield* look("newSubscription", { companyId, myId, customer: named, card: query })
      const { endpoints: _, versions, ...found } = loaded.found!
      assert.deepStrictEqual(found, {
        company,
        clock: noOffset,
        sameMyId: subscription,
        customers: { bySvcPayId: customer, byMyId: customer, byDocument: customer },
        cards: { bySvcPayId: undefined, byMyId: undefined, byVaultToken: [card] }
      })
      assert.deepStrictEqual([...versions.keys()], [customer.id])
      const none = (yield* look("newSubscription", { companyId, myId: MyId.make("another"), customer: {} })).found!
      assert.isUndefined(none.sameMyId)
      assert.deepStrictEqual(none.customers, { bySvcPayId: undefined, byMyId: undefined, byDocument: undefined })
    }).pipe(onEmpty)
  )

  it.effect("brings nothing of another company", () =>
    Effect.gen(function* () {
      const { args, attempt, card, customer, opened, subscription } = yield* keptPayment
      const { id: companyId } = yield* keptCompany
      const query = { svcPayId: card.id, myId: card.myId, vaultToken: card.vaultToken }
      for (const transaction of [
        args.transaction,
        byMyId(opened.myId!),
        { typeId: "attempt", id: attempt.id } as const
      ]) {
        assert.isUndefined((yield* look("payment", { companyId, transaction })).found)
      }
      const added = { companyId, subscription: bySvcPayId(subscription.id), myId: opened.myId!, card: query }
      assert.isUndefined((yield* look("newPayment", added)).found)
      const created = yield* look("newSubscription", {
        companyId,
        myId: subscription.myId!,
        customer: { svcPayId: customer.id, myId: customer.myId, document: customer.document },
        card: query
      })
      assert.deepStrictEqual(
        { ...created.found!, versions: [...created.found!.versions], company: created.found!.company.id },
        {
          company: companyId,
          clock: noOffset,
          endpoints: [],
          sameMyId: undefined,
          customers: { bySvcPayId: undefined, byMyId: undefined, byDocument: undefined },
          versions: [],
          cards: { bySvcPayId: undefined, byMyId: undefined, byVaultToken: [] }
        }
      )
      assert.deepStrictEqual((yield* look("company", { companyId })).found!.endpoints, [])
    }).pipe(onEmpty)
  )
}

/** A capture with all that it brings along: its attempt ends, another begins, and the subscription counts. */
const capture = Effect.gen(function* () {
  const payment = yield* keptPayment
  const { args, attempt, companyId, opened } = payment
  const make = yield* writes
  const key = keyOf(companyId)
  const next = captured(opened)
  const begun: Attempt = { ...attempt, id: AttemptId.make("begun"), kind: "reverse" }
  const settled: Attempt = { ...attempt, result: { outcome: "captured", code: "00", at: minute(1) } }
  const decide = (found: PaymentContext) =>
    make(
      {
        guards: [found.guard],
        changes: [
          {
            table: "subscriptions",
            before: found.subscription,
            next: { ...found.subscription, payments: found.subscription.payments + 1 }
          },
          { table: "transactions", before: found.transaction, next, customerId: found.customer.id }
        ],
        begun: [begun],
        settled: [settled],
        events: [
          { _tag: "OperatorAnswered", transactionId: opened.id, attemptId: attempt.id, outcome: "Captured" },
          { _tag: "TransactionStatusChanged", transactionId: opened.id, from: "notSend", to: "captured" }
        ],
        shown: { ...found, transaction: next }
      },
      found,
      storedKey(key)
    )
  const stands = standing(companyId, opened, key)
  return { ...payment, args, begun, decide, key, next, settled, stands }
})

const written = (onEmpty: OnEmpty): void => {
  it.effect("brings changes, references, attempts, journal, deliveries, due work and key together", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args, attempt, begun, decide, key, next, opened, settled, stands } = yield* capture
      yield* DueWork.use((work) =>
        work.schedule([
          { kind: "resolve attempt", subject: attempt.id, companyId: args.companyId, ...atOnce(minute(0)) }
        ])
      )
      const before = yield* stands
      const { value } = yield* store.run({
        load: "payment",
        args,
        key,
        decide: ({ found }) => Result.succeed({ value: "captured", writes: decide(found!) })
      })
      assert.strictEqual(value, "captured")
      assert.deepStrictEqual(yield* stands, {
        version: before.version! + 1,
        key: { fingerprint: "f", subject: "transaction:1", response: undefined },
        payments: 1,
        transaction: next,
        referred: 1,
        attempts: [settled, begun],
        journal: [
          [minute(1), "transaction", "OperatorAnswered", "TransactionStatusChanged"],
          [minute(1), "subscription"],
          [minute(1), "attempt"],
          [minute(1), "attempt"]
        ],
        deliveries: [{ event: "transaction.updateStatus", state: "pending", transactionId: opened.id }]
      })
      assert.isTrue(yield* isDue(begun.id))
      assert.isFalse(yield* isDue(attempt.id))
    }).pipe(onEmpty)
  )

  it.effect("is none when the decision refuses, and none of it when one row is refused", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args, attempt, begun, decide, stands } = yield* capture
      const before = yield* stands
      const refused = store.run({ load: "payment", args, decide: () => Result.fail("refused" as const) })
      assert.strictEqual(yield* Effect.flip(refused), "refused")
      assert.deepStrictEqual(yield* stands, before)
      // The attempt that begins has a name that is taken: the last of the rows.
      yield* writeAttempt({ ...attempt, id: begun.id })
      const taken = yield* stands
      const conflict = store.run({
        load: "payment",
        args,
        decide: ({ found }) => Result.succeed({ value: undefined, writes: decide(found!) })
      })
      assert.strictEqual(yield* conflictOf(conflict), "attempts.id")
      assert.deepStrictEqual(yield* stands, taken)
      assert.isFalse(yield* isDue(begun.id))
    }).pipe(onEmpty)
  )

  it.effect("of ten units at once on one root is made by all of them, each on what the others left", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args } = yield* keptPayment
      const counted = yield* counting
      const count = store.run({
        load: "payment",
        args,
        decide: ({ found }) => Result.succeed({ value: found!.subscription.payments, writes: counted(found!) })
      })
      const outcomes = yield* Effect.all(
        Array.from({ length: 10 }, () => count),
        { concurrency: "unbounded" }
      )
      assert.sameMembers(
        outcomes.map(({ value }) => value),
        Array.from({ length: 10 }, (_, index) => index)
      )
      assert.strictEqual((yield* look("payment", args)).found!.subscription.payments, 10)
    }).pipe(onEmpty)
  )
}

/** One payment more of a subscription. */
const counting = Effect.map(
  writes,
  (make) => (found: PaymentContext) =>
    make(
      {
        guards: [found.guard],
        changes: [
          {
            table: "subscriptions",
            before: found.subscription,
            next: { ...found.subscription, payments: found.subscription.payments + 1 }
          }
        ]
      },
      found
    )
)

const reruns = (onEmpty: OnEmpty): void => {
  it.effect("decides on what it knows without a load; and on a new load when the root has moved since", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args, subscription } = yield* keptPayment
      const counted = yield* counting
      const known = (yield* look("payment", args)).found!
      const seen: Array<PaymentContext> = []
      const count = store.run({
        load: "payment",
        args,
        known,
        decide: ({ found }) => {
          seen.push(found!)
          return Result.succeed({ value: undefined, writes: counted(found!) })
        }
      })
      yield* count
      assert.lengthOf(seen, 1)
      assert.strictEqual(seen[0], known)
      yield* count
      assert.lengthOf(seen, 3)
      assert.strictEqual(seen[1], known)
      assert.strictEqual(seen[2]!.subscription.payments, 1)
      const all = yield* Subscriptions
      const kept = Option.getOrThrow(yield* all.find(args.companyId, bySvcPayId(subscription.id)))
      assert.strictEqual(kept.payments, 2)
    }).pipe(onEmpty)
  )

  it.effect("refuses on what it loaded, and never on what it knew", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { args } = yield* keptPayment
      const counted = yield* counting
      const known = (yield* look("payment", args)).found!
      yield* store.run({
        load: "payment",
        args,
        decide: ({ found }) => Result.succeed({ value: undefined, writes: counted(found!) })
      })
      const refuse = ({ found }: Loaded<"payment">) => Result.fail(found!.subscription.payments)
      assert.strictEqual(yield* Effect.flip(store.run({ load: "payment", args, known, decide: refuse })), 1)
    }).pipe(onEmpty)
  )

  it.effect("meets the row that stood in its way, and refuses by its own rule", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { adding, args, twin } = yield* addition
      const known = (yield* look("newPayment", args)).found!
      // Another one adds it meanwhile, and the root does not move: only the row tells.
      yield* writeTransaction(twin)
      let decisions = 0
      const add = store.run({
        load: "newPayment",
        args,
        known,
        decide: ({ found }) => {
          decisions += 1
          return found!.sameMyId === undefined
            ? Result.succeed({ value: undefined, writes: adding(found!) })
            : Result.fail("taken" as const)
        }
      })
      assert.strictEqual(yield* Effect.flip(add), "taken")
      assert.strictEqual(decisions, 2)
    }).pipe(onEmpty)
  )

  it.effect("is in conflict when the same row stands in its way again", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { adding, args, twin } = yield* addition
      yield* writeTransaction(twin)
      let decisions = 0
      const add = store.run({
        load: "newPayment",
        args,
        decide: ({ found }) => {
          decisions += 1
          return Result.succeed({ value: undefined, writes: adding(found!) })
        }
      })
      assert.strictEqual(yield* conflictOf(add), "transactions.my_id")
      assert.strictEqual(decisions, 2)
    }).pipe(onEmpty)
  )
}

/** A payment that is to be added, and another one of the same `myId`. */
const addition = Effect.gen(function* () {
  const { companyId, opened, subscription } = yield* keptPayment
  const make = yield* writes
  const myId = MyId.make("added")
  const owned = { owner: opened.owner, cardId: opened.cardId, myId }
  const added = yield* newTransaction(companyId, owned)
  const adding = (found: Found<"newPayment">) =>
    make(
      { guards: [found.guard], changes: [{ table: "transactions", next: added, customerId: found.customer.id }] },
      found
    )
  const args = { companyId, subscription: bySvcPayId(subscription.id), myId }
  return { adding, args, twin: yield* newTransaction(companyId, owned) }
})

const keys = (onEmpty: OnEmpty): void => {
  /** A unit that writes nothing but a key. */
  const writingKey = Effect.fnUntraced(function* (companyId: CompanyId, key: KeyWrite) {
    const store = yield* CommandStore
    const make = yield* writes
    yield* store.run({
      load: "company",
      args: { companyId },
      decide: ({ found }) => Result.succeed({ value: undefined, writes: make({}, found!, key) })
    })
  })
  const keyRow = (name: KeyName) => Effect.map(look("company", { companyId: name.companyId }, name), ({ key }) => key)

  it.effect("is loaded with the root, by its own company alone", () =>
    Effect.gen(function* () {
      const { id: companyId } = yield* keptCompany
      const { id: other } = yield* keptCompany
      assert.isUndefined(yield* keyRow(keyOf(companyId)))
      yield* writingKey(companyId, storedKey(keyOf(companyId)))
      const row = { fingerprint: "f", subject: "transaction:1", response: undefined }
      assert.deepStrictEqual(yield* keyRow(keyOf(companyId)), row)
      // The fingerprint is compared by the command, not by the load.
      assert.deepStrictEqual(yield* keyRow(keyOf(companyId, "another")), row)
      assert.isUndefined(yield* keyRow(keyOf(other)))
    }).pipe(onEmpty)
  )

  it.effect("that comes with two commands at the same moment is written by one, and seen by the other", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { companyId } = yield* keptPayment
      const make = yield* writes
      const roots = yield* Effect.all(Array.from({ length: 4 }, () => keptTransaction(companyId)))
      const key = keyOf(companyId)
      const outcomes = yield* Effect.forEach(
        roots,
        ({ id }) =>
          store.run({
            load: "payment",
            args: { companyId, transaction: bySvcPayId(id) },
            key,
            decide: (loaded) => {
              if (loaded.key !== undefined) return Result.succeed({ value: loaded.key.subject, writes: undefined })
              const { guard, subscription } = loaded.found!
              const next = { ...subscription, payments: 1 }
              const changes = [{ table: "subscriptions", before: subscription, next } as const]
              const subject = `transaction:${id}`
              const set = make({ guards: [guard], changes }, loaded.found!, storedKey(key, subject))
              return Result.succeed({ value: subject, writes: set })
            }
          }),
        { concurrency: "unbounded" }
      )
      const { subject } = (yield* keyRow(key))!
      assert.deepStrictEqual(
        outcomes.map(({ value }) => value),
        roots.map(() => subject)
      )
      const counts = yield* Effect.forEach(roots, ({ id }) =>
        Effect.map(
          look("payment", { companyId, transaction: bySvcPayId(id) }),
          ({ found }) => found!.subscription.payments
        )
      )
      assert.deepStrictEqual(
        counts.toSorted((a, b) => a - b),
        [0, 0, 0, 1]
      )
    }).pipe(onEmpty)
  )

  it.effect("keeps its first response", () =>
    Effect.gen(function* () {
      const { id: companyId } = yield* keptCompany
      const key = keyOf(companyId)
      const first = { status: 200, body: "first" }
      yield* writingKey(companyId, storedKey(key))
      yield* writingKey(companyId, { _tag: "Respond", name: key, response: first })
      yield* writingKey(companyId, { _tag: "Respond", name: key, response: { status: 200, body: "second" } })
      assert.deepStrictEqual((yield* keyRow(key))?.response, first)
    }).pipe(onEmpty)
  )

  it.effect("whose fingerprint was erased takes that of the first command, and keeps it", () =>
    Effect.gen(function* () {
      const store = yield* CommandStore
      const { id: companyId } = yield* keptCompany
      yield* writingKey(companyId, storedKey(keyOf(companyId, "")))
      for (const fingerprint of ["first", "second"]) {
        const name = keyOf(companyId, fingerprint)
        yield* store.run({
          load: "company",
          args: { companyId },
          decide: () => Result.succeed({ value: undefined, writes: adopting(name) })
        })
      }
      assert.strictEqual((yield* keyRow(keyOf(companyId)))?.fingerprint, "first")
    }).pipe(onEmpty)
  )
}
