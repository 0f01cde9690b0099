import { assert, describe, it } from "@effect/vitest"
import type { AddPayment } from "../src/AddPayment.ts"
import { MyId, SvcPayId } from "../src/Identifier.ts"
import {
  add,
  begin,
  type OperatorOutcome,
  recordOutcome,
  registerBoleto,
  registerPix,
  retry,
  wantsAttempt
} from "../src/TransactionDecider.ts"
import { SubscriptionStatus } from "../src/SubscriptionStatus.ts"
import { TransactionStatus } from "../src/TransactionStatus.ts"
import {
  answer,
  at,
  attempt,
  before,
  cents,
  changes,
  day,
  decided,
  now,
  otherAttempt,
  refused,
  subscriptionOf,
  today,
  transactionOf,
  has
} from "./fixtures/States.ts"

const cardId = SvcPayId.make(9)
const context = { id: SvcPayId.make(42), sameMyId: undefined, today, now }
const command: AddPayment = { myId: MyId.make("payment 42"), value: cents(12_990), payday: today }
const slip = { barcode: "1", bankLine: "2", bankAgency: "3", bankAccount: "4" }
const code = { txid: "t", qrCode: "q" }

describe("add", () => {
  it("opens a payment in the status of its method, as the next instalment", () => {
    const { events, next } = decided(add(subscriptionOf({ payments: 2 }), command, context))
    assert.deepStrictEqual(next, {
      id: SvcPayId.make(42),
      companyId: subscriptionOf().companyId,
      subscriptionId: SvcPayId.make(7),
      myId: command.myId,
      method: "boleto",
      value: cents(12_990),
      payday: today,
      payedOutside: false,
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

  it("takes the subscription's card for a card payment, and for no other", () => {
    const byCard = subscriptionOf({ mainPaymentMethodId: "creditcard", cardId })
    has(decided(add(byCard, command, context)).next, { status: "notSend", cardId })
    const byPix = decided(add(subscriptionOf({ mainPaymentMethodId: "pix", cardId }), command, context)).next
    assert.strictEqual(byPix.status, "pendingPix")
    assert.notProperty(byPix, "cardId")
  })

  it("keeps the text that is given", () => {
    const { next } = decided(add(subscriptionOf(), { ...command, additionalInfo: "November" }, context))
    assert.strictEqual(next.additionalInfo, "November")
  })

  it("notes a payment that was made outside, whatever it lacks", () => {
    const outside = { ...command, payedOutsideSvcPay: true, payday: day("2020-01-01"), value: cents(99_999_999_999) }
    for (const mainPaymentMethodId of ["creditcard", "boleto", "pix"] as const) {
      const { next } = decided(add(subscriptionOf({ mainPaymentMethodId }), outside, context))
      has(next, { status: "payExternal", payedOutside: true })
    }
  })

  it("refuses a myId that is taken", () => {
    const sameMyId = transactionOf("boleto")
    assert.deepStrictEqual(refused(add(subscriptionOf(), command, { ...context, sameMyId })), {
      _tag: "MyIdTaken",
      entity: "Transaction",
      myId: "payment 42"
    })
  })

  it.each(SubscriptionStatus.literals)("looks at the subscription's status: %s", (status) => {
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

  it("refuses what does not fit on a boleto, which a Pix takes", () => {
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

describe("wantsAttempt", () => {
  it.each([
    ["a card payment that is due", transactionOf("creditcard"), true],
    ["a card payment of tomorrow", transactionOf("creditcard", { payday: day("2026-11-22") }), false],
    ["a card payment that was refused", transactionOf("creditcard", { status: "denied" }), false],
    ["an authorized card payment", transactionOf("creditcard", { status: "authorized" }), false],
    ["a boleto without a slip", transactionOf("boleto", { payday: day("2027-01-01") }), true],
    ["a boleto with a slip", transactionOf("boleto", { boleto: slip }), false],
    ["a Pix without a code", transactionOf("pix"), true],
    ["a Pix with a code", transactionOf("pix", { pix: code }), false],
    ["one that is under way", transactionOf("creditcard", { attemptId: attempt }), false],
    ["one that was cancelled", transactionOf("boleto", { status: "cancel" }), false]
  ])("%s: %s", (_, state, expected) => {
    assert.strictEqual(wantsAttempt(state, today), expected)
  })

  it("is held back by a subscription that is stopped, put away or cancelled", () => {
    const wanted = SubscriptionStatus.literals.filter((status) => wantsAttempt(transactionOf("pix"), today, status))
    assert.deepStrictEqual(wanted, ["active", "closed", "waitingPayment"])
  })
})

describe("begin", () => {
  it("writes the attempt down, and for a card when it was sent", () => {
    const { events, next } = decided(begin(transactionOf("creditcard"), attempt, now))
    has(next, { attemptId: attempt, lastSentAt: now, updatedAt: now, status: "notSend", statusAt: before })
    assert.deepStrictEqual(events, [{ _tag: "TransactionSent", transactionId: next.id, attemptId: attempt }])
    assert.notProperty(decided(begin(transactionOf("pix"), attempt, now)).next, "lastSentAt")
  })

  it("is refused while another attempt is under way", () => {
    const state = transactionOf("creditcard", { attemptId: attempt })
    assert.deepStrictEqual(refused(begin(state, otherAttempt, now)), { _tag: "AttemptUnderWay" })
  })
})

describe("retry", () => {
  it.each(TransactionStatus.literals)("%s", (status) => {
    const isRetriable = status === "notSend" || status === "denied" || status === "authorized"
    assert.deepStrictEqual(
      answer(retry(transactionOf("creditcard", { status }), attempt, now)),
      isRetriable ? status : { _tag: "NotRetriable", status }
    )
  })

  it("puts an attempt under way", () => {
    const { next } = decided(retry(transactionOf("creditcard", { status: "denied" }), attempt, now))
    has(next, { attemptId: attempt, lastSentAt: now })
  })

  it("is refused while an attempt is under way", () => {
    const state = transactionOf("creditcard", { status: "denied", attemptId: attempt })
    assert.deepStrictEqual(refused(retry(state, otherAttempt, now)), { _tag: "AttemptUnderWay" })
  })

  describe("within the brands' limits", () => {
    const denied = (code: string) =>
      transactionOf("creditcard", { status: "denied", refusal: { code, message: "refused" } })
    const tries = (count: number, code = "51") =>
      Array.from({ length: count }, () => ({ at: before, value: cents(10_000), approved: false, code }))

    it("is not asked for unless a history is given", () => {
      assert.strictEqual(decided(retry(denied("54"), attempt, now)).next.attemptId, attempt)
    })

    it("goes on while the brand allows it", () => {
      const history = { brand: "visa", attempts: tries(14) } as const
      assert.strictEqual(decided(retry(denied("51"), attempt, now, history)).next.attemptId, attempt)
    })

    it("names the time before which it is too early", () => {
      const history = { brand: "visa", attempts: tries(15) } as const
      assert.deepStrictEqual(refused(retry(denied("51"), attempt, now, history)), {
        _tag: "RetryTooEarly",
        notBefore: "2026-12-21 09:00:00",
        reason: "Visa allows 15 tries of a value in 30 days"
      })
      const later = at("2026-12-21 09:00:00")
      assert.strictEqual(decided(retry(denied("51"), attempt, later, history)).next.attemptId, attempt)
    })

    it("counts tries of the transaction's own value", () => {
      const other = tries(15).map((one) => ({ ...one, value: cents(9_999) }))
      const result = retry(denied("51"), attempt, now, { brand: "visa", attempts: other })
      assert.strictEqual(decided(result).next.attemptId, attempt)
    })

    it("says why never", () => {
      const never = refused(retry(denied("54"), attempt, now, { brand: "visa", attempts: tries(1, "54") }))
      assert.strictEqual(never._tag, "RetryNever")
      const unknown = refused(
        retry(transactionOf("creditcard", { status: "denied" }), attempt, now, { brand: "visa", attempts: [] })
      )
      assert.strictEqual(unknown._tag, "RetryNever")
    })

    it("heeds the merchant advice code", () => {
      const history = { brand: "mastercard", attempts: tries(1), merchantAdviceCode: "03" } as const
      assert.strictEqual(refused(retry(denied("51"), attempt, now, history))._tag, "RetryNever")
    })

    it("forgets a refusal that is not the last word", () => {
      for (const status of ["notSend", "authorized"] as const) {
        const state = { ...denied("54"), status }
        const result = retry(state, attempt, now, { brand: "visa", attempts: tries(1, "54") })
        assert.strictEqual(decided(result).next.attemptId, attempt)
      }
    })
  })
})

describe("recordOutcome", () => {
  const captured: OperatorOutcome = { _tag: "Captured", tid: "t1", authorizationCode: "a1" }
  const authorized: OperatorOutcome = { _tag: "Authorized", tid: "t2", authorizationCode: "a2" }
  const denied: OperatorOutcome = { _tag: "Denied", tid: "t3", code: "51", message: "no funds" }
  const sent = transactionOf("creditcard", { attemptId: attempt, lastSentAt: now })

  it.each([
    [captured, "captured", { tid: "t1", authorizationCode: "a1" }],
    [authorized, "authorized", { tid: "t2", authorizationCode: "a2" }],
    [denied, "denied", { tid: "t3", refusal: { code: "51", message: "no funds" } }]
  ] as const)("$_tag", (outcome, status, fields) => {
    const { events, next } = decided(recordOutcome(sent, attempt, outcome, now))
    has(next, { status, statusAt: now, ...fields })
    assert.notProperty(next, "attemptId")
    assert.deepStrictEqual(events, [
      { _tag: "OperatorAnswered", transactionId: sent.id, attemptId: attempt, outcome: outcome._tag },
      { _tag: "TransactionStatusChanged", transactionId: sent.id, from: "notSend", to: status }
    ])
  })

  it("keeps the denial after a later capture, as the interface shows", () => {
    const refusal = { code: "05", message: "refused" }
    const { next } = decided(recordOutcome({ ...sent, status: "denied", refusal }, attempt, captured, now))
    has(next, { status: "captured", refusal })
  })

  it("does not call a second denial a change of status, but moves its time", () => {
    const decision = decided(recordOutcome({ ...sent, status: "denied" }, attempt, denied, now))
    assert.deepStrictEqual(changes(decision), [])
    assert.strictEqual(decision.events.length, 1)
    has(decision.next, { status: "denied", statusAt: now })
  })

  it("takes no outcome of another attempt, and none twice", () => {
    assert.deepStrictEqual(refused(recordOutcome(sent, otherAttempt, captured, now)), { _tag: "AttemptUnknown" })
    const { next } = decided(recordOutcome(sent, attempt, captured, now))
    assert.deepStrictEqual(refused(recordOutcome(next, attempt, captured, now)), { _tag: "AttemptUnknown" })
  })

  it("takes none for what no operator was asked about", () => {
    const state = transactionOf("boleto", { attemptId: attempt })
    assert.deepStrictEqual(refused(recordOutcome(state, attempt, captured, now)), {
      _tag: "TransactionCannot",
      cause: "operator",
      status: "pendingBoleto"
    })
  })
})

describe("registration", () => {
  it("keeps the slip of a boleto, and when it came to be", () => {
    const state = transactionOf("boleto", { attemptId: attempt })
    const { events, next } = decided(registerBoleto(state, attempt, slip, "key", now))
    has(next, { boleto: slip, documentKey: "key", registeredAt: now, status: "pendingBoleto" })
    assert.notProperty(next, "attemptId")
    assert.deepStrictEqual(events, [{ _tag: "TransactionRegistered", transactionId: state.id }])
  })

  it("keeps the code of a Pix, and when it came to be", () => {
    const state = transactionOf("pix", { attemptId: attempt })
    const { next } = decided(registerPix(state, attempt, code, "key", now))
    has(next, { pix: code, documentKey: "key", registeredAt: now, status: "pendingPix" })
  })

  it("takes none of another attempt", () => {
    const expected = { _tag: "AttemptUnknown" } as const
    const boleto = transactionOf("boleto", { attemptId: attempt })
    assert.deepStrictEqual(refused(registerBoleto(boleto, otherAttempt, slip, "key", now)), expected)
    assert.deepStrictEqual(refused(registerPix(transactionOf("pix"), attempt, code, "key", now)), expected)
  })
})
