/**
 * Every story of a payment over a command store that misbehaves: what comes of it is what comes of a store that does not.
 */
import { assert, describe, it } from "@effect/vitest"
import { Recovery } from "@parcela/engine/work/Recovery"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { standing, stories, type Story } from "./fixtures/Stories.ts"
import * as UnreliableStore from "./fixtures/UnreliableStore.ts"
import * as World from "@parcela/test-world/World"

interface Fault {
  readonly fault: UnreliableStore.StoreFault | undefined
  readonly at?: number
}

/** Runs the command of a story for a new company until it has a response, and repeats it under its key. */
const given = Effect.fnUntraced(function* (plan: UnreliableStore.Plan, story: Story, fault: Fault, key?: string) {
  const company = yield* World.company()
  yield* World.listen(company)
  yield* story.prepare(company)
  Object.assign(plan, { at: undefined, ...fault, written: 0 })
  const responses: Array<string> = []
  const problems: Array<string> = []
  const give = Effect.match(story.give(company, key), {
    onSuccess: (body) => void responses.push(body),
    onFailure: (error) => void problems.push("reason" in error ? error.reason._tag : error._tag)
  })
  for (let times = 0; times < 3 && responses.length === 0; times++) yield* World.whileTimePasses(give)
  const { written } = plan
  plan.fault = undefined
  if (key !== undefined) yield* World.whileTimePasses(give)
  return { company, problems, responses, written }
})

type Given = Effect.Success<ReturnType<typeof given>>

/** The result of a story with a failure, and without one. */
interface Compared extends Given {
  readonly name: string
  readonly at: number | undefined
  readonly healthy: Given
}

/** The failures of a story with the given number of writing commands. */
type Faults = (written: number) => ReadonlyArray<Fault & { readonly key?: string }>

/** Gives every story without a fault and under each, lets time pass, and compares what stands. */
const compared = (faults: Faults, check: (each: Compared) => void) =>
  Effect.suspend(() => {
    const plan: UnreliableStore.Plan = { fault: undefined, at: undefined, written: 0 }
    const store = Layer.provideMerge(UnreliableStore.layer(plan), storeOf(inject("store")))
    return Effect.gen(function* () {
      const all: Array<Compared> = []
      for (const [name, story] of Object.entries(stories)) {
        const healthy = yield* given(plan, story, { fault: undefined })
        assert.deepStrictEqual(healthy.problems, [], name)
        for (const { key, ...fault } of faults(healthy.written)) {
          all.push({ ...(yield* given(plan, story, fault, key)), name, at: fault.at, healthy })
        }
      }
      yield* World.passTime("10 minutes")
      yield* World.whileTimePasses(Recovery.use(({ runDueWork }) => runDueWork))
      const stands = yield* standing
      for (const each of all) {
        const about = each.at === undefined ? each.name : `${each.name}, command ${each.at + 1}`
        assert.deepStrictEqual(stands(each.company), stands(each.healthy.company), about)
        check(each)
      }
    }).pipe(World.inWorld({ store }))
  })

/** Their writes have no root that another command could change. */
const rootless = [
  "a subscription by card",
  "a periodic subscription whose first instalment is due",
  "a customer without a myId",
  "a plan without a myId",
  "an edit of the webhooks"
]

/** PostgreSQL has one fault of each group, and all with `npm run prove -- postgres`. */
const isRun = ({ fault }: { readonly fault: UnreliableStore.StoreFault }) =>
  inject("prove").long || !World.isShared() || fault === "loses its root once" || fault === "loses the reply for good"

describe("a payment over a store", () => {
  for (const { fault } of (
    [
      { fault: "decides twice" },
      { fault: "loses its root once" },
      { fault: "loses its root five times" },
      { fault: "loses the reply" }
    ] as const
  ).filter(isRun)) {
    it.effect(`that ${fault} has the same result and the same response`, () =>
      compared(
        () => [{ fault }, { fault, key: "k" }],
        ({ healthy, name, problems, responses }) => {
          assert.deepStrictEqual(problems, [], name)
          assert.deepStrictEqual([...new Set(responses)], healthy.responses, name)
        }
      )
    )
  }

  for (const { fault, problem } of (
    [
      { fault: "fails before the commit", problem: "Unavailable" },
      { fault: "loses the reply for good", problem: "CommitUnknown" },
      { fault: "loses its root always", problem: "Unavailable" }
    ] as const
  ).filter(isRun)) {
    it.effect(`that ${fault} has the same result once the request is repeated, whichever transaction fails`, () =>
      compared(
        (written) => Array.from({ length: written }, (_, at) => ({ fault, at, key: "k" })),
        ({ at, healthy, name, problems, responses }) => {
          assert.strictEqual(responses.at(-1), healthy.responses[0], name)
          // A failure after the first command is not a failure of an add: the response has the current payment.
          if (at === 0 && !(fault === "loses its root always" && rootless.includes(name))) {
            assert.deepStrictEqual(problems, [problem], name)
          }
        }
      )
    )
  }
})
