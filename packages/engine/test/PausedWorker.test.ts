import { assert, describe, it } from "@effect/vitest"
import { forEachStore, type TestStore, twoOnOneDatabase } from "@parcela/tooling-postgres/Stores"
import { MachineTime } from "@parcela/core/time/Instant"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { atOnce, DueWork, type LeasedWork } from "@parcela/engine/ports/DueWork"
import { Recovery } from "@parcela/engine/work/Recovery"
import * as InjectedFailures from "@parcela/provider-simulator/InjectedFailures"
import { Clock, Deferred, Effect, Fiber, Layer, Logger, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

/** A point at which a worker pauses: it signals its arrival, and continues on a signal. */
const makeGate = Effect.gen(function* () {
  const isThere = yield* Deferred.make<void>()
  const mayGoOn = yield* Deferred.make<void>()
  const pass = Effect.andThen(Deferred.succeed(isThere, undefined), Deferred.await(mayGoOn))
  return { isThere: Deferred.await(isThere), open: Deferred.succeed(mayGoOn, undefined), pass }
})

/** The first charge never reaches the provider, and the second waits at the gate before it does. */
const faultsWith = (gate: Effect.Effect<void>) =>
  Layer.sync(InjectedFailures.InjectedFailures, () => {
    let charges = 0
    return {
      take: (call) =>
        Effect.gen(function* () {
          if (call !== "charge") return Option.none()
          charges += 1
          if (charges === 2) yield* gate
          return charges === 1 ? Option.some(World.RequestLost()) : Option.none()
        })
    }
  })

const written = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    attempts: yield* Rows.attempts,
    deliveries: yield* Rows.deliveries,
    journal: yield* Rows.journal,
    ledger: yield* World.ledger,
    payment: yield* Rows.transaction("p"),
    deliveryAttempts: yield* sql<{
      status: number
    }>`SELECT webhook_id, started_at, status FROM delivery_attempts ORDER BY id`,
    work: yield* sql`SELECT kind FROM due_work WHERE kind NOT LIKE 'delete %'`
  }
})

/** A store whose process renews no lease: a paused one does not. */
const withoutRenewals = (store: TestStore) =>
  Layer.effect(
    DueWork,
    Effect.map(DueWork, (inner) => ({ ...inner, renew: () => Effect.void }))
  ).pipe(Layer.provideMerge(store))

/** The entries that are logged as errors; refusals are not. */
const errorsInto = (errors: Array<unknown>) =>
  Logger.layer([Logger.make(({ logLevel, message }) => void (logLevel === "Error" && errors.push(message)))])

const names = ["SQLite in a file", "PostgreSQL"] as const

forEachStore(
  (name, store) =>
    void describe(`a worker that was paused past its lease (${name})`, () => {
      it.effect("charges a card once and loses no result, and the store refuses the late outcome", () =>
        Effect.gen(function* () {
          const errors: Array<unknown> = []
          const gate = yield* makeGate
          const { first, second } = yield* twoOnOneDatabase(name)
          yield* Effect.gen(function* () {
            const company = yield* World.company()
            const recovery = yield* Recovery
            yield* World.listen(company)
            yield* World.subscribeByCard(company, Samples.cards.captured)
            yield* World.pay(company, "p")
            yield* TestClock.adjust("60 seconds")
            // The first worker pauses during its charge, and another engine continues.
            const paused = yield* Effect.forkChild(recovery.runDueWork)
            yield* gate.isThere
            yield* TestClock.adjust("61 seconds")
            yield* World.inAnotherProcessOn(second)(Effect.flatMap(Recovery, (other) => other.runDueWork))
            const before = yield* written
            assert.strictEqual(before.payment.status, "captured")
            assert.lengthOf(before.ledger, 1)
            assert.lengthOf(before.deliveries, 2)
            assert.deepStrictEqual(before.work, [])
            yield* TestClock.adjust("10 minutes")
            yield* gate.open
            yield* Fiber.join(paused)
            assert.deepStrictEqual(yield* written, before)
            assert.deepStrictEqual(errors, [])
          }).pipe(
            Effect.provide(errorsInto(errors)),
            World.inWorld({
              store: withoutRenewals(first),
              faults: faultsWith(gate.pass),
              settings: { attemptTimeout: World.minutes(15) }
            })
          )
        })
      )

      it.effect("does not end a job that another worker has leased", () =>
        Effect.gen(function* () {
          const dueWork = yield* DueWork
          const now = MachineTime.make(yield* Clock.currentTimeMillis)
          const until = MachineTime.make(now + 1_000)
          const request = {
            kind: "send payment",
            owner: "one",
            now,
            until,
            limit: 1,
            perCompany: 1,
            except: []
          } as const
          yield* dueWork.schedule([{ kind: "send payment", subject: "1", ...atOnce(now) }])
          const [lost] = yield* dueWork.lease(request)
          const [taken] = yield* dueWork.lease({ ...request, owner: "two", now: until })
          assert.isFalse(yield* dueWork.done(lost as LeasedWork))
          assert.strictEqual(yield* Rows.count("due_work"), 1)
          assert.isTrue(yield* dueWork.done(taken as LeasedWork))
        }).pipe(World.inWorld({ store }))
      )

      it.effect("does not overwrite a delivery that another worker has recorded", () =>
        Effect.gen(function* () {
          const { first, second } = yield* twoOnOneDatabase(name)
          yield* Effect.gen(function* () {
            const gate = yield* makeGate
            const company = yield* World.company()
            const { responses, received } = yield* World.Receiver
            const worker = yield* DeliveryWorker
            yield* World.listen(company, ["subscription.addTransaction"])
            yield* World.subscribeByCard(company, Samples.cards.captured)
            yield* World.pay(company, "p", { payday: "2099-01-01" })
            responses.push(Effect.as(gate.pass, { _tag: "Refused", status: 500, problem: "The receiver returned 500" }))
            const paused = yield* Effect.forkChild(worker.deliverDue)
            yield* gate.isThere
            yield* TestClock.adjust("61 seconds")
            assert.strictEqual(
              yield* World.inAnotherProcessOn(second)(Effect.flatMap(DeliveryWorker, (other) => other.deliverDue)),
              1
            )
            const before = yield* written
            assert.deepStrictEqual(
              before.deliveries.map(({ state, attempts }) => [state, attempts]),
              [["delivered", 1]]
            )
            yield* gate.open
            yield* Fiber.join(paused)
            assert.deepStrictEqual(yield* written, before)
            assert.lengthOf(received, 2)
          }).pipe(World.inWorld({ store: first }))
        })
      )
    }),
  names
)
