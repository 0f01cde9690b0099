import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { AddPayment } from "../../src/transactions/PaymentRequests.ts"
import type { Attempt } from "../../src/attempts/Attempt.ts"
import { MyId, SvcPayId } from "../../src/values/Identifier.ts"
import { add } from "../../src/transactions/TransactionDecider.ts"
import { mustSend } from "../../src/transactions/TransactionDeadlines.ts"
import { retry, send } from "../../src/transactions/TransactionAttempts.ts"
import { openPaymentsOfSubscription, SubscriptionStatus } from "../../src/subscriptions/SubscriptionState.ts"
import { type TransactionState, pendingAttemptOf } from "../../src/transactions/TransactionState.ts"
import { TransactionStatus } from "../../src/transactions/TransactionStatus.ts"
import {
  answer,
  at,
  attempt,
  attemptOf,
  authorized,
  before,
  boletoOf,
  cents,
  day,
  decided,
  deniedOf,
  has,
  newAttempt,
  now,
  otherAttempt,
  pixOf,
  refused,
  stateIn,
  subscriptionOf,
  today,
  transactionOf,
  pendingAttempt
} from "../fixtures/States.ts"

const cardId = SvcPayId.make(9)
const context = { id: SvcPayId.make(42), sameMyId: undefined, today, now }
const command: AddPayment = { myId: MyId.make("payment 42"), value: cents(12_990), payday: today }

describe("add", () => {
  it("opens a payment in the status of its method, as the next instalment", () => {
    const { events, next } = decided(add(subscriptionOf({ payments: 2 }), command, context))
    assert.deepStrictEqual(next, {
      id: SvcPayId.make(42),
      companyId: subscriptionOf().companyId,
      owner: { _tag: "Subscription", id: SvcPayId.make(7) },
      myId: command.myId,
      method: "boleto",
      value: cents(12_990),
      payday: today,
      installment: 3,
      status: "pendingBoleto",
      statusAt: now,
      createdAt: now,
      updatedAt: now
    })
    assert.deepStrictEqual(events, [
      { _tag: "TransactionAdded", transactionId: next.id, subscriptionId: SvcPayId.make(7) }
    ])
  })

  it("uses the subscription's card only for a card payment", () => {
    const byCard = subscriptionOf({ mainPaymentMethodId: "creditcard", cardId })
    has(decided(add(byCard, command, context)).next, { status: "notSend", cardId })
    const byPix = decided(add(subscriptionOf({ mainPaymentMethodId: "pix", cardId }), command, context)).next
    assert.strictEqual(byPix.status, "pendingPix")
    assert.notProperty(byPix, "cardId")
  })

  it("stores the text of the request", () => {
    const { next } = decided(add(subscriptionOf(), { ...command, additionalInfo: "November" }, context))
    assert.strictEqual(next.additionalInfo, "November")
  })

  it("accepts a payment made outside the service, also without a card or in the past", () => {
    const outside = { ...command, payedOutsideSvcPay: true, payday: day("2020-01-01"), value: cents(99_999_999_999) }
    for (const mainPaymentMethodId of ["creditcard", "boleto", "pix"] as const) {
      const { next } = decided(add(subscriptionOf({ mainPaymentMethodId }), outside, context))
      has(next, { status: "payExternal", method: "outside" })
    }
  })

  it("refuses a myId that is in use", () => {
    const sameMyId = transactionOf("boleto")
    assert.deepStrictEqual(refused(add(subscriptionOf(), command, { ...context, sameMyId })), {
      _tag: "MyIdTaken",
      entity: "Transaction",
      myId: "payment 42"
    })
  })

  it.each(SubscriptionStatus.literals)("depends on the subscription's status: %s", (status) => {
    const isOpen = status === "active" || status === "waitingPayment"
    assert.deepStrictEqual(
      answer(add(subscriptionOf({ status }), command, context)),
      isOpen ? "pendingBoleto" : { _tag: "SubscriptionNotOpen", status }
    )
  })

  it("refuses a card payment without a card", () => {
    assert.deepStrictEqual(refused(add(subscriptionOf({ mainPaymentMethodId: "creditcard" }), command, context)), {
      _tag: "CardMissing"
    })
  })

  it("refuses a boleto or a Pix that is due in the past, but not a card payment", () => {
    const yesterday = { ...command, payday: day("2026-11-20") }
    for (const mainPaymentMethodId of ["boleto", "pix"] as const) {
      assert.deepStrictEqual(refused(add(subscriptionOf({ mainPaymentMethodId }), yesterday, context)), {
        _tag: "PaydayPast",
        payday: "2026-11-20",
        today: "2026-11-21"
      })
    }
    const byCard = subscriptionOf({ mainPaymentMethodId: "creditcard", cardId })
    assert.strictEqual(decided(add(byCard, yesterday, context)).next.status, "notSend")
  })

  it("refuses a value above the maximum of a boleto, but not for a Pix", () => {
    const most = { ...command, value: cents(9_999_999_999) }
    const more = { ...command, value: cents(10_000_000_000) }
    assert.strictEqual(decided(add(subscriptionOf(), most, context)).next.value, 9_999_999_999)
    assert.deepStrictEqual(refused(add(subscriptionOf(), more, context)), {
      _tag: "ValueTooHigh",
      maximum: 9_999_999_999
    })
    const byPix = subscriptionOf({ mainPaymentMethodId: "pix" })
    assert.strictEqual(decided(add(byPix, more, context)).next.value, 10_000_000_000)
  })
})

