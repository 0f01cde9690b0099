import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome, OperatorOutcome } from "../../src/attempts/AttemptOutcome.ts"
import { startCancellation } from "../../src/transactions/TransactionEndings.ts"
import { pendingAttemptOf } from "../../src/transactions/TransactionState.ts"
import {
  attempt,
  authorized,
  boletoOf,
  captured,
  changes,
  code,
  decided,
  deniedOf,
  has,
  newAttempt,
  now,
  otherAttempt,
  pixOf,
  record,
  refused,
  slip,
  stateIn,
  transactionOf,
  pendingAttempt
} from "../fixtures/States.ts"

const taken: OperatorOutcome = { _tag: "Captured", tid: "t1", authorizationCode: "a1" }
const held: OperatorOutcome = { _tag: "Authorized", tid: "t2", authorizationCode: "a2" }
const denied: OperatorOutcome = { _tag: "Denied", tid: "t3", code: "51", message: "no funds" }
const denialForGood = { _tag: "FinallyDenied", code: "E1", message: "the payer's document is blocked" } as const
const registered: AttemptOutcome = { _tag: "BoletoRegistered", slip }
const opened: AttemptOutcome = { _tag: "PixOpened", charge: code }
const sent = pendingAttempt(transactionOf("creditcard"), "charge")
const unknown = { _tag: "AttemptUnknown" } as const

describe("an outcome of the card operator", () => {
  it.each([
    [taken, "captured", { authorization: { tid: "t1", code: "a1" } }, { outcome: "captured", reference: "t1" }],
    [held, "authorized", { authorization: { tid: "t2", code: "a2" } }, { outcome: "authorized", reference: "t2" }],
    [
      denied,
      "denied",
      { denial: { code: "51", message: "no funds", tid: "t3" } },
      { outcome: "denied", code: "51", message: "no funds", reference: "t3" }
    ]
  ] as const)("$_tag", (outcome, status, fields, result) => {
    const { attempt: ended, events, next } = decided(record(sent, outcome))
    has(next, { status, statusAt: now, ...fields })
    assert.isUndefined(pendingAttemptOf(next))
    assert.deepStrictEqual(ended.result, { ...result, at: now })
    assert.deepStrictEqual(events, [
      { _tag: "OperatorResponded", transactionId: sent.id, attemptId: attempt, outcome: outcome._tag },
      { _tag: "TransactionStatusChanged", transactionId: sent.id, from: "notSend", to: status }
    ])
  })

  it("stores the merchant advice code with the attempt", () => {
    const { attempt: ended } = decided(record(sent, { ...denied, merchantAdviceCode: "24" }))
    assert.strictEqual(ended.result?.merchantAdviceCode, "24")
  })

  it("keeps the denial after a later capture, as the interface shows", () => {
    const { next } = decided(record(pendingAttempt(deniedOf("05"), "charge"), taken))
    has(next, { status: "captured", denial: deniedOf("05").denial })
  })

  it("changes only statusAt after a second denial", () => {
    const decision = decided(record(pendingAttempt(deniedOf("05"), "charge"), denied))
    assert.deepStrictEqual(changes(decision), [])
    assert.strictEqual(decision.events.length, 1)
    has(decision.next, { status: "denied", statusAt: now })
  })

  it("captures or denies an authorized amount", () => {
    const capturing = pendingAttempt(authorized, "capture")
    assert.strictEqual(decided(record(capturing, taken)).next.status, "captured")
    assert.strictEqual(decided(record(capturing, denied)).next.status, "denied")
  })
})

describe("a registration", () => {
  it("stores the boleto and the time of its registration", () => {
    const state = pendingAttempt(transactionOf("boleto"), "register")
    const { attempt: ended, events, next } = decided(record(state, registered))
    has(next, { registration: { slip, documentKey: "key", at: now, terms: {} }, status: "pendingBoleto" })
    assert.isUndefined(pendingAttemptOf(next))
    assert.deepStrictEqual(ended.result, { outcome: "registered", reference: slip.barcode, at: now })
    assert.deepStrictEqual(events, [{ _tag: "TransactionRegistered", transactionId: state.id }])
  })

  it("stores the Pix charge and the time of its registration", () => {
    const { next } = decided(record(pendingAttempt(transactionOf("pix"), "register"), opened))
    has(next, { registration: { charge: code, documentKey: "key", at: now, terms: {} }, status: "pendingPix" })
  })

  it.each([
    ["boleto", "notCompensated"],
    ["pix", "unavailablePix"]
  ] as const)("with a final denial ends a %s as %s with the reason", (method, status) => {
    const state = pendingAttempt(transactionOf(method), "register")
    const { attempt: ended, events, next } = decided(record(state, denialForGood))
    const because = { code: denialForGood.code, message: denialForGood.message }
    has(next, { status, registrationDenial: because, statusAt: now })
    assert.deepStrictEqual(ended.result, { outcome: "denied", ...because, at: now })
    assert.deepStrictEqual(events, [
      { _tag: "ProviderDenied", transactionId: state.id, attemptId: attempt, kind: "register", ...because },
      { _tag: "TransactionStatusChanged", transactionId: state.id, from: state.status, to: status }
    ])
  })
})

