import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { BillingError, refuse } from "../../src/errors/BillingError.ts"
import { BillingRefusal } from "../../src/errors/BillingRefusal.ts"
import { refusals } from "../../src/errors/RefusalTexts.ts"
import { ErrorNode } from "../../src/errors/ErrorDetails.ts"
import { cents } from "../fixtures/States.ts"

// The entities and fields of interface section 2.
const fields: Readonly<Record<string, string>> = {
  Subscription:
    "svcPayId myId mainPaymentMethodId status additionalInfo Customer Transactions PaymentMethodCreditCard " +
    "PaymentMethodBoleto PaymentMethodPix quantity firstPayDayDate value periodicity planMyId",
  Customer: "svcPayId myId name document emails phones createdAt updatedAt Address",
  Address: "zipCode street number complement neighborhood city state",
  Transaction:
    "myId svcPayId subscriptionMyId subscriptionSvcPayId value payday payedOutsideSvcPay additionalInfo installment " +
    "status datetimeLastSentToOperator fee statusDescription reasonDenied tid authorizationCode statusDate " +
    "AbecsReasonDenied Pix Boleto CreditCard Transaction3DS paydayDate valueToReverse",
  AbecsReasonDenied: "code message",
  Pix: "qrCode reference image page",
  Boleto: "pdf bankLine bankAgency bankAccount",
  Card: "myId svcPayId number createdAt updatedAt Brand expiresAt isBackup status",
  Brand: "id name maxInstallment operatorIds",
  PaymentMethodCreditCard: "Card qtdInstallments",
  PaymentMethodBoleto: "fine interest instructions deadlineDays",
  PaymentMethodPix: "fine interest instructions Deadline",
  Deadline: "type value",
  // Not in the interface, which defines only a scope for this entity; named as in public use.
  Charge: "svcPayId myId status value payday mainPaymentMethodId valueToReverse",
  Plan: "svcPayId myId",
  Webhook: "url events"
}
const isField = (name: string) => {
  const [entity = "", field = "", ...rest] = name.split(".")
  return rest.length === 0 && (fields[entity] ?? "").split(" ").includes(field) && field !== ""
}

// One example of each refusal, with its expected field.
const examples: {
  readonly [Tag in BillingRefusal["_tag"]]: readonly [string, Omit<BillingRefusal, "_tag">]
} = {
  SubscriptionNotFound: ["Subscription.svcPayId", { typeId: "svcPayId" }],
  ChargeNotFound: ["Charge.myId", { typeId: "myId" }],
  TransactionNotFound: ["Transaction.myId", { typeId: "myId" }],
  CustomerNotFound: ["Customer.document", { by: ["document"] }],
  CustomerUnknown: ["Customer.myId", { typeId: "myId" }],
  CustomerHasOtherMyId: ["Customer.document", { myId: "mine" }],
  CustomerIncomplete: ["Customer.name", { missing: ["name", "emails"] }],
  AddressIncomplete: ["Address.street", { missing: ["street", "city"] }],
  CustomersDiffer: ["Customer.myId", { by: ["myId", "document"] }],
  DocumentTaken: ["Customer.document", { svcPayId: 7 }],
  PlanNotFound: ["Plan.myId", { typeId: "myId" }],
  CardNotFound: ["PaymentMethodCreditCard.Card", {}],
  CardUnknown: ["Card.myId", { typeId: "myId" }],
  CardInUse: ["Card.status", {}],
  CardMissing: ["PaymentMethodCreditCard.Card", {}],
  InstallmentsTooMany: ["PaymentMethodCreditCard.qtdInstallments", { brand: "Visa", maximum: 12 }],
  CardExpired: ["Card.expiresAt", { expiresAt: "2026-10" }],
  CardBrandUnknown: ["Card.number", {}],
  MyIdTaken: ["Card.myId", { entity: "Card", myId: "mine" }],
  SubscriptionNotOpen: ["Subscription.status", { status: "closed" }],
  SubscriptionCannot: ["Subscription.status", { cause: "stop", status: "closed" }],
  WebhookUrlNotAllowed: ["Webhook.url", {}],
  ChargeWithoutCard: ["Charge.mainPaymentMethodId", {}],
  ChargeCannot: ["Charge.status", { cause: "cancel", status: "closed" }],
  SubscriptionOver: ["Subscription.status", { status: "canceled" }],
  QuantityLeft: ["Subscription.Transactions", { payments: 3, quantity: 12 }],
  PlanInactive: ["Subscription.planMyId", {}],
  PlanWithoutPrice: ["Subscription.value", { method: "pix" }],
  PaymentIncomplete: ["Transaction.value", { missing: ["value", "payday"] }],
  ScheduleIncomplete: ["Subscription.value", { missing: ["value", "periodicity"] }],
  ScheduleMissing: ["Subscription.value", {}],
  QuantityTooHigh: ["Subscription.quantity", { maximum: 7_974 }],
  InstalmentBeyond: ["Subscription.Transactions", { installment: 13, quantity: 12 }],
  InstalmentPast: ["Subscription.firstPayDayDate", { installment: 1, payday: "2026-11-20", today: "2026-11-21" }],
  PaydayPast: ["Transaction.payday", { payday: "2026-11-20", today: "2026-11-21" }],
  ValueTooHigh: ["Transaction.value", { maximum: 10 }],
  NotRetriable: ["Transaction.status", { status: "captured" }],
  NotEditable: ["Transaction.status", { status: "captured" }],
  NotByCard: ["PaymentMethodCreditCard.Card", {}],
  PaydayDateNotToday: ["Transaction.paydayDate", { today: "2026-11-21" }],
  RetryTooEarly: ["Transaction.datetimeLastSentToOperator", { notBefore: "2026-12-21 09:00:00", reason: "why" }],
  RetryNever: ["AbecsReasonDenied.code", { reason: "why" }],
  AttemptPending: ["Transaction.status", {}],
  AttemptUnknown: ["Transaction.status", {}],
  DeniedByProvider: ["Transaction.status", { provider: "cardOperator", code: "57", message: "not permitted" }],
  TransactionCannot: ["Transaction.status", { cause: "settle", status: "captured" }],
  CancelledBefore: ["Charge.status", { entity: "Charge" }],
  ReversalOutOfRange: ["Charge.valueToReverse", { entity: "Charge", left: cents(100) }],
  AuthorizedInPart: ["Transaction.valueToReverse", { entity: "Transaction" }],
  PixValueDiffers: ["Transaction.value", { due: cents(100), paid: cents(99) }],
  SettlementDiffers: ["Transaction.value", { recorded: cents(100), reported: cents(99) }],
  NotRegistered: ["Transaction.status", {}],
  NotExpiredYet: ["Transaction.payday", { until: "2026-11-14 00:00:00" }]
}
const errorOf = (tag: string, data: object) => refuse({ _tag: tag, ...data } as BillingRefusal)

