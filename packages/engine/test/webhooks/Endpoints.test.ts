import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { EndpointManagement } from "@parcela/engine/webhooks/Endpoints"
import { WebhookEditing } from "@parcela/engine/webhooks/EndpointChanges"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import * as Secret from "@parcela/webhooks/WebhookSecret"
import type { WebhookSecret } from "@parcela/webhooks/WebhookSecret"
import { Duration, Effect, Redacted } from "effect"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const deliverDue = Effect.flatMap(DeliveryWorker, (worker) => worker.deliverDue)
const states = Effect.map(Rows.deliveries, (all) => all.map(({ state }) => state))

const abandonUnwanted = DueWorker.use((worker) => worker.runOnce("abandon deliveries", 9))

/** A company that listens, and pays with a card that is captured. */
const listener = Effect.gen(function* () {
  const company = yield* World.company()
  yield* World.listen(company)
  yield* World.subscribeByCard(company, Samples.cards.captured)
  const management = yield* EndpointManagement
  const [own] = yield* management.list(company)
  return { company, management, own: own! }
})

const textOf = (secret: WebhookSecret) => Redacted.value(Secret.format(secret))

/** The secrets that sign the next delivery of a company. */
const signedWith = Effect.fnUntraced(function* (company: CompanyId, myId: string) {
  const { received } = yield* World.Receiver
  const before = received.length
  yield* World.pay(company, myId)
  yield* deliverDue
  return received[before]!.secrets.map(textOf)
})

const only = ["transaction.updateStatus"] as const
const second = { url: "https://second.example/", events: only }

describe("WebhookEditing.get", () => {
  it.effect("returns only the default endpoint of the company, also while it is disabled", () =>
    Effect.gen(function* () {
      const { company, management, own } = yield* listener
      const nobody = yield* World.company()
      const webhooks = yield* WebhookEditing
      yield* management.create(company, second)
      yield* management.switchOff(company, own.id)
      const { events, url } = yield* webhooks.get(company)
      assert.deepStrictEqual({ events, url }, { events: own.events, url: own.url })
      const none = yield* webhooks.get(nobody)
      assert.deepStrictEqual([none.url, none.events], [undefined, []])
      yield* management.create(nobody, second)
      assert.isUndefined((yield* webhooks.get(nobody)).url)
    }).pipe(World.inWorld())
  )
})

