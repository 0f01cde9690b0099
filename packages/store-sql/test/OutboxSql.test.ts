/**
 * Tests of the ports `Outbox` and `WebhookEndpoints`.
 *
 * **Details**
 *
 * One suite for both, and so a long one: what becomes of a delivery depends on its endpoint, and the cases share both.
 */
import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import {
  type Delivery,
  type DeliveryFilter,
  type DeliveryResult,
  type NewDelivery,
  Outbox
} from "@parcela/engine/ports/Outbox"
import { Leases } from "@parcela/engine/ports/Leases"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import { Effect, Option, Struct } from "effect"
import { storedCompany, storedEndpoint, minute, onEmptyStore, type StoreLayer } from "./fixtures/StoreFixtures.ts"
import {
  putEndpoint,
  recordAttempt,
  replayDelivery,
  switchEndpointOff,
  writeDeliveries
} from "@parcela/test-world/StoreWrites"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

const numbers = (deliveries: ReadonlyArray<Delivery>) => deliveries.map(({ webhookId }) => webhookId)
const transactions = (deliveries: ReadonlyArray<Delivery>) =>
  deliveries.map(({ transactionId }) => Number(transactionId))

const made = { startedAt: minute(0), duration: 12, status: 200, problem: undefined }
const accepted: DeliveryResult = { _tag: "Delivered", at: minute(1) }
const abandoned: DeliveryResult = { _tag: "Abandoned", at: minute(1), problem: "The receiver responded with 500" }
const again = (at: number): DeliveryResult => ({ _tag: "Retry", at: minute(at), problem: "timeout" })

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Outbox (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    /** Deliveries of an endpoint, one for each of these transactions, in the order they are appended in. */
    const setUp = Effect.fnUntraced(function* (of: ReadonlyArray<number>, createdAt = minute(0)) {
      const endpoints = yield* WebhookEndpoints
      const outbox = yield* Outbox
      const { id: companyId } = yield* storedCompany
      const endpoint = yield* storedEndpoint(companyId)
      const deliveries = of.map((transactionId, index): NewDelivery => ({
        companyId,
        endpointId: endpoint.id,
        event: "transaction.updateStatus",
        transactionId: SvcPayId.make(transactionId),
        payload: `{"Transaction":{"myId":"não 🎈 ${index}"}}`,
        createdAt
      }))
      yield* writeDeliveries(deliveries)
      const lease = (at: number, limit = 100, minutes = 5, owner = "one") =>
        outbox.lease(endpoint.id, { owner, now: minute(at), until: minute(at + minutes), limit })
      return { companyId, deliveries, endpoint, endpoints, lease, outbox }
    })

    it.effect("returns new deliveries with increasing numbers before the first attempt", () =>
      Effect.gen(function* () {
        const { deliveries, lease } = yield* setUp([1, 2, 3])
        const leased = yield* lease(0)
        assert.deepStrictEqual(
          leased.map(Struct.omit(["webhookId", "token"])),
          deliveries.map((delivery) => ({ ...delivery, attempts: 0 }))
        )
        const ids = numbers(leased)
        assert.isAbove(ids[0]!, 0)
        assert.deepStrictEqual(
          ids,
          [...new Set(ids)].toSorted((a, b) => a - b)
        )
      }).pipe(onEmpty)
    )

    it.effect("appends nothing for an empty list", () =>
      Effect.gen(function* () {
        const { lease } = yield* setUp([])
        assert.deepStrictEqual(yield* lease(0), [])
      }).pipe(onEmpty)
    )

    it.effect("assigns higher numbers after all deliveries have ended", () =>
      Effect.gen(function* () {
        const { deliveries, lease } = yield* setUp([1, 2])
        const first = yield* lease(0)
        for (const delivery of first) assert.isTrue(yield* recordAttempt(delivery, accepted, made))
        yield* writeDeliveries(deliveries)
        assert.isAbove((yield* lease(1))[0]!.webhookId, first[1]!.webhookId)
      }).pipe(onEmpty)
    )

    it.effect("leases the due deliveries up to the limit, those that were due first before others", () =>
      Effect.gen(function* () {
        const { lease } = yield* setUp([1, 2, 3, 4, 5], minute(5))
        assert.deepStrictEqual(yield* lease(4), [])
        for (const [index, delivery] of (yield* lease(5)).entries()) {
          yield* recordAttempt(delivery, again(10 + [4, 1, 2, 3, 1][index]!), made)
        }
        assert.deepStrictEqual(transactions(yield* lease(20, 2)), [2, 5])
        assert.deepStrictEqual(transactions(yield* lease(20, 2)), [3, 4])
        assert.deepStrictEqual(transactions(yield* lease(20, 2)), [1])
      }).pipe(onEmpty)
    )

    describe("deliveries of one transaction", () => {
      it.effect("are leased one at a time, in the order of their numbers", () =>
        Effect.gen(function* () {
          const { lease } = yield* setUp([1, 2, 1, 2, 1])
          const first = yield* lease(0)
          assert.deepStrictEqual(transactions(first), [1, 2])
          assert.deepStrictEqual(yield* lease(1), [])
          yield* recordAttempt(first[0]!, accepted, made)
          const second = yield* lease(1)
          assert.deepStrictEqual(transactions(second), [1])
          assert.isAbove(second[0]!.webhookId, first[1]!.webhookId)
          // A lease that ran out comes before what was behind it.
          assert.deepStrictEqual(numbers(yield* lease(90)), [first[1]!.webhookId, second[0]!.webhookId])
        }).pipe(onEmpty)
      )

      it.effect("delay neither later deliveries nor those of other transactions after a failure", () =>
        Effect.gen(function* () {
          const { lease, outbox } = yield* setUp([1, 1, 2])
          const [failed] = yield* lease(0, 1)
          yield* recordAttempt(failed!, again(10), made)
          const others = yield* lease(1)
          assert.deepStrictEqual(transactions(others), [1, 2])
          // It is due again at its time, and not together with another delivery of its transaction.
          assert.deepStrictEqual(
            yield* outbox.lease(failed!.endpointId, {
              owner: "two",
              now: minute(5),
              until: minute(6),
              limit: 9
            }),
            []
          )
          for (const delivery of others) yield* recordAttempt(delivery, accepted, made)
          assert.deepStrictEqual(numbers(yield* lease(10)), [failed!.webhookId])
        }).pipe(onEmpty)
      )

      it.effect("have their first attempts in order when two processes lease concurrently", () =>
        Effect.gen(function* () {
          const { lease } = yield* setUp([1, 1, 1, 1, 1, 1])
          const order: Array<number> = []
          for (let round = 0; round < 20 && order.length < 6; round++) {
            const leased = yield* Effect.all([lease(round, 9, 5, "one"), lease(round, 9, 5, "two")], {
              concurrency: "unbounded"
            })
            const own = leased.flat()
            assert.isAtMost(own.length, 1)
            for (const delivery of own) {
              order.push(delivery.webhookId)
              yield* recordAttempt(delivery, accepted, made)
            }
          }
          assert.lengthOf(order, 6)
          assert.deepStrictEqual(
            order,
            order.toSorted((a, b) => a - b)
          )
        }).pipe(onEmpty)
      )
    })

    it.effect("gives each row to exactly one of two workers that lease at the same time", () =>
      Effect.gen(function* () {
        const { lease } = yield* setUp(Array.from({ length: 20 }, (_, index) => index + 1))
        const leased = yield* Effect.all(
          Array.from({ length: 12 }, (_, index) => lease(0, 3, 5, `owner ${index % 2}`)),
          { concurrency: "unbounded" }
        )
        // On a shared store one skips what another is leasing: what is left comes with the next look.
        const all = transactions([...leased.flat(), ...(yield* lease(0))])
        assert.lengthOf(all, 20)
        assert.strictEqual(new Set(all).size, 20)
      }).pipe(onEmpty)
    )

    it.effect("makes a delivery due after its lease expires, counts no attempt, and refuses the late result", () =>
      Effect.gen(function* () {
        const { companyId, lease, outbox } = yield* setUp([1])
        const [lost] = yield* lease(0)
        assert.deepStrictEqual(yield* lease(4), [])
        const [taken] = yield* lease(5, 1, 5, "two")
        assert.deepStrictEqual(Struct.omit(taken!, ["token"]), Struct.omit(lost!, ["token"]))
        for (const result of [accepted, again(6), abandoned]) assert.isFalse(yield* recordAttempt(lost!, result, made))
        assert.deepStrictEqual(yield* outbox.attempts(companyId, lost!.webhookId), [])
        assert.isTrue(yield* recordAttempt(taken!, accepted, made))
        assert.isFalse(yield* recordAttempt(taken!, accepted, made))
        assert.deepStrictEqual(yield* lease(99), [])
      }).pipe(onEmpty)
    )

    it.effect("restores the due time of a released delivery without an attempt, unless its lease was lost", () =>
      Effect.gen(function* () {
        const { companyId, lease, outbox } = yield* setUp([1, 2, 3])
        const [lost, ...held] = yield* lease(0)
        yield* outbox.release(held)
        const [taken] = yield* lease(4, 1, 9, "two")
        assert.strictEqual(taken?.webhookId, held[0]?.webhookId)
        const again = yield* lease(5)
        assert.deepStrictEqual(numbers(again), [lost!.webhookId, held[1]!.webhookId])
        yield* outbox.release([lost!])
        assert.deepStrictEqual(yield* lease(5), [])
        assert.isTrue(yield* recordAttempt(again[0]!, accepted, made))
        assert.deepStrictEqual(yield* outbox.attempts(companyId, held[1]!.webhookId), [])
      }).pipe(onEmpty)
    )

    it.effect("records many attempts at once, each with its own result, and none whose lease was lost", () =>
      Effect.gen(function* () {
        const { companyId, lease, outbox } = yield* setUp([1, 2, 3, 4])
        const [lost, ...held] = yield* lease(0, 4, 5)
        // A delivery that is leased again differs from the others by its lease only.
        const [taken] = yield* lease(5, 1, 9, "two")
        assert.strictEqual(taken?.webhookId, lost?.webhookId)
        const results = [accepted, again(10), abandoned, accepted]
        const problems = [undefined, "timeout", "The receiver responded with 500", undefined]
        const ended = [...held, lost!].map(({ token, webhookId }, index) => ({
          webhookId,
          token,
          result: results[index]!,
          made: { startedAt: minute(1), duration: index, status: 200 + index, problem: problems[index] }
        }))
        const ids = numbers(held)
        assert.deepStrictEqual([...(yield* outbox.record(ended))].toSorted(), ids)
        assert.deepStrictEqual(yield* outbox.record([]), new Set())
        const [first, second, third, last] = yield* outbox.follow(companyId, {}, 0, 9)
        assert.deepInclude(first, { webhookId: lost!.webhookId, state: "pending", attempts: 0 })
        assert.deepInclude(second, { state: "delivered", attempts: 1, at: minute(1), problem: undefined })
        assert.deepInclude(third, { state: "pending", attempts: 1, at: minute(10), problem: "timeout" })
        assert.deepInclude(last, { state: "abandoned", attempts: 1, at: minute(1), problem: problems[2] })
        for (const [index, id] of ids.entries()) {
          assert.deepStrictEqual(yield* outbox.attempts(companyId, id), [ended[index]!.made])
        }
        assert.deepStrictEqual(yield* outbox.attempts(companyId, lost!.webhookId), [])
      }).pipe(onEmpty)
    )

    it.effect(
      "counts a failed attempt, and makes the delivery due at the given time although the lease is longer",
      () =>
        Effect.gen(function* () {
          const { lease } = yield* setUp([1])
          const [first] = yield* lease(0, 1, 60)
          yield* recordAttempt(first!, again(10), made)
          assert.deepStrictEqual(yield* lease(9), [])
          const [second] = yield* lease(10)
          assert.strictEqual(second?.attempts, 1)
          yield* recordAttempt(second!, again(11), made)
          assert.strictEqual((yield* lease(11))[0]?.attempts, 2)
        }).pipe(onEmpty)
    )

    it.effect("stores each attempt", () =>
      Effect.gen(function* () {
        const { companyId, lease, outbox } = yield* setUp([1])
        const { id: stranger } = yield* storedCompany
        const [first] = yield* lease(0)
        const attempts = [
          { startedAt: minute(1), duration: 5_000, status: undefined, problem: "timeout" },
          { startedAt: minute(3), duration: 20, status: 200, problem: undefined }
        ]
        yield* recordAttempt(first!, again(2), attempts[0]!)
        const [second] = yield* lease(2)
        yield* recordAttempt(second!, accepted, attempts[1]!)
        assert.deepStrictEqual(yield* outbox.attempts(companyId, first!.webhookId), attempts)
        assert.deepStrictEqual(yield* outbox.attempts(stranger, first!.webhookId), [])
      }).pipe(onEmpty)
    )

    describe("a delivery that has ended", () => {
      const dead = Effect.gen(function* () {
        const all = yield* setUp([1, 2, 3])
        const leased = yield* all.lease(0)
        for (const delivery of leased) yield* recordAttempt(delivery, abandoned, made)
        const ids = numbers(leased)
        return { ...all, ids }
      })

      it.effect("is listed by its state in pages, newest first", () =>
        Effect.gen(function* () {
          const { companyId, endpoint, ids, lease, outbox } = yield* dead
          assert.deepStrictEqual(yield* lease(1_000), [])
          const list = (filter: DeliveryFilter, before = 999) =>
            Effect.map(outbox.list(companyId, filter, before, 2), (found) => found.map(({ webhookId }) => webhookId))
          const [latest] = yield* outbox.list(companyId, {}, 999, 1)
          assert.deepStrictEqual(latest, {
            webhookId: ids[2]!,
            endpointId: endpoint.id,
            event: "transaction.updateStatus",
            transactionId: 3,
            state: "abandoned",
            attempts: 1,
            createdAt: minute(0),
            at: minute(1),
            problem: "The receiver responded with 500"
          })
          const follow = (filter: DeliveryFilter, after = 0) =>
            Effect.map(outbox.follow(companyId, filter, after, 2), (found) => found.map(({ webhookId }) => webhookId))
          assert.deepStrictEqual(yield* follow({}), [ids[0]!, ids[1]!])
          assert.deepStrictEqual(yield* follow({}, ids[1]!), [ids[2]!])
          assert.deepStrictEqual(yield* follow({}, ids[2]!), [])
          assert.deepStrictEqual(yield* follow({ transactionId: 2 }), [ids[1]!])
          assert.deepStrictEqual(yield* list({}), [ids[2]!, ids[1]!])
          assert.deepStrictEqual(yield* list({}, ids[1]!), [ids[0]!])
          assert.deepStrictEqual(yield* list({ transactionId: 2, endpointId: endpoint.id }), [ids[1]!])
          assert.deepStrictEqual(yield* list({ from: minute(0), to: minute(1), state: "abandoned" }), [
            ids[2]!,
            ids[1]!
          ])
          for (const none of [
            { event: "chargeback.update" },
            { endpointId: 0 },
            { state: "delivered" },
            { state: "pending" },
            { from: minute(1) },
            { to: minute(0) }
          ] as const) {
            assert.deepStrictEqual(yield* list(none), [], JSON.stringify(none))
          }
          assert.deepStrictEqual(yield* outbox.list((yield* storedCompany).id, {}, 999, 9), [])
        }).pipe(onEmpty)
      )

      it.effect("is due again with its number after a replay, whether it was abandoned or delivered", () =>
        Effect.gen(function* () {
          const { companyId, ids, lease, outbox } = yield* dead
          const id = ids[1]!
          assert.isFalse(yield* replayDelivery((yield* storedCompany).id, id, minute(5)))
          assert.isTrue(yield* replayDelivery(companyId, id, minute(5)))
          assert.isTrue(yield* replayDelivery(companyId, id, minute(5)), "its own commit, whose response was lost")
          assert.isFalse(yield* replayDelivery(companyId, id, minute(6)), "it is pending")
          const [again] = yield* lease(5)
          assert.deepStrictEqual([again?.webhookId, again?.attempts], [id, 0])
          yield* recordAttempt(again!, accepted, made)
          assert.isTrue(yield* replayDelivery(companyId, id, minute(6)))
          assert.deepStrictEqual(numbers(yield* lease(6)), [id])
          assert.lengthOf(yield* outbox.attempts(companyId, id), 2, "its attempts remain")
        }).pipe(onEmpty)
      )

      it.effect("is not replayed if its endpoint is disabled, deleted, or no longer subscribed to the event", () =>
        Effect.gen(function* () {
          const { companyId, endpoint, ids } = yield* dead
          const { url } = endpoint
          const replayed = (at: number) => replayDelivery(companyId, ids[0]!, minute(at))
          yield* switchEndpointOff(endpoint, "410", minute(2))
          assert.isFalse(yield* replayed(5))
          yield* putEndpoint(companyId, { url, events: ["chargeback.update"] }, minute(6))
          assert.isFalse(yield* replayed(7))
          yield* putEndpoint(companyId, { url, events: ["transaction.updateStatus"] }, minute(8))
          assert.isTrue(yield* replayed(9))
        }).pipe(onEmpty)
      )

      it.effect("is counted for its endpoint, with the problem of the last failure", () =>
        Effect.gen(function* () {
          const { companyId, endpoint, ids, lease, outbox } = yield* dead
          const problem = "The receiver responded with 500"
          assert.deepStrictEqual(yield* outbox.count(endpoint.id), { waiting: 0, dead: 3, lastProblem: problem })
          yield* replayDelivery(companyId, ids[0]!, minute(2))
          const [one] = yield* lease(2)
          yield* recordAttempt(one!, again(9), made)
          assert.deepStrictEqual(yield* outbox.count(endpoint.id), { waiting: 1, dead: 2, lastProblem: "timeout" })
          const { endpoint: quiet } = yield* setUp([])
          assert.deepStrictEqual(yield* outbox.count(quiet.id), { waiting: 0, dead: 0, lastProblem: undefined })
        }).pipe(onEmpty)
      )
    })

    it.effect("abandons leased deliveries without an attempt, except those whose lease was lost", () =>
      Effect.gen(function* () {
        const { companyId, lease, outbox } = yield* setUp([1, 2])
        const [lost] = yield* lease(0, 1, 1)
        const [held] = yield* lease(0, 1, 9)
        const [taken] = yield* lease(1)
        yield* outbox.abandon([lost!, held!], minute(2), "switched off")
        assert.deepStrictEqual(
          (yield* outbox.list(companyId, { state: "abandoned" }, 999, 9)).map(({ attempts, problem, webhookId }) => [
            webhookId,
            attempts,
            problem
          ]),
          [[held!.webhookId, 0, "switched off"]]
        )
        assert.isTrue(yield* recordAttempt(taken!, accepted, made))
      }).pipe(onEmpty)
    )

    describe("a pending delivery that its endpoint is no longer subscribed to", () => {
      const look = { limit: 2, now: minute(1), problem: "switched off" }

      it.effect("is abandoned, leased or not, and others remain", () =>
        Effect.gen(function* () {
          const { companyId, endpoint, lease, outbox } = yield* setUp([1])
          const give = outbox.abandonUnwanted(endpoint.id, { ...look, limit: 9 })
          assert.deepStrictEqual(yield* give, { abandoned: 0, next: undefined })
          const [leased] = yield* lease(0)
          yield* putEndpoint(companyId, { url: endpoint.url, events: ["chargeback.update"] }, minute(1))
          assert.deepStrictEqual(yield* give, { abandoned: 1, next: undefined })
          assert.isFalse(yield* recordAttempt(leased!, accepted, made))
          assert.strictEqual(
            (yield* outbox.list(companyId, { state: "abandoned" }, 999, 9))[0]?.problem,
            "switched off"
          )
        }).pipe(onEmpty)
      )

      it.effect("is found in bounded steps, in any order, up to the last one", () =>
        Effect.gen(function* () {
          const { companyId, endpoint, lease, outbox } = yield* setUp([3, 1, 2, 1, 3])
          const other = yield* setUp([1])
          yield* putEndpoint(companyId, { url: endpoint.url, events: [] }, minute(1))
          const first = yield* outbox.abandonUnwanted(endpoint.id, look)
          const second = yield* outbox.abandonUnwanted(endpoint.id, { ...look, after: first.next })
          const third = yield* outbox.abandonUnwanted(endpoint.id, { ...look, after: second.next })
          assert.deepStrictEqual(
            [first, second, third].map(({ abandoned }) => abandoned),
            [2, 2, 1]
          )
          assert.isUndefined(third.next)
          assert.deepStrictEqual(yield* lease(2), [])
          assert.lengthOf(yield* other.lease(2), 1)
        }).pipe(onEmpty)
      )
    })

    describe("an endpoint", () => {
      it.effect("is due with a due delivery while it is enabled and not paused", () =>
        Effect.gen(function* () {
          const { endpoint, endpoints, lease } = yield* setUp([1, 2])
          const quiet = yield* setUp([])
          const other = yield* setUp([1], minute(3))
          assert.notStrictEqual(quiet.endpoint.id, other.endpoint.id)
          const due = (at: number, except: ReadonlyArray<number> = []) =>
            endpoints.listDue({ now: minute(at), except, after: 0, limit: 9 })
          assert.deepStrictEqual(yield* due(1), [endpoint.id])
          assert.sameMembers([...(yield* due(3))], [endpoint.id, other.endpoint.id])
          assert.deepStrictEqual(yield* due(3, [endpoint.id]), [other.endpoint.id])
          yield* endpoints.fail(endpoint.id, minute(3), minute(10))
          assert.deepStrictEqual(yield* due(9), [other.endpoint.id])
          assert.include(yield* due(10), endpoint.id)
          const failing = Option.getOrThrow(yield* endpoints.find(endpoint.id))
          assert.deepInclude(failing, { failures: 1, failingSince: minute(3), nextAt: minute(10) })
          yield* endpoints.recover(endpoint.id)
          assert.deepStrictEqual(yield* endpoints.find(endpoint.id), Option.some(endpoint))
          yield* lease(9, 9, 60)
          assert.deepStrictEqual(yield* due(9), [other.endpoint.id])
          yield* switchEndpointOff(other.endpoint, "410", minute(9))
          assert.deepStrictEqual(yield* due(9), [])
        }).pipe(onEmpty)
      )

      it.effect("is listed after the named endpoint and around, so that bounded reads reach all endpoints", () =>
        Effect.gen(function* () {
          const { endpoints } = yield* setUp([1])
          yield* setUp([1])
          yield* setUp([1])
          const listed = (after: number, limit: number, except: ReadonlyArray<number> = []) =>
            endpoints.listDue({ now: minute(1), except, after, limit })
          const ids = yield* listed(0, 9)
          assert.lengthOf(ids, 3)
          const [a, b, c] = ids as [number, number, number]
          assert.isTrue(a < b && b < c)
          assert.deepStrictEqual(yield* listed(a, 1), [b])
          assert.deepStrictEqual(yield* listed(b, 2), [c, a])
          assert.deepStrictEqual(yield* listed(c, 9), [a, b, c])
          assert.deepStrictEqual(yield* listed(b, 2, [c]), [a, b])
        }).pipe(onEmpty)
      )

      it.effect("is paused no longer, and leased no longer, after the clock was set back", () =>
        Effect.gen(function* () {
          const { endpoint, endpoints, lease } = yield* setUp([1, 2], minute(100))
          const leases = yield* Leases
          const [leased] = yield* lease(100, 1)
          yield* endpoints.fail(endpoint.id, minute(100), minute(103))
          const due = (at: number) => endpoints.listDue({ now: minute(at), except: [], after: 0, limit: 9 })
          yield* leases.shortenWaits(minute(0))
          assert.deepStrictEqual(yield* due(2), [])
          assert.deepStrictEqual(yield* due(3), [endpoint.id])
          assert.deepStrictEqual(transactions(yield* lease(3)), [2])
          assert.deepStrictEqual(numbers(yield* lease(5)), [leased!.webhookId])
        }).pipe(onEmpty)
      )
    })
  })

forEachStore(suite)
