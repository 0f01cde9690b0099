/**
 * What every adapter of the port `WebhookReplays` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { WebhookReplays } from "@parcela/engine/ports/WebhookReplays"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { keptCompany, minute, onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`WebhookReplays (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    it.effect("keeps what was asked for and how far it has come", () =>
      Effect.gen(function* () {
        const replays = yield* WebhookReplays
        const { id: companyId } = yield* keptCompany
        const filter = {
          state: "delivered",
          endpointId: 3,
          event: "transaction.updateStatus",
          transactionId: 7,
          from: minute(1),
          to: minute(2)
        } as const
        const asked = { companyId, filter, upTo: 90, createdAt: minute(3) }
        const made = yield* replays.insert(asked)
        assert.deepStrictEqual(made, { ...asked, id: made.id, after: 0, replayed: 0, isDone: false })
        const other = yield* replays.insert({ ...asked, filter: { state: "given_up", event: undefined } })
        assert.notStrictEqual(other.id, made.id)
        assert.deepStrictEqual(other.filter, { state: "given_up" })
        yield* replays.advance(made, { after: 50, replayed: 12, isDone: false })
        const next = { ...made, after: 50, replayed: 12 }
        assert.deepStrictEqual(yield* replays.find(made.id), Option.some(next))
        yield* replays.advance(next, { after: 90, replayed: 20, isDone: true })
        assert.deepStrictEqual(
          yield* replays.find(made.id),
          Option.some({ ...next, after: 90, replayed: 20, isDone: true })
        )
        assert.deepStrictEqual(yield* replays.find(other.id), Option.some(other))
        assert.deepStrictEqual(yield* replays.find(0), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("refuses a worker that is late", () =>
      Effect.gen(function* () {
        const replays = yield* WebhookReplays
        const { id: companyId } = yield* keptCompany
        const made = yield* replays.insert({ companyId, filter: { state: "given_up" }, upTo: 9, createdAt: minute(0) })
        yield* replays.advance(made, { after: 5, replayed: 5, isDone: false })
        const late = yield* Effect.flip(replays.advance(made, { after: 5, replayed: 5, isDone: false }))
        assert.strictEqual(late.reason._tag, "Changed")
      }).pipe(onEmpty)
    )
  })