describe("a cancellation", () => {
  it("is started only for registered payments", () => {
    for (const state of [boletoOf(), pixOf()]) {
      const { attempt: asked, next } = decided(startCancellation(state, newAttempt(), now))
      assert.strictEqual(asked.kind, "cancel")
      has(pendingAttemptOf(next), { kind: "cancel" })
    }
    const unregistered = startCancellation(transactionOf("boleto"), newAttempt(), now)
    assert.deepStrictEqual(refused(unregistered), { _tag: "NotRegistered" })
    assert.deepStrictEqual(refused(startCancellation(captured, newAttempt(), now)), {
      _tag: "TransactionCannot",
      cause: "cancel",
      status: "captured"
    })
  })

  it.each([boletoOf(), pixOf()])("cancels a $method after its provider confirmed", (state) => {
    const decision = decided(record(pendingAttempt(state, "cancel"), { _tag: "Cancelled" }))
    assert.deepStrictEqual(changes(decision), [`${state.status} -> cancel`])
  })

  it.each([boletoOf(), pixOf()])("leaves a $method unchanged if its provider denies", (state) => {
    const { next } = decided(record(pendingAttempt(state, "cancel"), denialForGood))
    assert.deepStrictEqual(next, { ...state, updatedAt: now })
  })
})

describe("the outcome of a cancellation during which the payment was paid", () => {
  const paid = stateIn("payedBoleto")

  it.each([
    [{ _tag: "Cancelled" } as const, "WithdrawnAfterPayment", "cancelled"],
    [denialForGood, "ProviderDenied", "denied"]
  ] as const)("$_tag is recorded and leaves the payment paid", (outcome, tag, result) => {
    const { attempt: ended, events, next } = decided(record(paid, outcome, { kind: "cancel" }))
    assert.strictEqual(next, paid)
    assert.deepStrictEqual(
      events.map(({ _tag }) => _tag),
      [tag]
    )
    has(ended.result, { outcome: result })
  })

  it("is refused without a payment, or for another attempt", () => {
    const cancelled = { _tag: "Cancelled" } as const
    assert.deepStrictEqual(refused(record(stateIn("cancel"), cancelled, { kind: "cancel" })), unknown)
    assert.deepStrictEqual(refused(record(paid, registered, { kind: "cancel" })), unknown)
    assert.deepStrictEqual(refused(record(paid, cancelled, { kind: "register" })), unknown)
  })
})

describe("any outcome", () => {
  const boleto = pendingAttempt(transactionOf("boleto"), "register")
  const reversing = pendingAttempt(captured, "reverse")

  it.each([
    [sent, taken],
    [sent, denied],
    [boleto, registered],
    [boleto, denialForGood],
    [reversing, { _tag: "Reversed" } as const]
  ])("changes nothing and has no events if it is repeated", (state, outcome) => {
    const first = decided(record(state, outcome))
    const again = decided(record(first.next, outcome, first.attempt))
    assert.deepStrictEqual(again, { next: first.next, attempt: first.attempt, events: [] })
  })

  it("is refused after a different outcome", () => {
    const first = decided(record(sent, denied))
    assert.deepStrictEqual(refused(record(first.next, taken, first.attempt)), unknown)
    assert.deepStrictEqual(refused(record(first.next, { ...denied, tid: "t9" }, first.attempt)), unknown)
  })

  it("is accepted only for the pending attempt and its kind", () => {
    assert.deepStrictEqual(refused(record(sent, taken, { id: otherAttempt })), unknown)
    assert.deepStrictEqual(refused(record(transactionOf("creditcard"), taken)), unknown)
    assert.deepStrictEqual(refused(record(boleto, taken)), unknown)
    assert.deepStrictEqual(refused(record(boleto, opened)), unknown)
    assert.deepStrictEqual(refused(record(sent, registered)), unknown)
    assert.deepStrictEqual(refused(record(sent, denialForGood)), unknown)
    assert.deepStrictEqual(refused(record(sent, { _tag: "Cancelled" })), unknown)
    assert.deepStrictEqual(refused(record(pendingAttempt(authorized, "capture"), denialForGood)), unknown)
  })
})
