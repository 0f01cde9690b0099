/**
 * What every adapter of the port `WebhookEndpoints` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { UnitOfWork } from "@parcela/engine/UnitOfWork"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import * as Effect from "effect/Effect"
import { keptCompany, keptEndpoint, minute, onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

const urlOf = (number: number) => `https://receiver.example/${number}`

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`WebhookEndpoints (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    it.effect("a second edit changes the endpoint that is there, switches it on and ends its failures", () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        const { id: companyId } = yield* keptCompany
        const { id } = yield* keptEndpoint(companyId)
        yield* endpoints.fail(id, minute(1), minute(2))
        yield* endpoints.switchOff(id, "It returned 410 Gone", minute(1))
        const events = ["transaction.updateStatus"] as const
        const written = yield* endpoints.put(companyId, { url: urlOf(2), events }, minute(3))
        assert.deepStrictEqual(written, {
          id,
          companyId,
          url: urlOf(2),
          events,
          isOn: true,
          failures: 0,
          failingSince: undefined,
          nextAt: undefined
        })
        assert.deepStrictEqual(yield* endpoints.ofCompany(companyId), [written])
      }).pipe(onEmpty)
    )

    it.effect("an edit of one company leaves the endpoint of another as it is", () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        const [one, two] = [yield* keptCompany, yield* keptCompany]
        const kept = yield* keptEndpoint(one.id)
        yield* endpoints.put(two.id, { url: urlOf(2), events: [] }, minute(1))
        assert.deepStrictEqual(yield* endpoints.ofCompany(one.id), [kept])
      }).pipe(onEmpty)
    )

    for (const { inUnit, where } of [
      { where: "in units", inUnit: true },
      { where: "outside a unit", inUnit: false }
    ]) {
      it.effect(`first edits at once, ${where}, make one endpoint with the settings of one of them`, () =>
        Effect.gen(function* () {
          const endpoints = yield* WebhookEndpoints
          const unitOfWork = yield* UnitOfWork
          for (let round = 0; round < 4; round++) {
            const { id: companyId } = yield* keptCompany
            const edit = (number: number) =>
              Effect.andThen(
                endpoints.ofCompany(companyId),
                endpoints.put(companyId, { url: urlOf(number), events: [] }, minute(0))
              )
            const edits = yield* Effect.forEach(
              [1, 2, 3, 4],
              (number) => (inUnit ? unitOfWork.transact(edit(number)) : edit(number)),
              { concurrency: "unbounded" }
            )
            const left = yield* endpoints.ofCompany(companyId)
            assert.deepStrictEqual(new Set(edits.map(({ id }) => id)), new Set(left.map(({ id }) => id)))
            assert.lengthOf(left, 1)
            assert.include([1, 2, 3, 4].map(urlOf), left[0]!.url)
          }
        }).pipe(onEmpty)
      )
    }
  })
