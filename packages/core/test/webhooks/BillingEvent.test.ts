import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { BillingEvent, webhookEventOf } from "../../src/webhooks/BillingEvent.ts"
import { cents, day, transactionOf } from "../fixtures/States.ts"

const { id: transactionId, owner } = transactionOf("boleto")
const added: BillingEvent = { _tag: "TransactionAdded", transactionId, subscriptionId: owner.id }
const charge = { _tag: "Charge", id: owner.id } as const
const registered: BillingEvent = { _tag: "TransactionRegistered", transactionId }
const changed: BillingEvent = { _tag: "TransactionStatusChanged", transactionId, from: "notSend", to: "captured" }

describe("webhookEventOf", () => {
  it.each([
    ["a card payment when it is added", added, transactionOf("creditcard"), "subscription.addTransaction"],
    ["a boleto once it has its slip, not before", added, transactionOf("boleto"), undefined],
    ["a boleto once it has its slip", registered, transactionOf("boleto"), "subscription.addTransaction"],
    ["a Pix once it has its code, not before", added, transactionOf("pix"), undefined],
    ["a Pix once it has its code", registered, transactionOf("pix"), "subscription.addTransaction"],
    ["a payment that was made outside, at once", added, { method: "outside", owner }, "subscription.addTransaction"],
    ["no payment of a charge when it is made", added, { method: "creditcard", owner: charge }, undefined],
    ["no payment of a charge once it has its code", registered, { method: "pix", owner: charge }, undefined],
    ["the status of a charge's payment", changed, { method: "pix", owner: charge }, "transaction.updateStatus"],
    ["a change of status", changed, transactionOf("creditcard"), "transaction.updateStatus"],
    [
      "no part of a reversal",
      { _tag: "TransactionReversed", transactionId, value: cents(1) },
      transactionOf("creditcard"),
      undefined
    ]
  ] as const)("returns the webhook event for %s", (_, event, transaction, expected) => {
    assert.strictEqual(webhookEventOf(event, transaction), expected)
  })

  it("returns no webhook event for other events", () => {
    const announced = Object.keys(BillingEvent.cases).filter(
      (tag) => webhookEventOf({ _tag: tag } as BillingEvent, transactionOf("creditcard")) !== undefined
    )
    assert.sameMembers(announced, [
      "TransactionAdded",
      "TransactionRegistered",
      "TransactionStatusChanged",
      "ChargebackOpened"
    ])
  })
})

describe("BillingEvent", () => {
  it("is decoded from the journal unchanged", () => {
    const event: BillingEvent = {
      _tag: "TransactionSettled",
      transactionId,
      settlement: { id: "s1", value: cents(100), paidOn: day("2026-11-11") }
    }
    const codec = Schema.fromJsonString(BillingEvent)
    assert.deepStrictEqual(Schema.decodeSync(codec)(Schema.encodeSync(codec)(event)), event)
  })
})
