/**
 * What every inbox of a receiver has to do; an adapter's test calls it.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { Inbox, type InboxEntry } from "@parcela/webhooks/Inbox"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/**
 * @category models
 * @since 0.1.0
 */
export interface InboxSuiteOptions<E> {
  /**
   * A layer over storage of its own, which lives as long as the scope. Building the layer again has to open the same
   * storage: to the suite that is a restart.
   */
  readonly storage: Effect.Effect<Layer.Layer<Inbox, E>, E, Scope.Scope>
  /** False for an inbox that forgets with its process. */
  readonly durable: boolean
}

/**
 * Declares the tests.
 *
 * @category suites
 * @since 0.1.0
 */
export const suite = <E>(name: string, { durable, storage }: InboxSuiteOptions<E>): void => {
  describe(`Inbox: ${name}`, () => {
    it.effect("claims an id the first time and never again", () =>
      Effect.gen(function* () {
        yield* using(yield* storage)(
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* Effect.forEach([1, 1, 2, 1, 2], (id) => claim(entry(id))), [
              true,
              false,
              true,
              false,
              false
            ])
          })
        )
      })
    )

    it.effect("goes by the id alone, whatever else comes with it", () =>
      Effect.gen(function* () {
        yield* using(yield* storage)(
          Effect.gen(function* () {
            assert.isTrue(yield* claim(entry(7)))
            assert.isFalse(
              yield* claim({
                webhookId: "7",
                event: "company.cashOut",
                receivedAt: EpochMillis.make(1),
                body: "{}"
              })
            )
          })
        )
      })
    )

    it.effect("lets one of many callers at once have an id", () =>
      Effect.gen(function* () {
        const layer = yield* storage
        const won = yield* using(layer)(
          Effect.forEach(
            Array.from({ length: 60 }, (_, index) => index % 3),
            (id) => claim(entry(id)),
            {
              concurrency: "unbounded"
            }
          )
        )
        assert.strictEqual(won.filter((first) => first).length, 3)
      })
    )

    it.effect("keeps texts that need care in a query", () =>
      Effect.gen(function* () {
        yield* using(yield* storage)(
          Effect.gen(function* () {
            const careful = { ...entry(1), webhookId: "'; DROP TABLE inbox; --", body: `{"name":"ação 🙂 ' \\" ?"}` }
            assert.isTrue(yield* claim(careful))
            assert.isFalse(yield* claim(careful))
          })
        )
      })
    )

    it.effect(durable ? "remembers what was claimed after a restart" : "starts empty after a restart", () =>
      Effect.gen(function* () {
        const layer = yield* storage
        assert.isTrue(yield* using(layer)(claim(entry(1))))
        assert.strictEqual(yield* using(layer)(claim(entry(1))), !durable)
      })
    )
  })
}

const entry = (id: number): InboxEntry => ({
  webhookId: String(id),
  event: "transaction.updateStatus",
  receivedAt: EpochMillis.make(1_785_585_600_000),
  body: `{"event":"transaction.updateStatus","webhookId":${id}}`
})

const claim = (entry: InboxEntry) => Inbox.use((inbox) => inbox.claim(entry))

// Built anew at each use: a layer that is shared would be one process for the whole test.
const using = <E>(layer: Layer.Layer<Inbox, E>) => Effect.provide(layer, { local: true })
