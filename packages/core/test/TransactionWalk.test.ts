/** Random sequences of all commands: the states that a transaction can reach, and those it must never reach. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import type { AddPayment } from "../src/transactions/PaymentRequests.ts"
import type { Decision } from "../src/values/Decision.ts"
import { AttemptId } from "../src/attempts/Attempt.ts"
import { BusinessTime } from "../src/time/Instant.ts"
import { MyId, SvcPayId } from "../src/values/Identifier.ts"
import type { PaymentMethodId } from "../src/paymentMethods/PaymentMethod.ts"
import { startCapture, capture, retry, send } from "../src/transactions/TransactionAttempts.ts"
import type { AttemptOutcome } from "../src/attempts/AttemptOutcome.ts"
import type { BillingError } from "../src/errors/BillingError.ts"
import { add } from "../src/transactions/TransactionDecider.ts"
import {
  startCancellation,
  cancel,
  cancelByContract,
  waive,
  payOutside
} from "../src/transactions/TransactionEndings.ts"
import { expire, expiresAt } from "../src/transactions/TransactionDeadlines.ts"
import { startReversal, dispute, reverse } from "../src/transactions/TransactionReversal.ts"
import { settle } from "../src/transactions/TransactionSettlement.ts"
import { reversedOf, settlementsOf, TransactionState, pendingAttemptOf } from "../src/transactions/TransactionState.ts"
import {
  isFinal,
  nextStatuses,
  type TransactionCause,
  TransactionStatus
} from "../src/transactions/TransactionStatus.ts"
import {
  attempt,
  cents,
  changes,
  code,
  day,
  decided,
  newAttempt,
  now,
  otherAttempt,
  record,
  slip,
  subscriptionOf,
  today
} from "./fixtures/States.ts"

/** A command: its cause, absent if it must not change the status, and its effect for a random number. */
interface Command {
  readonly cause: TransactionCause | undefined
  /** Reports the outcome of an attempt. Only such commands may change a transaction with a pending attempt. */
  readonly isOutcome?: true
  readonly run: (state: TransactionState, number: number) => Result.Result<Decision<TransactionState>, BillingError>
}

const operatorSays: ReadonlyArray<AttemptOutcome> = [
  { _tag: "Captured", tid: "t", authorizationCode: "a" },
  { _tag: "Authorized", tid: "t", authorizationCode: "a" },
  { _tag: "Denied", tid: "t", code: "51", message: "no funds" }
]
const refusal: AttemptOutcome = { _tag: "FinallyDenied", code: "E1", message: "no" }
const value = 3
const part = (number: number) => (number === 0 ? {} : { valueToReverse: cents(number) })
const ends = (state: TransactionState, outcome: AttemptOutcome, number: number) =>
  record(state, outcome, { id: number === 0 ? otherAttempt : attempt })
const settlementOf = (number: number) => ({
  id: `settlement ${number % 4}`,
  value: cents(value + (number % 3) - 1),
  paidOn: today
})

const commands: Readonly<Record<string, Command>> = {
  send: { cause: undefined, run: (state) => send(state, newAttempt(), now) },
  retry: { cause: undefined, run: (state) => retry(state, newAttempt(), now) },
  startCapture: { cause: undefined, run: (state) => startCapture(state, newAttempt(), now) },
  startReversal: { cause: undefined, run: (state, number) => startReversal(state, part(number), newAttempt(), now) },
  operatorSaid: {
    cause: "operator",
    isOutcome: true,
    run: (state, number) => ends(state, operatorSays[number % 3]!, number)
  },
  reversed: {
    cause: "reverse",
    isOutcome: true,
    run: (state, number) => ends(state, { _tag: "Reversed" }, number)
  },
  registeredBoleto: {
    cause: undefined,
    isOutcome: true,
    run: (state, number) => ends(state, { _tag: "BoletoRegistered", slip }, number)
  },
  openedPix: {
    cause: undefined,
    isOutcome: true,
    run: (state, number) => ends(state, { _tag: "PixOpened", charge: code }, number)
  },
  refused: { cause: "deny", isOutcome: true, run: (state, number) => ends(state, refusal, number) },
  startCancellation: { cause: undefined, run: (state) => startCancellation(state, newAttempt(), now) },
  cancelled: { cause: "cancel", isOutcome: true, run: (state, number) => ends(state, { _tag: "Cancelled" }, number) },
  capture: { cause: "capture", run: (state) => capture(state, now) },
  reverse: { cause: "reverse", run: (state, number) => reverse(state, part(number), now) },
  dispute: { cause: "dispute", run: (state) => dispute(state, "d", now) },
  settle: { cause: "settle", run: (state, number) => settle(state, settlementOf(number), { terms: {}, now }) },
  expire: {
    cause: "expire",
    run: (state, number) => {
      const at = expiresAt(state, {}) ?? now
      return expire(state, {}, number % 2 === 0 ? at : BusinessTime.make(at - 1))
    }
  },
  cancel: { cause: "cancel", run: (state) => cancel(state, now) },
  cancelByContract: { cause: "cancelContract", run: (state) => cancelByContract(state, now) },
  payOutside: { cause: "payOutside", run: (state) => payOutside(state, now) },
  waive: { cause: "waive", run: (state) => waive(state, now) }
}

