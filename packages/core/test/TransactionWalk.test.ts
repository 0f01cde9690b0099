/** Walks at random over all commands: what a transaction can become, and what it never does. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import type { AddPayment } from "../src/AddPayment.ts"
import type { Decided } from "../src/Decision.ts"
import { EpochMillis } from "../src/EpochMillis.ts"
import { MyId, SvcPayId } from "../src/Identifier.ts"
import { beginCapture, capture } from "../src/TransactionCapture.ts"
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
import { cancel, cancelByContract, exempt, payOutside } from "../src/TransactionEndings.ts"
import { expire, expiresAt } from "../src/TransactionExpiry.ts"
import { beginReversal, dispute, recordReversal, reverse } from "../src/TransactionReversal.ts"
import { settle } from "../src/TransactionSettlement.ts"
import { AttemptId, TransactionState } from "../src/TransactionState.ts"
import { isFinal, nextStatuses, type TransactionCause, TransactionStatus } from "../src/TransactionStatus.ts"
import { attempt, cents, changes, day, decided, now, otherAttempt, subscriptionOf, today } from "./fixtures/States.ts"

/** A command: the cause that it gives, none when it may not change the status, and what it does with a number. */
interface Command {
  readonly cause: TransactionCause | undefined
  /** Says how an attempt ended, so it alone may change a transaction whose attempt is under way. */
  readonly isOutcome?: true
  readonly run: (state: TransactionState, number: number) => Decided<TransactionState>
}

const outcomes: ReadonlyArray<OperatorOutcome> = [
  { _tag: "Captured", tid: "t", authorizationCode: "a" },
  { _tag: "Authorized", tid: "t", authorizationCode: "a" },
  { _tag: "Denied", tid: "t", code: "51", message: "no funds" }
]
const slip = { barcode: "1", bankLine: "2", bankAgency: "3", bankAccount: "4" }
const code = { txid: "t", qrCode: "q" }
const value = 3
const part = (number: number) => (number === 0 ? {} : { valueToReverse: cents(number) })
const attemptOf = (number: number) => (number === 0 ? otherAttempt : attempt)
const settlementOf = (number: number) => ({
  id: `settlement ${number % 2}`,
  value: cents(value + (number % 3) - 1),
  paidOn: today
})

const commands: Readonly<Record<string, Command>> = {
  send: {
    cause: undefined,
    run: (state) =>
      wantsAttempt(state, today) ? begin(state, attempt, now) : Result.succeed({ next: state, events: [] })
  },
  retry: { cause: undefined, run: (state) => retry(state, attempt, now) },
  beginCapture: { cause: undefined, run: (state) => beginCapture(state, attempt, now) },
  beginReversal: { cause: undefined, run: (state, number) => beginReversal(state, part(number), attempt, now) },
  recordOutcome: {
    cause: "operator",
    isOutcome: true,
    run: (state, number) => recordOutcome(state, attemptOf(number), outcomes[number % 3]!, now)
  },
  recordReversal: {
    cause: "reverse",
    isOutcome: true,
    run: (state, number) => recordReversal(state, attemptOf(number), number % 2 === 0 ? "Refused" : "Reversed", now)
  },
  registerBoleto: {
    cause: undefined,
    isOutcome: true,
    run: (state, number) => registerBoleto(state, attemptOf(number), slip, "key", now)
  },
  registerPix: {
    cause: undefined,
    isOutcome: true,
    run: (state, number) => registerPix(state, attemptOf(number), code, "key", now)
  },
  capture: { cause: "capture", run: (state) => capture(state, now) },
  reverse: { cause: "reverse", run: (state, number) => reverse(state, part(number), now) },
  dispute: { cause: "dispute", run: (state) => dispute(state, now) },
  settle: { cause: "settle", run: (state, number) => settle(state, settlementOf(number), { terms: {}, now }) },
  expire: {
    cause: "expire",
    run: (state, number) => {
      const at = expiresAt(state, {}) ?? now
      return expire(state, {}, number % 2 === 0 ? at : EpochMillis.make(at - 1))
    }
  },
  cancel: { cause: "cancel", run: (state) => cancel(state, now) },
  cancelByContract: { cause: "cancelContract", run: (state) => cancelByContract(state, now) },
  payOutside: { cause: "payOutside", run: (state) => payOutside(state, now) },
  exempt: { cause: "exempt", run: (state) => exempt(state, now) }
}

