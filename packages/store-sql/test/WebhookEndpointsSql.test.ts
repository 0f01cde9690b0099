/** Tests of webhook endpoints: commands write them, and the port `WebhookEndpoints` reads them. */
import { assert, describe, it } from "@effect/vitest"
import { first } from "@parcela/core/webhooks/SecretVersion"
import * as Endpoint from "@parcela/core/webhooks/WebhookEndpointDecider"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import { decided } from "@parcela/engine/webhooks/EndpointChanges"
import { Effect, Option, Result } from "effect"
import { writes } from "./fixtures/CommandStoreFixtures.ts"
import { storedCompany, storedEndpoint, minute, onEmptyStore, type StoreLayer } from "./fixtures/StoreFixtures.ts"
import { look, addEndpoint, putEndpoint, switchEndpointOff, writeEndpoint } from "@parcela/test-world/StoreWrites"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

const urlOf = (number: number) => `https://receiver.example/${number}`
const events = ["transaction.updateStatus"] as const

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`WebhookEndpoints (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    it.effect("changes the existing endpoint by a second edit, enables it, and resets its failures", () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        const { id: companyId } = yield* storedCompany
        const own = yield* storedEndpoint(companyId)
        yield* endpoints.fail(own.id, minute(1), minute(2))
        const off = yield* switchEndpointOff(own, "It returned 410 Gone", minute(1))
        assert.deepInclude(off, { isOn: false, offReason: "It returned 410 Gone", offAt: minute(1), failures: 1 })
        assert.deepStrictEqual(yield* endpoints.ofCompany(companyId), [off])
        const written = yield* putEndpoint(companyId, { url: urlOf(2), events }, minute(3))
        assert.deepStrictEqual(written, {
          id: own.id,
          companyId,
          isDefault: true,
          url: urlOf(2),
          events,
          isOn: true,
          secrets: first("", minute(0)),
          createdAt: minute(0),
          updatedAt: minute(3),
          failures: 0,
          failingSince: undefined,
          nextAt: undefined
        })
        assert.deepStrictEqual(yield* endpoints.ofCompany(companyId), [written])
        assert.deepStrictEqual(yield* endpoints.find(own.id), Option.some(written))
      }).pipe(onEmpty)
    )

    it.effect("changes no endpoint of another company", () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        const [one, two] = [yield* storedCompany, yield* storedCompany]
        const stored = yield* storedEndpoint(one.id)
        yield* putEndpoint(two.id, { url: urlOf(2), events: [] }, minute(1))
        assert.deepStrictEqual(yield* endpoints.ofCompany(one.id), [stored])
      }).pipe(onEmpty)
    )

    it.effect("stores several endpoints of a company, and an edit of the default one changes no other", () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        const { id: companyId } = yield* storedCompany
        const own = yield* storedEndpoint(companyId)
        const made = yield* addEndpoint(companyId, { url: urlOf(2), events }, "salt", minute(1))
        assert.deepInclude(made, { isDefault: false, isOn: true, url: urlOf(2), secrets: first("salt", minute(1)) })
        assert.deepStrictEqual(yield* endpoints.ofCompany(companyId), [own, made])
        const edited = yield* putEndpoint(companyId, { url: urlOf(3), events: [] }, minute(2))
        assert.strictEqual(edited.id, own.id)
        assert.deepStrictEqual(yield* endpoints.ofCompany(companyId), [edited, made])
      }).pipe(onEmpty)
    )

    it.effect("does not list a deleted endpoint, and a load by its number still finds it", () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        const { id: companyId } = yield* storedCompany
        const own = yield* storedEndpoint(companyId)
        const { id } = yield* addEndpoint(companyId, { url: urlOf(2), events }, "salt", minute(1))
        yield* writeEndpoint(companyId, (known) =>
          Result.getOrThrow(
            Endpoint.remove(
              known.find((one) => one.id === id)!,
              minute(2)
            )
          )
        )
        assert.deepStrictEqual(yield* endpoints.ofCompany(companyId), [own])
        assert.deepStrictEqual(yield* endpoints.find(id), Option.none())
        const known = (endpointId?: number) =>
          Effect.map(look("endpoints", { companyId, endpointId }), ({ found }) =>
            found!.known.map(({ state }) => [state.id, state.deletedAt])
          )
        assert.deepStrictEqual(yield* known(), [[own.id, undefined]])
        assert.deepStrictEqual(yield* known(id), [
          [own.id, undefined],
          [id, minute(2)]
        ])
        const stranger = yield* storedCompany
        const others = yield* look("endpoints", { companyId: stranger.id, endpointId: id })
        assert.deepStrictEqual(others.found!.known, [])
      }).pipe(onEmpty)
    )

    it.effect("creates one endpoint for concurrent first edits, with the settings of one of them", () =>
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        const store = yield* CommandStore
        const make = yield* writes
        for (let round = 0; round < 4; round++) {
          const { id: companyId } = yield* storedCompany
          const edit = (number: number) =>
            store.run({
              load: "endpoints",
              args: { companyId },
              decide: ({ found }) => {
                const { known, nextId: id } = found!
                const own = known.find(({ state }) => state.isDefault)?.state
                const settings = { url: urlOf(number), events: [] }
                const made = decided(
                  found!,
                  Endpoint.editDefault(own, settings, { id, companyId, now: minute(0) }),
                  true
                )
                return Result.succeed({ value: made.value.id, writes: make(made, found!) })
              }
            })
          const edits = yield* Effect.forEach([1, 2, 3, 4], edit, { concurrency: "unbounded" })
          const left = yield* endpoints.ofCompany(companyId)
          assert.lengthOf(left, 1)
          assert.deepStrictEqual(new Set(edits.map(({ value }) => value)), new Set([left[0]!.id]))
          assert.include([1, 2, 3, 4].map(urlOf), left[0]!.url)
        }
      }).pipe(onEmpty)
    )
  })

forEachStore(suite)