describe("mustSend", () => {
  it.each([
    ["a card payment that is due", transactionOf("creditcard"), true],
    ["a card payment of tomorrow", transactionOf("creditcard", { payday: day("2026-11-22") }), false],
    ["a card payment that was refused", deniedOf(), false],
    ["an authorized card payment", authorized, false],
    ["a boleto without a slip", transactionOf("boleto", { payday: day("2027-01-01") }), true],
    ["a boleto with a slip", boletoOf(), false],
    ["a Pix without a code", transactionOf("pix"), true],
    ["a Pix with a code", pixOf(), false],
    ["one that is under way", pendingAttempt(transactionOf("creditcard"), "charge"), false],
    ["one that was cancelled", stateIn("cancel"), false]
  ])("%s: %s", (_, state, expected) => {
    assert.strictEqual(mustSend(state, today), expected)
  })

  it("is false while the subscription is stopped, inactive or cancelled", () => {
    const wanted = SubscriptionStatus.literals.filter((status) =>
      mustSend(transactionOf("pix"), today, openPaymentsOfSubscription[status])
    )
    assert.deepStrictEqual(wanted, ["active", "closed", "waitingPayment"])
  })
})

describe("send", () => {
  it("starts an attempt, and stores the time of a card attempt", () => {
    const state = transactionOf("creditcard")
    const { attempt: asked, events, next } = decided(send(state, newAttempt(), now))
    has(next, { lastSentAt: now, updatedAt: now, status: "notSend", statusAt: before })
    assert.deepStrictEqual(pendingAttemptOf(next), { attemptId: attempt, kind: "charge", value: cents(10_000) })
    assert.deepStrictEqual(events, [{ _tag: "TransactionSent", transactionId: next.id, attemptId: attempt }])
    assert.deepStrictEqual(asked, attemptOf(next, { cardId: state.cardId }))
  })

  it.each([
    ["boleto", "boletoBank"],
    ["pix", "pixProvider"]
  ] as const)("starts the registration of a %s", (method, provider) => {
    const { attempt: asked, next } = decided(send(transactionOf(method), newAttempt(), now))
    has(asked, { kind: "register", provider })
    assert.notProperty(asked, "cardId")
    assert.notProperty(next, "lastSentAt")
  })

  it("is refused while another attempt is pending", () => {
    const state = pendingAttempt(transactionOf("creditcard"), "charge")
    assert.deepStrictEqual(refused(send(state, newAttempt(otherAttempt), now)), { _tag: "AttemptPending" })
  })

  it.each(TransactionStatus.literals)("succeeds exactly if mustSend is true: %s", (status) => {
    const state = stateIn(status)
    assert.strictEqual(Result.isSuccess(send(state, newAttempt(), now)), mustSend(state, today))
  })
})