const opened = (method: TransactionState["method"], payedOutsideSvcPay: boolean) => {
  const subscription = subscriptionOf({ mainPaymentMethodId: method, cardId: SvcPayId.make(9) })
  const command: AddPayment = {
    myId: MyId.make("p"),
    value: cents(value),
    payday: day("2026-11-21"),
    payedOutsideSvcPay
  }
  return decided(add(subscription, command, { id: SvcPayId.make(42), sameMyId: undefined, today, now })).next
}

const isState = Schema.is(TransactionState)
const reached = new Set<TransactionStatus>()
const taken = new Set<string>()

/** One step, and all that must hold of it. */
const step = (state: TransactionState, name: string, number: number): TransactionState => {
  const { cause, isOutcome = false, run } = commands[name]!
  const result = run(state, number)
  if (Result.isFailure(result)) return state
  const { events, next } = result.success
  const context = `${name} ${number} on ${JSON.stringify(state)}`

  assert.isTrue(isState(next), `not a state: ${context}`)
  assert.isTrue(next === state || state.attemptId === undefined || isOutcome, `the attempt was forgotten: ${context}`)
  assert.isTrue(next === state || !isFinal(state.status), `a final status was left: ${context}`)
  assert.deepStrictEqual(
    changes({ next, events }),
    next.status === state.status ? [] : [`${state.status} -> ${next.status}`],
    `the change was not made known: ${context}`
  )
  const isListed = cause !== undefined && nextStatuses(state.status, cause).includes(next.status)
  assert.isTrue(next.status === state.status || isListed, `not in the table: ${context}`)
  if (isListed && events.length > 0) taken.add(`${state.status} ${cause} ${next.status}`)

  assert.isAtMost(next.reversed ?? 0, value, `more was given back than taken: ${context}`)
  assert.strictEqual(next.status === "reversed", next.reversed === value, `reversed and not whole: ${context}`)
  assert.strictEqual(next.status === "payExternal", next.payedOutside, `paid outside: ${context}`)
  assert.isTrue(next.reversing === undefined || next.attemptId !== undefined, `reversing without attempt: ${context}`)
  const names = (next.settlements ?? []).map(({ id }) => id)
  assert.strictEqual(new Set(names).size, names.length, `a payment was noted twice: ${context}`)
  return next
}

// Four commands end a payment that is open; drawn as often as the others, they would end most walks at once.
const endings = ["cancel", "cancelByContract", "payOutside", "exempt"]
const others = Object.keys(commands).filter((name) => !endings.includes(name))
const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...others) },
  { weight: 1, arbitrary: fc.constantFrom(...endings) }
)
const steps = fc.array(fc.tuple(name, fc.nat(6)), { minLength: 30, maxLength: 60 })

describe("a random walk over all commands", () => {
  it("stays inside the table, keeps what is final, and takes every way there is", () => {
    fc.assert(
      fc.property(fc.constantFrom("creditcard", "boleto", "pix"), fc.nat(19), steps, (method, chance, walk) => {
        const start = opened(method, chance === 0)
        reached.add(start.status)
        walk.reduce((state, [name, number]) => {
          const next = step(state, name, number)
          reached.add(next.status)
          return next
        }, start)
      }),
      // Seeded: that everything is reached must not hang on luck.
      { numRuns: 1_000, seed: 20_261_121 }
    )
    assert.sameMembers([...reached], [...TransactionStatus.literals])
    const ways = TransactionStatus.literals.flatMap((status) =>
      Object.values(commands)
        .flatMap(({ cause }) => (cause === undefined ? [] : [cause]))
        .flatMap((cause) => nextStatuses(status, cause).map((to) => `${status} ${cause} ${to}`))
    )
    assert.deepStrictEqual([...taken].sort(), [...new Set(ways)].sort())
    assert.strictEqual(taken.size, 38)
  })

  it("never confuses one attempt with another", () => {
    const begun = decided(begin(opened("creditcard", false), AttemptId.make("mine"), now)).next
    for (const { isOutcome, run } of Object.values(commands)) {
      assert.isTrue(isOutcome === undefined || Result.isFailure(run(begun, 1)))
    }
  })
})
