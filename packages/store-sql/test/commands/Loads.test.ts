/** Tests of the loads of a `CommandStore`. */
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { assert, describe, it } from "@effect/vitest"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { noOffset } from "@parcela/core/time/Instant"
import { byMyId, bySvcPayId, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { Args } from "@parcela/engine/command/Loads"
import { Effect } from "effect"
import { storedCard, storedCompany, storedTransaction, minute, onEmptyStore } from "../fixtures/StoreFixtures.ts"
import { storedChargePayment } from "../fixtures/ChargeFixtures.ts"
import { storedPayment, type OnEmpty } from "../fixtures/CommandStoreFixtures.ts"
import { look, writeAttempt, writeTransaction } from "@parcela/test-world/StoreWrites"

/** Every load, and nothing of another company. */
const loads = (onEmpty: OnEmpty): void => {
  it.effect("of a payment returns its root, customer, cards, attempts and the company's endpoints", () =>
    Effect.gen(function* () {
      const { args, attempt, card, company, customer, opened, subscription } = yield* storedPayment
      yield* storedTransaction(company.id)
      for (const transaction of [
        args.transaction,
        byMyId(opened.myId!),
        { typeId: "attempt", id: attempt.id } as const
      ]) {
        const { found, key } = yield* look("payment", { ...args, transaction, attempt: attempt.id })
        assert.isUndefined(key)
        const { endpoints, guard, ...rest } = found!
        assert.deepStrictEqual(rest, {
          companyId: company.id,
          clock: noOffset,
          restores: 0,
          version: 1,
          owner: { _tag: "Subscription", subscription, card },
          customer,
          transaction: opened,
          card,
          attempts: [attempt]
        })
        assert.deepInclude(guard, { table: "subscriptions", id: subscription.id })
        assert.lengthOf(endpoints, 1)
      }
    }).pipe(onEmpty)
  )

  it.effect("of a payment with many attempts returns the open one and the requested one", () =>
    Effect.gen(function* () {
      const { args, attempt, card, companyId, opened } = yield* storedPayment
      const started = [1, 2, 3].map((number) => ({
        ...attempt,
        id: AttemptId.make(`a${number}`),
        startedAt: minute(number)
      }))
      yield* Effect.forEach(started, writeAttempt)
      const edited = { companyId, transaction: bySvcPayId(opened.id), card: { svcPayId: card.id } }
      const brought = Effect.fnUntraced(function* (asked: Pick<Args<"payment">, "attempt" | "transaction">) {
        const { found } = yield* look("payment", { ...args, ...asked })
        const edit = yield* look("paymentEdit", { ...edited, attempt: asked.attempt })
        if (asked.transaction.typeId !== "attempt") assert.deepStrictEqual(edit.found!.attempts, found!.attempts)
        return found!.attempts.map(({ id }) => id)
      })
      const { transaction } = args
      const [, second, third] = started.map(({ id }) => id)
      assert.deepStrictEqual(yield* brought({ transaction }), [])
      assert.deepStrictEqual(yield* brought({ transaction, attempt: second }), [second])
      assert.deepStrictEqual(yield* brought({ transaction: { typeId: "attempt", id: third! } }), [third])
      const other = (yield* storedPayment).attempt.id
      assert.deepStrictEqual(yield* brought({ transaction, attempt: other }), [], "of another payment")
      const pendingAttempt = { attemptId: AttemptId.make("a1"), kind: "charge", value: opened.value } as const
      yield* writeTransaction({ ...opened, pendingAttempt }, opened)
      assert.deepStrictEqual(yield* brought({ transaction }), ["a1"])
      assert.deepStrictEqual(yield* brought({ transaction, attempt: second }), ["a1", second])
      assert.deepStrictEqual(yield* brought({ transaction, attempt: pendingAttempt.attemptId }), ["a1"])
    }).pipe(onEmpty)
  )

  it.effect("of a payment returns its own card and its owner's card, and none if it is not paid by card", () =>
    Effect.gen(function* () {
      const { args, card, companyId, customer, opened } = yield* storedPayment
      const own = yield* storedCard(companyId, { customerId: customer.id })
      const cards = Effect.map(look("payment", args), ({ found }) => [found!.card, found!.owner.card])
      const paidWith = { ...opened, cardId: own.id }
      yield* writeTransaction(paidWith, opened)
      assert.deepStrictEqual(yield* cards, [own, card])
      const { cardId: _, ...rest } = opened
      yield* writeTransaction({ ...rest, method: "pix", status: "cancel" }, paidWith)
      assert.deepStrictEqual(yield* cards, [undefined, card])
    }).pipe(onEmpty)
  )

  it.effect("of a payment of a charge returns the charge, its customer and its card", () =>
    Effect.gen(function* () {
      const { args, card, charge, company, customer, opened } = yield* storedChargePayment
      const { guard, ...found } = (yield* look("payment", args)).found!
      assert.deepStrictEqual(found, {
        companyId: company.id,
        clock: noOffset,
        restores: 0,
        version: 1,
        endpoints: [],
        owner: { _tag: "Charge", charge, card },
        customer,
        transaction: opened,
        card,
        attempts: []
      })
      assert.deepInclude(guard, { table: "charges", id: charge.id })
    }).pipe(onEmpty)
  )

  it.effect("of an edit of a payment returns the payment, the payment with the new myId and the possible cards", () =>
    Effect.gen(function* () {
      const { args, card, companyId, opened } = yield* storedPayment
      const { guard: _, ...payment } = (yield* look("payment", args)).found!
      const query = { svcPayId: card.id, myId: card.myId, vaultToken: card.vaultToken }
      for (const transaction of [bySvcPayId(opened.id), byMyId(opened.myId!)]) {
        const edit = { companyId, transaction, myId: opened.myId, card: query }
        const { customerGuard, guard, ...found } = (yield* look("paymentEdit", edit)).found!
        assert.deepInclude(guard, { table: "subscriptions" })
        assert.deepInclude(customerGuard, { table: "customers", id: payment.customer.id })
        assert.deepStrictEqual(found, {
          ...payment,
          sameMyId: opened,
          cards: { bySvcPayId: card, byMyId: card, byVaultToken: [card] }
        })
        const plain = (yield* look("paymentEdit", { companyId, transaction })).found!
        assert.isUndefined(plain.sameMyId)
        assert.deepStrictEqual(plain.cards, { bySvcPayId: undefined, byMyId: undefined, byVaultToken: [] })
      }
    }).pipe(onEmpty)
  )

  it.effect("of a new payment returns the subscription, the payment with the same myId and the possible cards", () =>
    Effect.gen(function* () {
      const { card, company, companyId, customer, opened, subscription } = yield* storedPayment
      const args = { companyId, subscription: bySvcPayId(subscription.id), myId: opened.myId! }
      const query = { svcPayId: card.id, myId: card.myId, vaultToken: card.vaultToken }
      const loaded = (yield* look("newPayment", { ...args, card: query })).found!
      const { customerGuard, endpoints: _, guard: __, ...found } = loaded
      assert.deepInclude(customerGuard, { table: "customers", id: customer.id })
      assert.deepStrictEqual(found, {
        companyId: company.id,
        clock: noOffset,
        restores: 0,
        version: 1,
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

  it.effect(
    "of a new subscription returns the customer by each identifier, and the subscription with the same myId",
    () =>
      Effect.gen(function* () {
        const { card, company, companyId, customer, subscription } = yield* storedPayment
        const myId = subscription.myId!
        const { document, id: svcPayId } = customer
        const query = { vaultToken: card.vaultToken }
        const named = { svcPayId, myId: customer.myId, document }
        const loaded = yield* look("newSubscription", { companyId, myId, customer: named, card: query })
        const { endpoints: _, versions, ...found } = loaded.found!
        assert.deepStrictEqual(found, {
          companyId: company.id,
          clock: noOffset,
          restores: 0,
          version: 1,
          sameMyId: subscription,
          customers: { bySvcPayId: customer, byMyId: customer, byDocument: customer },
          cards: { bySvcPayId: undefined, byMyId: undefined, byVaultToken: [card] },
          instalments: { first: undefined, takenMyIds: new Set<MyId>() },
          plans: { bySvcPayId: undefined, byMyId: undefined }
        })
        assert.deepStrictEqual([...versions.keys()], [customer.id])
        const none = (yield* look("newSubscription", { companyId, myId: MyId.make("another"), customer: {} })).found!
        assert.isUndefined(none.sameMyId)
        assert.deepStrictEqual(none.customers, { bySvcPayId: undefined, byMyId: undefined, byDocument: undefined })
      }).pipe(onEmpty)
  )

  it.effect("of instalments returns the first instalment, and the identifiers that others have", () =>
    Effect.gen(function* () {
      const { companyId, customer, opened, subscription } = yield* storedPayment
      const free = MyId.make("free")
      const query = { firstId: opened.id, myIds: [free, opened.myId!] }
      const expected = { first: opened, takenMyIds: new Set([opened.myId]) }
      const args = { companyId, subscriptionId: subscription.id, instalments: query }
      const { customer: payer, instalments, subscription: owner } = (yield* look("instalments", args)).found!
      assert.deepStrictEqual([payer, owner, instalments], [customer, subscription, expected])
      const other = SvcPayId.make(99_999_999_999)
      const none = { companyId, subscriptionId: subscription.id, instalments: { firstId: other, myIds: [free] } }
      assert.deepStrictEqual((yield* look("instalments", none)).found!.instalments, {
        first: undefined,
        takenMyIds: new Set<MyId>()
      })
      assert.isUndefined((yield* look("instalments", { ...args, subscriptionId: other })).found)
      const created = { companyId, myId: free, customer: {}, instalments: query }
      assert.deepStrictEqual((yield* look("newSubscription", created)).found!.instalments, expected)
    }).pipe(onEmpty)
  )

  it.effect("returns nothing of another company", () =>
    Effect.gen(function* () {
      const { args, attempt, card, customer, opened, subscription } = yield* storedPayment
      const { id: companyId } = yield* storedCompany
      const query = { svcPayId: card.id, myId: card.myId, vaultToken: card.vaultToken }
      for (const transaction of [
        args.transaction,
        byMyId(opened.myId!),
        { typeId: "attempt", id: attempt.id } as const
      ]) {
        assert.isUndefined((yield* look("payment", { companyId, transaction })).found)
      }
      for (const transaction of [bySvcPayId(opened.id), byMyId(opened.myId!)]) {
        assert.isUndefined((yield* look("paymentEdit", { companyId, transaction, card: query })).found)
      }
      const added = { companyId, subscription: bySvcPayId(subscription.id), myId: opened.myId!, card: query }
      assert.isUndefined((yield* look("newPayment", added)).found)
      const created = yield* look("newSubscription", {
        companyId,
        myId: subscription.myId!,
        customer: { svcPayId: customer.id, myId: customer.myId, document: customer.document },
        card: query,
        instalments: { firstId: opened.id, myIds: [opened.myId!] }
      })
      const about = { subscriptionId: subscription.id, instalments: { firstId: opened.id, myIds: [] } }
      assert.isUndefined((yield* look("instalments", { companyId, ...about })).found)
      assert.deepStrictEqual(
        { ...created.found!, versions: [...created.found!.versions] },
        {
          companyId,
          clock: noOffset,
          restores: 0,
          version: 1,
          endpoints: [],
          sameMyId: undefined,
          customers: { bySvcPayId: undefined, byMyId: undefined, byDocument: undefined },
          versions: [],
          cards: { bySvcPayId: undefined, byMyId: undefined, byVaultToken: [] },
          instalments: { first: undefined, takenMyIds: new Set<MyId>() },
          plans: { bySvcPayId: undefined, byMyId: undefined }
        }
      )
      assert.deepStrictEqual((yield* look("company", { companyId })).found!.endpoints, [])
    }).pipe(onEmpty)
  )
}

forEachStore((name, layer) =>
  describe(`a load (${name})`, () => {
    loads(onEmptyStore(layer))
  })
)
