/** Views are held to the schemas of responses here, and not on every response. */
import { assert, describe, it } from "@effect/vitest"
import { Card, CardOfRetry, CardOfSubscription, CardOfTransaction } from "@parcela/core/cards/Card"
import { CardState } from "@parcela/core/cards/CardDecider"
import { Charge, ChargeOfTransaction } from "@parcela/core/charges/Charge"
import { ChargeState } from "@parcela/core/charges/ChargeState"
import { CustomerState } from "@parcela/core/customers/CustomerState"
import type { View } from "@parcela/core/json/ResponseSerializer"
import { Subscription, SubscriptionOfEvent } from "@parcela/core/subscriptions/Subscription"
import { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { Transaction, TransactionOfRetry, TransactionOfSubscription } from "@parcela/core/transactions/Transaction"
import { ListedTransaction } from "@parcela/core/transactions/ListedTransaction"
import { TransactionState } from "@parcela/core/transactions/TransactionState"
import { BusinessTime } from "@parcela/core/time/Instant"
import * as Views from "@parcela/engine/queries/Views"
import { Settings } from "@parcela/engine/Settings"
import { picked } from "@parcela/test-world/Picked"
import { Effect, Schema } from "effect"

const at = BusinessTime.make(Date.UTC(2026, 10, 22, 12))

/** States of any shape; what requests bound is bounded, and times are of this day. */
const shown = <A extends { readonly createdAt: BusinessTime; readonly updatedAt: BusinessTime }>(state: A): A => ({
  ...state,
  createdAt: at,
  updatedAt: at,
  ...("statusAt" in state ? { statusAt: at } : {}),
  ...("lastSentAt" in state ? { lastSentAt: at } : {})
})

const payer = (state: CustomerState): CustomerState => {
  const { municipalDocument: _, ...customer } = shown(state)
  return { ...customer, name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"], phones: [11987654321] }
}

const plain = (state: CardState): CardState => ({ ...shown(state), mask: "4111********1111" })

const paid = (state: TransactionState): TransactionState => {
  const { installment: _, ...transaction } = shown(state)
  // A state keeps what providers said, whatever its length; here it is short.
  const provided = JSON.parse(
    JSON.stringify(transaction, (key, value: unknown) =>
      [
        "tid",
        "code",
        "message",
        "bankLine",
        "barcode",
        "bankAgency",
        "bankAccount",
        "qrCode",
        "txid",
        "documentKey"
      ].includes(key)
        ? "51"
        : value
    )
  ) as TransactionState
  return { ...provided, installment: 1 }
}

/** Picks by the schema, and holds what was picked to it: no other key, no other form. */
const check = <S extends Schema.Codec<object>>(schema: S, view: View<S["Type"]>): S["Type"] => {
  const shown = picked(schema, view)
  Schema.decodeUnknownSync(schema, { errors: "all", onExcessProperty: "error" })(shown)
  return shown
}

const runs = { arbitrary: { runs: 100 } }

describe("views", () => {
  it.effect.prop(
    "of cards equal what every response shows",
    [CustomerState, CardState],
    ([customer, card]) =>
      Effect.gen(function* () {
        const settings = yield* Settings
        const of = payer(customer)
        for (const schema of [Card, CardOfRetry, CardOfSubscription, CardOfTransaction]) {
          check(schema, Views.card(plain(card), settings, of))
        }
      }),
    runs
  )

  it.effect.prop(
    "of transactions equal what every response shows, for every method, status and owner",
    [TransactionState, SubscriptionState, ChargeState, CustomerState, CardState],
    ([transaction, subscription, charge, customer, card]) =>
      Effect.gen(function* () {
        const settings = yield* Settings
        const parts = { transaction: paid(transaction), card: plain(card), customer: payer(customer) }
        for (const owner of [
          { _tag: "Subscription", subscription: shown(subscription) } as const,
          { _tag: "Charge", charge: shown(charge) } as const
        ]) {
          const view = Views.transaction({ ...parts, owner }, settings)
          for (const schema of [Transaction, TransactionOfRetry, TransactionOfSubscription, ListedTransaction])
            check(schema, view)
          const { chargeMyId, subscriptionMyId } = check(Transaction, view)
          assert.strictEqual(subscriptionMyId === undefined, owner._tag === "Charge")
          assert.strictEqual(chargeMyId === null, owner._tag === "Subscription")
        }
      }),
    runs
  )

  it.effect.prop(
    "of a page equal the views of its rows one by one",
    [TransactionState, SubscriptionState, CustomerState, CustomerState, CardState],
    ([transaction, subscription, customer, another, card]) =>
      Effect.gen(function* () {
        const settings = yield* Settings
        const one = { transaction, card, customer, owner: { _tag: "Subscription", subscription } as const }
        const rows = [one, { ...one }, { ...one, customer: another }, { ...one, card: { ...card, mask: "0" } }]
        const page = new Views.Page()
        const shown = rows.map((row) => Views.transaction(row, settings, page))
        assert.deepStrictEqual(
          shown,
          rows.map((row) => Views.transaction(row, settings))
        )
        assert.strictEqual(shown[0]?.Subscription, shown[1]?.Subscription)
      }),
    { arbitrary: { runs: 20 } }
  )

  it.effect.prop(
    "of subscriptions and charges equal what every response and event shows",
    [SubscriptionState, ChargeState, TransactionState, CustomerState, CardState],
    ([subscription, charge, transaction, customer, card]) =>
      Effect.gen(function* () {
        const settings = yield* Settings
        const parts = {
          customer: payer(customer),
          card: plain(card),
          transactions: [{ transaction: paid(transaction), card: plain(card) }]
        }
        const contract = Views.subscription(
          { ...parts, subscription: { ...shown(subscription), payments: 1 } },
          settings
        )
        for (const schema of [Subscription, SubscriptionOfEvent]) check(schema, contract)
        const single = Views.charge({ ...parts, charge: shown(charge) }, settings)
        for (const schema of [Charge, ChargeOfTransaction]) check(schema, single)
      }),
    runs
  )
})
