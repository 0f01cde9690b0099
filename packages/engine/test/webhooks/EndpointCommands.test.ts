/** Commands on webhook endpoints whose commit is lost under way, and that meet one another. */
import { assert, describe, it } from "@effect/vitest"
import { CommandStore, type StoreCommand } from "@parcela/engine/command/CommandStore"
import type { LoadName } from "@parcela/engine/command/Loads"
import { Journal, type JournalCursor } from "@parcela/engine/ports/Journal"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import { Deliveries } from "@parcela/engine/webhooks/Replays"
import { EndpointManagement } from "@parcela/engine/webhooks/Endpoints"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { Array, Duration, Effect, Layer } from "effect"
import { inject } from "vitest"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

/** A store that loses the response of each commit of such a command: the command is run again, and decides on what it wrote itself. */
const losing = Layer.effect(
  CommandStore,
  Effect.map(CommandStore, (inner) => ({
    run: <N extends LoadName, A, R>(command: StoreCommand<N, A, R>) =>
      command.load === "endpoints" || command.load === "newReplay"
        ? Effect.andThen(inner.run(command), inner.run(command))
        : inner.run(command)
  }))
).pipe(Layer.provideMerge(Layer.suspend(() => storeOf(inject("store")))))

const url = "https://second.example/"
const events = ["transaction.updateStatus"] as const

/** The events of endpoints, in order. */
const webhookEvents = Effect.map(Rows.journal, (names) => names.filter((name) => name.startsWith("Webhook")))

describe("an endpoint command that is rerun after its commit's reply was lost", () => {
  it.effect("is executed once, returns its result, and has one journal entry", () =>
    Effect.gen(function* () {
      const management = yield* EndpointManagement
      const endpoints = yield* WebhookEndpoints
      const company = yield* World.company()
      yield* World.listen(company)
      yield* World.listen(company, events)
      const made = yield* management.create(company, { url, events: [] })
      assert.lengthOf(yield* endpoints.ofCompany(company), 2)
      const { id } = made
      assert.deepInclude(yield* management.edit(company, id, { events }), { id, events, isOn: true })
      assert.deepInclude(yield* management.switchOff(company, id), { isOn: false })
      assert.deepInclude(yield* management.switchOn(company, id), { isOn: true })
      const rotated = yield* management.rotate(company, id)
      assert.deepStrictEqual(
        rotated.map(({ version }) => version),
        [2, 1]
      )
      assert.isUndefined((yield* management.endOverlap(company, id))[1]?.secret)
      yield* management.remove(company, id)
      assert.lengthOf(yield* endpoints.ofCompany(company), 1)
      yield* World.passTime("1 second")
      assert.strictEqual((yield* Effect.flip(management.remove(company, id)))._tag, "EndpointNotFound")
      assert.deepStrictEqual(yield* webhookEvents, [
        "WebhookEndpointCreated",
        "WebhookEndpointEdited",
        "WebhookEndpointCreated",
        "WebhookEndpointEdited",
        "WebhookEndpointSwitchedOff",
        "WebhookEndpointSwitchedOn",
        "WebhookSecretRotated",
        "WebhookSecretsEnded",
        "WebhookEndpointDeleted"
      ])
    }).pipe(World.inWorld({ store: losing }))
  )

  it.effect("creates one replay", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const { id } = yield* Deliveries.use((deliveries) => deliveries.replayAll(company, {}))
      const rows = yield* Rows.rows("webhook_replays")
      assert.deepStrictEqual(
        rows.map((row) => Number(row["id"])),
        [id]
      )
    }).pipe(World.inWorld({ store: losing }))
  )

  it.effect.each([
    [410, "off", 0],
    [503, "on", 1]
  ] as const)("is executed once for a response of %i", ([status, state, failures]) =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company, events)
      yield* World.subscribeByCard(company, Samples.cards.captured)
      yield* World.pay(company, "p")
      const { responses } = yield* World.Receiver
      responses.push(Effect.succeed({ _tag: "Refused", status, problem: `The receiver returned ${status}` }))
      assert.strictEqual(yield* DeliveryWorker.use((worker) => worker.deliverDue), 1)
      const [row] = yield* Rows.rows("webhook_endpoints")
      assert.deepStrictEqual([row!["state"], Number(row!["failures"])], [state, failures])
      assert.deepStrictEqual(
        (yield* webhookEvents).filter((name) => name === "WebhookEndpointSwitchedOff").length,
        state === "off" ? 1 : 0
      )
    }).pipe(World.inWorld({ store: losing }))
  )
})

describe("concurrent commands on the endpoints of one company", () => {
  const both = <A, E, R>(one: Effect.Effect<A, E, R>) =>
    Effect.all([one, World.inAnotherProcess(one)], { concurrency: "unbounded" })

  it.effect("create one default endpoint, and at most the maximum number of endpoints", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* both(World.listen(company))
      const create = EndpointManagement.use((management) => Effect.option(management.create(company, { url, events })))
      for (let made = 0; made < 11; made++) yield* both(create)
      const all = yield* WebhookEndpoints.use((endpoints) => endpoints.ofCompany(company))
      assert.lengthOf(all, 20)
      assert.lengthOf(
        all.filter(({ isDefault }) => isDefault),
        1
      )
    }).pipe(World.inWorld())
  )

  it.effect("see each other's result: two rotations create two versions", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company)
      const [own] = yield* WebhookEndpoints.use((endpoints) => endpoints.ofCompany(company))
      yield* both(EndpointManagement.use((management) => management.rotate(company, own!.id, Duration.hours(1))))
      const secrets = yield* EndpointManagement.use((management) => management.secrets(company, own!.id))
      assert.deepStrictEqual(
        secrets.map(({ version }) => version),
        [3, 2, 1]
      )
    }).pipe(World.inWorld())
  )

  it.effect("are journaled in their order, each with the state that the previous one left", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company, events, url)
      const [own] = yield* WebhookEndpoints.use((endpoints) => endpoints.ofCompany(company))
      const edits = Array.makeBy(12, (number) =>
        EndpointManagement.use((management) => management.edit(company, own!.id, { url: `https://${number}.example/` }))
      )
      yield* Effect.all(edits.map(both), { concurrency: "unbounded" })
      let known: unknown = null
      let seen = 0
      const written = Number(yield* Rows.count("journal"))
      let cursor: JournalCursor | undefined
      // Another transaction of the server, of another test too, may keep an entry back for a while.
      while (seen < written) {
        const { entries, next } = yield* Journal.use((journal) => journal.follow(cursor, 5, company))
        for (const { after, before, subject } of entries) {
          assert.deepStrictEqual(subject, { kind: "webhook endpoint", id: String(own!.id) })
          assert.strictEqual(before?.["url"] ?? null, known)
          known = after?.["url"]
          seen += 1
        }
        cursor = next
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      const [left] = yield* WebhookEndpoints.use((endpoints) => endpoints.ofCompany(company))
      assert.strictEqual(left?.url, known)
    }).pipe(World.inWorld())
  )
})
