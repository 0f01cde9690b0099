import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { MachineTime } from "@parcela/core/time/Instant"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import { forEachStore, type StoreName, type TestStore, twoOnOneDatabase } from "@parcela/tooling-postgres/Stores"
import type { SendResult } from "@parcela/webhooks/WebhookSender"
import { Array, Clock, Context, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { writeDeliveries } from "@parcela/test-world/StoreWrites"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const accepted: SendResult = { _tag: "Accepted", status: 200 }
const refused: SendResult = { _tag: "Refused", status: 500, problem: "The receiver returned 500" }

/** The process that makes a delivery. */
const Process = Context.Reference<"first" | "second">("test/Process", { defaultValue: () => "first" })

/** Both processes deliver while the test runs, on the real clock, as a database responds in its own time. */
const whileBothDeliver = Effect.fnUntraced(function* <A, E, R>(
  second: TestStore | undefined,
  test: Effect.Effect<A, E, R>
) {
  const run = Effect.flatMap(DeliveryWorker, (worker) => worker.run)
  const other = Effect.provideService(World.inAnotherProcessOn(second)(run), Process, "second")
  const fibers = yield* Effect.forEach([run, other], (worker) => Effect.forkChild(worker))
  const result = yield* test
  yield* Fiber.interruptAll(fibers)
  return result
})

const onTwo = <A, E, R>(name: StoreName, test: (second: TestStore | undefined) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { first, second } = yield* twoOnOneDatabase(name)
    return yield* Effect.provide(test(second), Layer.fresh(World.world({ store: first })), { local: true })
  })

const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(Effect.andThen(Effect.sleep("5 millis"), holds), { until: (held) => held })

const paid = (company: Parameters<typeof World.pay>[0], myId: string) =>
  World.pay(company, myId, { payday: "2099-01-01" })

/** More than one process takes at a time. */
const transactions = 40
const eventsOfEach = 3

/** Due events of several transactions, alternately. */
const interleaved = Effect.gen(function* () {
  const company = yield* World.company()
  yield* World.listen(company)
  const [endpoint] = yield* Effect.flatMap(WebhookEndpoints, (endpoints) => endpoints.ofCompany(company))
  const createdAt = MachineTime.make(yield* Clock.currentTimeMillis)
  const delivery = {
    companyId: company,
    endpointId: endpoint!.id,
    event: "transaction.updateStatus",
    payload: "{}",
    createdAt
  } as const
  yield* writeDeliveries(
    Array.makeBy(transactions * eventsOfEach, (index) => ({
      ...delivery,
      transactionId: SvcPayId.make((index % transactions) + 1)
    }))
  )
})

forEachStore(
  (name) =>
    void describe(`two processes that deliver from one store (${name})`, () => {
      it.live(
        "deliver the events of a transaction while those of another are in progress or delayed after a failure",
        () =>
          onTwo(
            name,
            Effect.fnUntraced(function* (second) {
              const receiver = yield* World.Receiver
              const sql = yield* SqlClient.SqlClient
              const company = yield* World.company()
              yield* World.listen(company, ["subscription.addTransaction"])
              yield* World.subscribeByCard(company, Samples.cards.captured)
              const mayFail = yield* Deferred.make<void>()
              receiver.respond = ({ webhookId }) =>
                webhookId === 1 ? Effect.as(Deferred.await(mayFail), refused) : Effect.succeed(accepted)
              const delivered = Effect.map(
                sql<{
                  webhook_id: number
                }>`SELECT webhook_id FROM deliveries WHERE state = 'delivered' ORDER BY webhook_id`,
                (rows) => rows.map((row) => Number(row.webhook_id))
              )
              const isFailed = Effect.map(
                sql`SELECT id FROM delivery_attempts WHERE status = 500`,
                (rows) => rows.length > 0
              )
              yield* whileBothDeliver(
                second,
                Effect.gen(function* () {
                  yield* paid(company, "failing")
                  yield* until(Effect.sync(() => receiver.received.length === 1))
                  yield* paid(company, "meanwhile")
                  yield* until(Effect.map(delivered, (done) => done.includes(2)))
                  assert.isFalse(yield* isFailed)
                  yield* Deferred.succeed(mayFail, undefined)
                  yield* until(isFailed)
                  yield* paid(company, "after")
                  yield* until(Effect.map(delivered, (done) => done.includes(3)))
                })
              )
              assert.deepStrictEqual(yield* delivered, [2, 3])
              assert.lengthOf(receiver.received, 3)
            })
          )
      )

      it.live("send the first attempts of each transaction in order, one at a time and only once", () =>
        onTwo(
          name,
          Effect.fnUntraced(function* (second) {
            const receiver = yield* World.Receiver
            yield* interleaved
            // Neither process continues before both have started a delivery.
            const started = { first: yield* Deferred.make<void>(), second: yield* Deferred.make<void>() }
            const seen: Array<{ readonly webhookId: number; readonly end: boolean }> = []
            receiver.respond = Effect.fnUntraced(function* ({ webhookId }) {
              yield* Deferred.succeed(started[yield* Process], undefined)
              seen.push({ webhookId, end: false })
              yield* Effect.andThen(Deferred.await(started.first), Deferred.await(started.second))
              // Longer for some than for others, and some fail.
              yield* Effect.sleep(1 + ((webhookId * 7) % 5))
              seen.push({ webhookId, end: true })
              return webhookId % 5 === 0 ? refused : accepted
            })
            const count = transactions * eventsOfEach
            yield* whileBothDeliver(second, until(Effect.sync(() => seen.length >= 2 * count)))
            for (let transaction = 1; transaction <= transactions; transaction++) {
              const own = Array.makeBy(eventsOfEach, (nth) => transaction + nth * transactions)
              assert.deepStrictEqual(
                seen.filter(({ webhookId }) => own.includes(webhookId)),
                own.flatMap((webhookId) => [
                  { webhookId, end: false },
                  { webhookId, end: true }
                ])
              )
            }
          })
        )
      )
    }),
  ["SQLite in memory", "PostgreSQL"]
)
