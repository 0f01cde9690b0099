/**
 * What every adapter of the port `WebhookEndpoints` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { first, type SecretVersions } from "@parcela/core/webhooks/SecretVersion"
import { UnitOfWork } from "@parcela/engine/ports/UnitOfWork"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
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
          isDefault: true,
          url: urlOf(2),
          events,
          isOn: true,
          offReason: undefined,
          offAt: undefined,
          failures: 0,
          failingSince: undefined,
          nextAt: undefined,
          secrets: first("", minute(0))
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

    const added = Effect.fnUntraced(function* (number = 2) {
      const endpoints = yield* WebhookEndpoints
      const { id: companyId } = yield* keptCompany
      const own = yield* keptEndpoint(companyId)
      const settings = { url: urlOf(number), events: ["transaction.updateStatus"] as const }
      const made = yield* endpoints.insert(companyId, { ...settings, secrets: first("salt", minute(1)) }, minute(1))
      return { companyId, endpoints, made, own }
    })

    it.effect("a company has several, and an edit of its default one changes no other", () =>
      Effect.gen(function* () {
        const { companyId, endpoints, made, own } = yield* added()
        assert.deepInclude(made, { isDefault: false, isOn: true, url: urlOf(2), secrets: first("salt", minute(1)) })
        assert.deepStrictEqual(yield* endpoints.ofCompany(companyId), [own, made])
        const edited = yield* endpoints.put(companyId, { url: urlOf(3), events: [] }, minute(2))
        assert.strictEqual(edited.id, own.id)
        assert.deepStrictEqual(yield* endpoints.ofCompany(companyId), [edited, made])
      }).pipe(onEmpty)
    )

    it.effect("an edit by number ends failures and leaves on or off as it is", () =>
      Effect.gen(function* () {
        const { endpoints, made } = yield* added()
        yield* endpoints.fail(made.id, minute(1), minute(2))
        yield* endpoints.switchOff(made.id, "410", minute(2))
        assert.isTrue(yield* endpoints.edit(made.id, { url: urlOf(4), events: [] }, minute(3)))
        const off = { isOn: false, offReason: "410", offAt: minute(2) }
        const edited = { ...made, ...off, url: urlOf(4), events: [] }
        assert.deepStrictEqual(yield* endpoints.find(made.id), Option.some(edited))
        assert.isTrue(yield* endpoints.switchOn(made.id, minute(4)))
        assert.isFalse(yield* endpoints.switchOn(made.id, minute(4)))
        const on = { isOn: true, offReason: undefined, offAt: undefined }
        assert.deepStrictEqual(yield* endpoints.find(made.id), Option.some({ ...edited, ...on }))
        assert.isFalse(yield* endpoints.edit(0, { url: urlOf(4), events: [] }, minute(3)))
      }).pipe(onEmpty)
    )

    it.effect("one that is deleted is not there any more; the default one cannot be", () =>
      Effect.gen(function* () {
        const { companyId, endpoints, made, own } = yield* added()
        assert.isFalse(yield* endpoints.remove(own.id, minute(2)))
        assert.isTrue(yield* endpoints.remove(made.id, minute(2)))
        assert.isFalse(yield* endpoints.remove(made.id, minute(2)))
        assert.deepStrictEqual(yield* endpoints.ofCompany(companyId), [own])
        assert.deepStrictEqual(yield* endpoints.find(made.id), Option.none())
        assert.isFalse(yield* endpoints.switchOn(made.id, minute(3)))
        assert.isFalse(yield* endpoints.edit(made.id, { url: urlOf(4), events: [] }, minute(3)))
      }).pipe(onEmpty)
    )

    it.effect("secrets are replaced only where they are still what was read", () =>
      Effect.gen(function* () {
        const { endpoints, made } = yield* added()
        const [version] = made.secrets
        const next: SecretVersions = [
          { version: 2, salt: "another", createdAt: minute(2) },
          { ...version, notAfter: minute(9) }
        ]
        yield* endpoints.replaceSecrets(made, next, minute(2))
        assert.deepStrictEqual(Option.getOrThrow(yield* endpoints.find(made.id)).secrets, next)
        const late = yield* Effect.flip(endpoints.replaceSecrets(made, first("late", minute(3)), minute(3)))
        assert.strictEqual(late.reason._tag, "Changed")
        assert.deepStrictEqual(Option.getOrThrow(yield* endpoints.find(made.id)).secrets, next)
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