const opened = (method: PaymentMethodId, payedOutsideSvcPay: boolean) => {
  const subscription = subscriptionOf({ mainPaymentMethodId: method, cardId: SvcPayId.make(9) })
  const command: AddPayment = {
    myId: MyId.make("p"),
    value: cents(value),
    payday: day("2026-11-21"),
    payedOutsideSvcPay
  }
  return decided<Decision<TransactionState>>(
    add(subscription, command, { id: SvcPayId.make(42), sameMyId: undefined, today, now })
  ).next
}

const isState = Schema.is(TransactionState)
const reached = new Set<TransactionStatus>()
const taken = new Set<string>()

/** Executes one step and checks all invariants. */
const step = (state: TransactionState, name: string, number: number): TransactionState => {
  const { cause, isOutcome = false, run } = commands[name]!
  const result = run(state, number)
  if (Result.isFailure(result)) return state
  const { events, next } = result.success
  const context = `${name} ${number} on ${JSON.stringify(state)}`

  assert.isTrue(isState(next), `not a state: ${context}`)
  // A payment that was settled needs no outcome of its cancellation.
  const mayChange = isOutcome || (cause === "settle" && pendingAttemptOf(state)?.kind === "cancel")
  assert.isTrue(
    next === state || pendingAttemptOf(state) === undefined || mayChange,
    `the attempt was forgotten: ${context}`
  )
  assert.isTrue(next === state || !isFinal(state.status), `a final status was left: ${context}`)
  assert.deepStrictEqual(
    changes({ next, events }),
    next.status === state.status ? [] : [`${state.status} -> ${next.status}`],
    `the change was not made known: ${context}`
  )
  const isListed = cause !== undefined && nextStatuses(state.status, cause).includes(next.status)
  assert.isTrue(next.status === state.status || isListed, `not in the table: ${context}`)
  if (isListed && events.length > 0) taken.add(`${state.status} ${cause} ${next.status}`)

  assert.isAtMost(reversedOf(next), value, `more was given back than taken: ${context}`)
  assert.strictEqual(next.status === "reversed", reversedOf(next) === value, `reversed and not whole: ${context}`)
  const names = settlementsOf(next).map(({ id }) => id)
  assert.strictEqual(new Set(names).size, names.length, `a payment was noted twice: ${context}`)
  return next
}

// Four commands end an open payment. With equal frequency they would end most walks at once.
const endings = ["cancel", "cancelByContract", "payOutside", "waive"]
const others = Object.keys(commands).filter((name) => !endings.includes(name))
const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...others) },
  { weight: 1, arbitrary: fc.constantFrom(...endings) }
)
const steps = fc.array(fc.tuple(name, fc.nat(6)), { minLength: 30, maxLength: 60 })

describe("a random walk over all commands", () => {
  it("stays within the transition table, never leaves a final status, and uses every transition", () => {
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
      // The seed makes sure that every run reaches all transitions.
      { numRuns: 1_000, seed: 20_261_121 }
    )
    assert.sameMembers([...reached], [...TransactionStatus.literals])
    const ways = TransactionStatus.literals.flatMap((status) =>
      Object.values(commands)
        .flatMap(({ cause }) => (cause === undefined ? [] : [cause]))
        .flatMap((cause) => nextStatuses(status, cause).map((to) => `${status} ${cause} ${to}`))
    )
    assert.deepStrictEqual([...taken].sort(), [...new Set(ways)].sort())
    assert.strictEqual(taken.size, 41)
  })

  it("never applies an outcome to another attempt", () => {
    const begun = decided(send(opened("creditcard", false), newAttempt(AttemptId.make("mine")), now)).next
    for (const { isOutcome, run } of Object.values(commands)) {
      assert.isTrue(isOutcome === undefined || Result.isFailure(run(begun, 1)))
    }
  })
})