describe("the table of refusals", () => {
  it("has a row for each refusal", () => {
    assert.sameMembers(Object.keys(refusals), Object.keys(BillingRefusal.cases))
  })

  it.each(Object.entries(examples))("%s", (tag, [field, data]) => {
    const error = errorOf(tag, data)
    assert.strictEqual(error.field, field)
    assert.isTrue(isField(field), field)
    for (const [name, problems] of Object.entries(error.details)) {
      assert.isTrue(isField(name), name)
      // A message is more than one word, and contains no leftovers of code.
      for (const problem of problems) assert.match(problem, /^\S+( \S+)+$/)
      for (const problem of problems) assert.notMatch(problem, /undefined|null|NaN|\[object/)
    }
    assert.isAbove(Object.keys(error.details).length, 0)
    assert.strictEqual(error.message.startsWith(`${field}: `), tag !== "CancelledBefore")
  })

  it("contains no secret: no refusal has a field for a secret", () => {
    const kept = Object.values(BillingRefusal.cases).flatMap((row) => Object.keys(row.fields))
    assert.sameMembers(
      [...new Set(kept)],
      [
        "_tag missing expiresAt entity myId status cause payments quantity payday today maximum notBefore reason by",
        "left due paid recorded reported until typeId provider code message installment svcPayId brand method"
      ].flatMap((line) => line.split(" "))
    )
  })

  it("describes the problem of each field in its details", () => {
    assert.deepStrictEqual(errorOf("MyIdTaken", { entity: "Transaction", myId: "a" }).details, {
      "Transaction.myId": ['"a" is already in use']
    })
    assert.deepStrictEqual(errorOf("CustomerIncomplete", { missing: ["name", "emails"] }).details, {
      "Customer.name": ["is required for a new customer"],
      "Customer.emails": ["is required for a new customer"]
    })
    assert.deepStrictEqual(errorOf("QuantityLeft", { payments: 3 }).details, {
      "Subscription.Transactions": ["a subscription without end cannot be closed: cancel it instead"]
    })
  })
})

describe("BillingError", () => {
  it.prop("fits into the error node of a response for any refusal", [BillingRefusal], ([refusal]) => {
    const { details, message } = refuse(refusal)
    assert.isTrue(Schema.is(ErrorNode)({ error: { message, details } }), message)
  })

  it("shortens a message that is too long, and contains all of it in its details", () => {
    const error = errorOf("MyIdTaken", { entity: "Card", myId: "😀".repeat(255) })
    assert.strictEqual([...error.message].length, 255)
    assert.strictEqual(error.message.at(-1), "…")
    assert.isTrue(error.message.isWellFormed())
    assert.strictEqual([...(error.details["Card.myId"]?.[0] ?? "")].length, 255 + '"" is already in use'.length)
  })

  it("is caught by its tag", () => {
    assert.strictEqual(errorOf("CardMissing", {})._tag, "BillingError")
    assert.instanceOf(errorOf("CardMissing", {}), BillingError)
  })
})
