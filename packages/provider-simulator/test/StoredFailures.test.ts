import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { Duration, Effect, Layer, Option } from "effect"
import { companyRestoresOf } from "../src/StoreTransactions.ts"
import {
  Fault,
  FaultPlan,
  layerPlan,
  type PlannedFault,
  InjectedFailures,
  type Subject
} from "../src/InjectedFailures.ts"
import { SimulatorStore } from "../src/SimulatorStore.ts"
import * as StoredFailures from "../src/StoredFailures.ts"
import { storeNames, stores } from "./fixtures/Layers.ts"

const company = CompanyId.make(1)
const other = CompanyId.make(2)
const at = (day: number) => BusinessTime.make(Date.UTC(2026, 2, day))

const add = (planned: PlannedFault) => FaultPlan.use((plan) => plan.add(planned))
const take = (call: "charge" | "tokenize" | "register", subject: Subject, time?: BusinessTime) =>
  Effect.flatMap(InjectedFailures, (faults) => faults.take(call, subject, time))

const lost = Fault.ResponseLost()
const none = Option.none()
const some = Option.some(lost)

const plans = [
  { name: "in memory", layer: layerPlan },
  ...storeNames.map((store) => ({ name: store, layer: Layer.provide(StoredFailures.layer, stores[store]) }))
]

describe.each(plans)("a plan of failures, $name", ({ layer }) => {
  const fresh = Effect.provide(layer, { local: true })

  it.effect("applies to the given number of requests of a kind and a company, in the planned order", () =>
    Effect.gen(function* () {
      const slow = Fault.Slow({ delay: Duration.seconds(3) })
      yield* add({ call: "charge", fault: lost, subject: { companyId: company }, times: 2 })
      yield* add({ call: "charge", fault: slow, subject: {}, times: 1 })
      assert.deepStrictEqual(yield* take("register", { companyId: company }), none)
      assert.deepStrictEqual(yield* take("charge", { companyId: other }), Option.some(slow))
      assert.deepStrictEqual(yield* take("charge", { companyId: company }), some)
      assert.deepStrictEqual(yield* take("charge", { companyId: company }), some)
      assert.deepStrictEqual(yield* take("charge", { companyId: company }), none)
      assert.deepStrictEqual(yield* (yield* FaultPlan).planned, [])
    }).pipe(fresh)
  )

  it.effect("applies to one attempt, to one transaction, and to requests of every kind if none is named", () =>
    Effect.gen(function* () {
      const attemptId = AttemptId.make("a")
      const transactionId = SvcPayId.make(7)
      yield* add({ fault: lost, subject: { attemptId }, times: 1 })
      yield* add({ fault: lost, subject: { transactionId }, times: 1 })
      assert.deepStrictEqual(yield* take("tokenize", { companyId: company }), none)
      assert.deepStrictEqual(yield* take("register", { companyId: company, attemptId }), some)
      assert.deepStrictEqual(yield* take("charge", { companyId: company, transactionId }), some)
      assert.deepStrictEqual(yield* take("charge", { companyId: company, attemptId, transactionId }), none)
    }).pipe(fresh)
  )

  it.effect(
    "applies to every request within a span of business time, and to none before it, after it, or without a time",
    () =>
      Effect.gen(function* () {
        yield* add({ fault: lost, subject: { companyId: company }, from: at(10), until: at(12) })
        const within = (day: number) => take("charge", { companyId: company }, at(day))
        assert.deepStrictEqual(yield* Effect.forEach([9, 10, 11, 11, 12], within), [none, some, some, some, none])
        assert.deepStrictEqual(yield* take("tokenize", { companyId: company }), none)
        assert.lengthOf(yield* (yield* FaultPlan).planned, 1)
      }).pipe(fresh)
  )

  it.effect("is completed once by concurrent completions", () =>
    Effect.gen(function* () {
      const plan = yield* FaultPlan
      const wanted: PlannedFault = { call: "charge", fault: lost, subject: { companyId: company }, times: 1 }
      const complete = plan.complete(company, (planned) => ({
        value: planned.length === 0,
        added: planned.length === 0 ? [wanted] : []
      }))
      const completed = yield* Effect.all([complete, complete, complete, complete], { concurrency: "unbounded" })
      assert.sameMembers(completed, [true, false, false, false])
      assert.lengthOf(yield* plan.planned, 1)
      assert.deepStrictEqual(yield* take("charge", { companyId: company }), some)
    }).pipe(fresh)
  )

  it.effect("is removed for one company, or completely", () =>
    Effect.gen(function* () {
      const plan = yield* FaultPlan
      const denied = Fault.Denied({ code: "79", message: "No", merchantAdviceCode: "03" })
      yield* add({ fault: denied, subject: { companyId: company }, times: 3 })
      yield* add({ fault: Fault.Hang({ isDone: true }), subject: { companyId: other }, times: 1 })
      assert.deepStrictEqual((yield* plan.planned)[0], { fault: denied, subject: { companyId: company }, times: 3 })
      yield* plan.clear(company)
      assert.deepStrictEqual(
        (yield* plan.planned).map(({ subject }) => subject),
        [{ companyId: other }]
      )
      yield* plan.clear()
      assert.deepStrictEqual(yield* plan.planned, [])
    }).pipe(fresh)
  )
})

describe.each(storeNames)("a restore of a company (%s)", (store) => {
  it.effect("restores planned failures, also after a request without one", () =>
    Effect.gen(function* () {
      const sql = yield* SimulatorStore
      const restore = Effect.andThen(
        companyRestoresOf(sql).set(company, 1),
        sql`INSERT INTO faults (company_id, fault, created_at) VALUES (${company}, '{"_tag":"ResponseLost"}', 0)`
      )
      assert.deepStrictEqual(yield* take("charge", { companyId: company }), none)
      yield* sql.withTransaction(restore)
      assert.deepStrictEqual(yield* take("charge", { companyId: company }), some)
    }).pipe(Effect.provide(Layer.provideMerge(StoredFailures.layer, stores[store]), { local: true }))
  )
})

describe.each(storeNames)("two servers of one store (%s)", (store) => {
  it.effect("follow one plan, which outlives both, and share the count of a failure", () =>
    Effect.gen(function* () {
      const stored = yield* Layer.build(stores[store])
      const server = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.provide(work, Layer.provide(StoredFailures.layer, Layer.succeedContext(stored)), { local: true })
      yield* server(add({ call: "charge", fault: lost, subject: {}, times: 5 }))
      const taking = Effect.forEach([1, 2, 3, 4], () => take("charge", { companyId: company }), {
        concurrency: "unbounded"
      })
      const taken = yield* Effect.all([server(taking), server(taking)], { concurrency: "unbounded" })
      assert.lengthOf(taken.flat().filter(Option.isSome), 5)
    })
  )
})