describe("EndpointManagement", () => {
  it.effect("delivers each event to every subscribed endpoint, signed with the endpoint's own secret", () =>
    Effect.gen(function* () {
      const { company, management, own } = yield* listener
      const made = yield* management.create(company, { ...second, events: [...only, ...only] })
      assert.deepInclude(made, { isDefault: false, isOn: true, events: only })
      yield* World.pay(company, "p")
      assert.strictEqual(yield* deliverDue, 3)
      const { received } = yield* World.Receiver
      assert.deepStrictEqual(received.map(({ url }) => url).toSorted(), [own.url, own.url, second.url].toSorted())
      const ofSecond = received.find(({ url }) => url === second.url)!
      const ofOwn = received.find(({ url }) => url === own.url)!
      assert.notDeepEqual(ofSecond.secrets.map(textOf), ofOwn.secrets.map(textOf))
      const [secret] = yield* management.secrets(company, made.id)
      assert.deepStrictEqual(ofSecond.secrets.map(textOf), [Redacted.value(secret!.secret!)])
      assert.include(yield* Rows.journal, "WebhookEndpointCreated")
    }).pipe(World.inWorld())
  )

  it.effect("does not delay other endpoints of the company by a failing one, and counts each separately", () =>
    Effect.gen(function* () {
      const { company, management, own } = yield* listener
      const made = yield* management.create(company, second)
      const { hanging } = yield* World.Receiver
      hanging.add(own.url)
      yield* World.pay(company, "p")
      const fiber = yield* Effect.forkChild(deliverDue, { startImmediately: true })
      yield* World.passTime("1 second")
      const listed = yield* management.list(company)
      assert.deepStrictEqual(
        listed.map(({ dead, id, waiting }) => ({ dead, id, waiting })),
        [
          { dead: 0, id: own.id, waiting: 2 },
          { dead: 0, id: made.id, waiting: 0 }
        ]
      )
      fiber.interruptUnsafe()
    }).pipe(World.inWorld())
  )

  it.effect("queues events while an endpoint is disabled, and delivers them in order once it is enabled", () =>
    Effect.gen(function* () {
      const { company, management, own } = yield* listener
      const { received } = yield* World.Receiver
      assert.isFalse((yield* management.switchOff(company, own.id)).isOn)
      yield* World.pay(company, "p")
      assert.strictEqual(yield* deliverDue, 0)
      assert.deepStrictEqual(yield* states, ["pending", "pending"])
      assert.isTrue((yield* management.switchOn(company, own.id)).isOn)
      assert.strictEqual(yield* deliverDue, 2)
      assert.deepStrictEqual(
        received.map(({ webhookId }) => webhookId),
        [1, 2]
      )
      yield* management.switchOn(company, own.id)
      const journal = yield* Rows.journal
      assert.deepStrictEqual(
        journal.filter((name) => name.startsWith("WebhookEndpointSwitched")),
        ["WebhookEndpointSwitchedOff", "WebhookEndpointSwitchedOn"]
      )
    }).pipe(World.inWorld())
  )

  it.effect("sends pending deliveries to the edited URL, and abandons those of unsubscribed events", () =>
    Effect.gen(function* () {
      const { company, management, own } = yield* listener
      yield* World.pay(company, "p")
      const edited = yield* management.edit(company, own.id, second)
      assert.deepInclude(edited, { url: second.url, events: only, isOn: true })
      yield* abandonUnwanted
      assert.strictEqual(yield* deliverDue, 1)
      assert.deepStrictEqual(yield* states, ["abandoned", "delivered"])
      const { received } = yield* World.Receiver
      assert.strictEqual(received[0]?.url, second.url)
      assert.deepInclude(yield* management.edit(company, own.id, { events: [] }), { url: second.url, events: [] })
    }).pipe(World.inWorld())
  )

  it.effect("sends nothing to a deleted endpoint, and refuses to delete the default one", () =>
    Effect.gen(function* () {
      const { company, management, own } = yield* listener
      const made = yield* management.create(company, second)
      yield* World.pay(company, "p")
      yield* management.remove(company, made.id)
      yield* abandonUnwanted
      assert.strictEqual(yield* deliverDue, 2)
      assert.deepStrictEqual((yield* states).toSorted(), ["abandoned", "delivered", "delivered"])
      assert.strictEqual((yield* Effect.flip(management.remove(company, own.id)))._tag, "DefaultEndpoint")
      assert.strictEqual((yield* Effect.flip(management.switchOn(company, made.id)))._tag, "EndpointNotFound")
      assert.lengthOf(yield* management.list(company), 1)
      assert.include(yield* Rows.journal, "WebhookEndpointDeleted")
    }).pipe(World.inWorld())
  )

  it.effect("returns and changes nothing of another company", () =>
    Effect.gen(function* () {
      const { management, own } = yield* listener
      const stranger = yield* World.company()
      assert.deepStrictEqual(yield* management.list(stranger), [])
      const refused = [
        yield* Effect.flip(management.switchOff(stranger, own.id)),
        yield* Effect.flip(management.edit(stranger, own.id, { events: [] })),
        yield* Effect.flip(management.remove(stranger, own.id)),
        yield* Effect.flip(management.rotate(stranger, own.id)),
        yield* Effect.flip(management.secrets(stranger, own.id))
      ]
      for (const { _tag } of refused) assert.strictEqual(_tag, "EndpointNotFound")
    }).pipe(World.inWorld())
  )

  it.effect("refuses more than the maximum number of endpoints", () =>
    Effect.gen(function* () {
      const { company, management } = yield* listener
      for (let made = 1; made < 20; made++) yield* management.create(company, second)
      assert.strictEqual((yield* Effect.flip(management.create(company, second)))._tag, "TooManyEndpoints")
    }).pipe(World.inWorld())
  )

  describe("a rotation", () => {
    it.effect("signs with the new and the old secret for 24 hours, then with the new one only", () =>
      Effect.gen(function* () {
        const { company, management, own } = yield* listener
        const [old] = yield* signedWith(company, "a")
        const [next, previous] = yield* management.rotate(company, own.id)
        assert.deepStrictEqual([next?.version, previous?.version], [2, 1])
        assert.strictEqual(Redacted.value(previous!.secret!), old)
        const renewed = Redacted.value(next!.secret!)
        assert.notStrictEqual(renewed, old)
        assert.deepStrictEqual(yield* signedWith(company, "b"), [renewed, old])
        assert.strictEqual(textOf(yield* management.currentSecret(company)), renewed)
        yield* World.passTime("23 hours")
        assert.deepStrictEqual(yield* signedWith(company, "c"), [renewed, old])
        yield* World.passTime("1 hour")
        assert.deepStrictEqual(yield* signedWith(company, "d"), [renewed])
        const [, ended] = yield* management.secrets(company, own.id)
        assert.isUndefined(ended?.secret)
        assert.include(yield* Rows.journal, "WebhookSecretRotated")
      }).pipe(World.inWorld())
    )

    it.effect("has the requested overlap, or none for zero", () =>
      Effect.gen(function* () {
        const { company, management, own } = yield* listener
        const [next] = yield* management.rotate(company, own.id, Duration.zero)
        assert.deepStrictEqual(yield* signedWith(company, "a"), [Redacted.value(next!.secret!)])
        yield* management.rotate(company, own.id, Duration.minutes(5))
        assert.lengthOf(yield* signedWith(company, "b"), 2)
        yield* World.passTime("5 minutes")
        assert.lengthOf(yield* signedWith(company, "c"), 1)
      }).pipe(World.inWorld())
    )

    it.effect("ends at once when the overlap is ended", () =>
      Effect.gen(function* () {
        const { company, management, own } = yield* listener
        const [next] = yield* management.rotate(company, own.id)
        yield* management.endOverlap(company, own.id)
        yield* management.endOverlap(company, own.id)
        assert.deepStrictEqual(yield* signedWith(company, "a"), [Redacted.value(next!.secret!)])
        const ended = (yield* Rows.journal).filter((name) => name === "WebhookSecretsEnded")
        assert.lengthOf(ended, 1)
      }).pipe(World.inWorld())
    )

    it.effect("leaves confirmHash unchanged, and remains after an edit by PUT /webhooks", () =>
      Effect.gen(function* () {
        const { company, management, own } = yield* listener
        const secrets = yield* Secrets
        const confirmHash = Redacted.value(yield* secrets.confirmHash(company))
        const [next] = yield* management.rotate(company, own.id, Duration.zero)
        const edited = yield* World.listen(company, undefined, "https://moved.example/")
        assert.strictEqual(Redacted.value(edited.confirmHash), confirmHash)
        assert.deepStrictEqual(yield* signedWith(company, "a"), [Redacted.value(next!.secret!)])
        const { received } = yield* World.Receiver
        assert.strictEqual(JSON.parse(received.at(-1)!.body).confirmHash, confirmHash)
      }).pipe(World.inWorld())
    )

    it.effect("creates one version for each of two concurrent requests", () =>
      Effect.gen(function* () {
        const { company, management, own } = yield* listener
        yield* Effect.all([management.rotate(company, own.id), management.rotate(company, own.id)], {
          concurrency: "unbounded"
        })
        const versions = yield* management.secrets(company, own.id)
        assert.deepStrictEqual(
          versions.map(({ version }) => version),
          [3, 2, 1]
        )
        assert.strictEqual(new Set(versions.map(({ secret }) => Redacted.value(secret!))).size, 3)
      }).pipe(World.inWorld())
    )

    it.effect("stores no secret in the database", () =>
      Effect.gen(function* () {
        const { company, management, own } = yield* listener
        const rotated = yield* management.rotate(company, own.id)
        const [row] = yield* Rows.rows("webhook_endpoints")
        for (const { secret } of rotated) assert.notInclude(JSON.stringify(row), Redacted.value(secret!).slice(6, 40))
      }).pipe(World.inWorld())
    )
  })
})
