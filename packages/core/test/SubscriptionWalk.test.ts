/** Random sequences of all commands: the states that a subscription can reach, and those it must never reach. */
import { assert, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import type { Decided } from "../src/values/Decision.ts"
import { MyId, SvcPayId } from "../src/values/Identifier.ts"
import {
  cancel,
  close,
  countPayment,
  createManual,
  deactivate,
  reactivate,
  stop,
  useCard
} from "../src/subscriptions/SubscriptionDecider.ts"
import {
  SubscriptionState,
  type SubscriptionCause,
  SubscriptionStatus,
  subscriptionTransitions
} from "../src/subscriptions/SubscriptionState.ts"
import type { RefusalTag } from "../src/errors/BillingRefusal.ts"
import { changes, decided, now, scheduleOf, subscriptionOf, today } from "./fixtures/States.ts"

interface Command {
  readonly causes: ReadonlyArray<SubscriptionCause>
  readonly run: (state: SubscriptionState) => Decided<SubscriptionState, RefusalTag>
}

const commands: Readonly<Record<string, Command>> = {
  useCard: { causes: ["activate"], run: (state) => useCard(state, SvcPayId.make(9), now, today) },
  countPayment: {
    causes: [],
    run: (state) => {
      const next = countPayment(state, now)
      return Result.succeed({
        next: { ...next, schedule: scheduleOf({ ...next.schedule, made: next.payments }) },
        events: []
      })
    }
  },
  cancel: { causes: ["cancel"], run: (state) => cancel(state, now) },
  close: { causes: ["close"], run: (state) => close(state, now) },
  stop: { causes: ["stop"], run: (state) => stop(state, now) },
  reactivate: { causes: ["reactivate", "wait"], run: (state) => reactivate(state, now, today) },
  deactivate: { causes: ["deactivate"], run: (state) => deactivate(state, now) }
}

const isState = Schema.is(SubscriptionState)

const { companyId, customerId } = subscriptionOf()
const created = (mainPaymentMethodId: SubscriptionState["mainPaymentMethodId"]) =>
  decided(
    createManual(
      { myId: MyId.make("s"), mainPaymentMethodId, Customer: {} },
      { companyId, id: SvcPayId.make(7), customerId, cardId: undefined, sameMyId: undefined, now }
    )
  ).next

it("stays within the transition table, never leaves a final status, and uses every transition", () => {
  const reached = new Set<SubscriptionStatus>()
  const taken = new Set<string>()
  const walk = fc.array(fc.constantFrom(...Object.keys(commands)), { minLength: 5, maxLength: 20 })
  fc.assert(
    fc.property(
      fc.constantFrom("creditcard", "boleto"),
      fc.integer({ min: 1, max: 2 }),
      walk,
      (method, quantity, names) => {
        let state: SubscriptionState = { ...created(method), schedule: scheduleOf({ quantity }) }
        reached.add(state.status)
        for (const name of names) {
          const { causes, run } = commands[name]!
          const result = run(state)
          const { events, next } = Result.isSuccess(result) ? result.success : { next: state, events: [] }
          const row: Partial<Record<SubscriptionCause, SubscriptionStatus>> = subscriptionTransitions[state.status]
          const moved = next.status !== state.status
          assert.isTrue(isState(next))
          assert.isFalse(moved && Object.keys(row).length === 0, `${name} left ${state.status}`)
          const cause = causes.find((one) => row[one] === next.status)
          assert.isTrue(!moved || cause !== undefined, `${name} is not in the table`)
          assert.deepStrictEqual(changes({ next, events }), moved ? [`${state.status} -> ${next.status}`] : [])
          assert.isTrue(next.status !== "closed" || next.payments >= quantity, "closed with payments left")
          if (moved) taken.add(`${state.status} ${cause} ${next.status}`)
          reached.add(next.status)
          state = next
        }
      }
    ),
    // The seed makes sure that every run reaches all transitions.
    { numRuns: 1_000, seed: 20_261_121 }
  )
  assert.sameMembers([...reached], [...SubscriptionStatus.literals])
  const ways = SubscriptionStatus.literals.flatMap((status) =>
    Object.entries(subscriptionTransitions[status]).map(([cause, to]) => `${status} ${cause} ${to}`)
  )
  assert.sameMembers([...taken], ways)
  assert.strictEqual(taken.size, 13)
})