describe("retry", () => {
  it.each(TransactionStatus.literals)("%s", (status) => {
    const isRetriable = status === "notSend" || status === "denied" || status === "authorized"
    assert.deepStrictEqual(
      answer(retry(stateIn(status), newAttempt(), now)),
      isRetriable ? status : { _tag: "NotRetriable", status }
    )
  })

  it("starts a charge, or the capture of an authorized amount", () => {
    const { attempt: asked, next } = decided(retry(deniedOf(), newAttempt(), now))
    has(next, { lastSentAt: now })
    assert.strictEqual(asked.kind, "charge")
    assert.strictEqual(decided(retry(authorized, newAttempt(), now)).attempt.kind, "capture")
  })

  it("is refused while an attempt is pending", () => {
    const state = pendingAttempt(deniedOf(), "charge")
    assert.deepStrictEqual(refused(retry(state, newAttempt(otherAttempt), now)), { _tag: "AttemptPending" })
  })

  describe("retry within the limits of the card brand", () => {
    const tries = (count: number, code = "51", changes: Partial<Attempt> = {}): ReadonlyArray<Attempt> =>
      Array.from({ length: count }, () =>
        attemptOf(deniedOf(), { businessAt: before, result: { outcome: "denied", code, at: before }, ...changes })
      )
    const goesOn = (history: Parameters<typeof retry>[3], state: TransactionState = deniedOf(), businessAt = now) =>
      Result.isSuccess(retry(state, newAttempt(), businessAt, history))

    it("ignores the limits without a history", () => {
      assert.isTrue(goesOn(undefined, deniedOf("54")))
    })

    it("succeeds while the brand allows it", () => {
      assert.isTrue(goesOn({ brand: "visa", attempts: tries(14) }))
    })

    it("is refused with the time from which it is allowed", () => {
      const history = { brand: "visa", attempts: tries(15) } as const
      assert.deepStrictEqual(refused(retry(deniedOf(), newAttempt(), now, history)), {
        _tag: "RetryTooEarly",
        notBefore: "2026-12-21 09:00:00",
        reason: "Visa allows 15 attempts of a value in 30 days"
      })
      assert.isTrue(goesOn(history, deniedOf(), at("2026-12-21 09:00:00")))
    })

    it("counts days by business time, not by machine time", () => {
      const machine = at("2020-01-01 00:00:00")
      const attempts = tries(15, "51", { startedAt: machine, result: { outcome: "denied", code: "51", at: machine } })
      assert.isFalse(goesOn({ brand: "visa", attempts }))
    })

    it("counts only charges with the transaction's value", () => {
      assert.isTrue(goesOn({ brand: "visa", attempts: tries(15, "51", { value: cents(9_999) }) }))
      assert.isTrue(goesOn({ brand: "visa", attempts: tries(15, "51", { kind: "reverse" }) }))
    })

    it("counts a charge with an unknown outcome, and starts again after a captured one", () => {
      const [denied] = tries(1)
      const { result: _, ...unknown } = denied!
      assert.isFalse(goesOn({ brand: "visa", attempts: [...tries(14), unknown] }))
      const captured = attemptOf(deniedOf(), { businessAt: now, result: { outcome: "captured", at: now } })
      assert.isTrue(goesOn({ brand: "visa", attempts: [...tries(15), captured] }))
    })

    it("is refused with the reason if the brand never allows it", () => {
      const never = (code: string, attempts: ReadonlyArray<Attempt>) =>
        refused(retry(deniedOf(code), newAttempt(), now, { brand: "visa", attempts }))._tag
      assert.strictEqual(never("54", tries(1, "54")), "RetryNever")
      assert.strictEqual(never("", []), "RetryNever")
    })

    it("applies the merchant advice code of the last denial", () => {
      const advised = (merchantAdviceCode: string, at = before) =>
        tries(1, "51", { businessAt: at, result: { outcome: "denied", code: "51", merchantAdviceCode, at } })
      assert.isFalse(goesOn({ brand: "mastercard", attempts: advised("03") }))
      assert.isTrue(
        goesOn({ brand: "mastercard", attempts: [...tries(1, "51", { businessAt: now }), ...advised("03")] })
      )
    })

    it("ignores an irreversible denial before a later reversible one", () => {
      for (const state of [transactionOf("creditcard"), authorized]) {
        assert.isTrue(goesOn({ brand: "visa", attempts: tries(1, "54") }, state))
      }
    })
  })
})
