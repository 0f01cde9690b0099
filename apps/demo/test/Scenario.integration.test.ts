import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import * as SandboxClient from "@parcela/transport/sandbox/SandboxClient"
import { newDatabase, rowsIn } from "@parcela/tooling-postgres/Database"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { inject } from "vitest"
import type { Running } from "../src/Processes.ts"
import { type Processes, runScenario } from "../src/Scenario.ts"
import * as Timeline from "../src/Timeline.ts"

/** A line without its time and random values. */
const gist = ({ mark, status, what, who }: Timeline.Entry): string =>
  [who, what, who === "client" ? mark : "", status].filter((part) => part !== "").join(" ")

/** The requests of the client with their responses. */
const exchanges = [
  "client POST /v2/token 200 Bearer",
  "client PUT  /v2/webhooks 200 2 events",
  "client POST /v2/subscriptions/manual 200 active",
  "client POST /v2/transactions/course-card/myId/add 200 denied",
  "client PUT  /v2/transactions/card-1/myId/retry 200 captured",
  "client POST /v2/subscriptions/manual 200 active",
  "client POST /v2/subscriptions/manual 200 active",
  "client POST /v2/transactions/course-boleto/myId/add 200 pendingBoleto",
  "client POST /v2/transactions/course-pix/myId/add 200 pendingPix"
]

const ofCard = [
  "receiver subscription.addTransaction notSend",
  "receiver transaction.updateStatus denied",
  "receiver transaction.updateStatus captured"
]

const ofCodes = [
  "receiver subscription.addTransaction pendingBoleto",
  "receiver subscription.addTransaction pendingPix"
]

/** The whole scenario as it is to be, on any database and any number of servers. */
const assertComplete = (
  entries: ReadonlyArray<Timeline.Entry>,
  shown: Effect.Success<ReturnType<typeof runScenario>>
) => {
  assert.deepStrictEqual(entries.filter(({ who }) => who === "client").map(gist), exchanges)
  const received = entries.filter(({ who }) => who === "receiver").map(gist)
  // First attempts of one transaction leave in order; transactions do not wait for one another.
  assert.deepStrictEqual(
    received.filter((event) => ofCard.includes(event)),
    ofCard
  )
  assert.sameMembers(
    received.filter((event) => !ofCard.includes(event)),
    ofCodes
  )
  assert.match(shown.bankLine, /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/)
  assert.match(shown.qrCode ?? "", /^000201.*6304[0-9A-F]{4}$/)
}

/** Every try of the scenario's deliveries, as a server knows it: when it began and how long it took, in milliseconds. */
const attemptsOf = Effect.fnUntraced(function* (
  { processes, credentials }: Effect.Success<ReturnType<typeof runScenario>>,
  url: string
) {
  assert.include(
    processes.sandboxes.map((sandbox) => sandbox.url),
    url
  )
  const { deliveries } = yield* SandboxClient.make({ baseUrl: `${url}/sandbox` })
  return yield* Effect.forEach(
    [1, 2, 3, 4, 5],
    (webhookId) =>
      Effect.map(deliveries.attempts({ clientId: credentials.clientId, webhookId }), ({ attempts }) =>
        attempts.map(({ duration, startedAt }) => ({ at: startedAt, duration }))
      )
    // A try is recorded once the receiver's response is there: the receiver may have printed it before.
  ).pipe(Effect.repeat({ until: (attempts) => attempts.every((made) => made.length > 0) }))
})

/** Waits until a server has begun a delivery; its name among those that lease. */
const untilLeased = (database: string) =>
  rowsIn(database, "SELECT lease_owner FROM deliveries WHERE lease_owner IS NOT NULL").pipe(
    Effect.repeat({ until: (rows) => rows.length > 0 }),
    Effect.orDie,
    Effect.map(([row]) => String(row!["lease_owner"]))
  )

/** As when the minute of its leases is over. */
const endLeases = (database: string, owner: string) =>
  Effect.orDie(rowsIn(database, `UPDATE deliveries SET leased_until = 0 WHERE lease_owner = '${owner}'`))

const inTerminal = Effect.provide([NodeServices.layer, FetchHttpClient.layer])

const settings = [
  { name: "on a SQLite file", database: Effect.succeed(undefined), servers: 1 },
  { name: "on PostgreSQL", database: newDatabase, servers: 1 },
  { name: "by two servers on one PostgreSQL, which are used alternately", database: newDatabase, servers: 2 }
]

/** `npm test` has the scenario on SQLite, `npm run prove -- stories` all. */
const { long } = inject("prove")

it.live.each(long ? settings : settings.slice(0, 1))(
  "runs $name: denied, retried to captured, a boleto and a Pix opened, and every event received once",
  ({ database, servers }) =>
    Effect.gen(function* () {
      const timeline = yield* Timeline.make(() => Effect.void)
      const location = yield* database
      const shown = yield* runScenario(timeline, {
        database: location === undefined ? undefined : Redacted.make(location),
        servers
      })
      const entries = yield* timeline.entries
      assertComplete(entries, shown)
      // Each server received the same number of requests.
      const bySecond = entries.filter(({ server }) => server === 2).length
      assert.strictEqual(bySecond, servers === 1 ? 0 : 4)
      // The receiver prints an event once, however often it comes: the servers say that it left once.
      for (const { url } of shown.processes.sandboxes) {
        const attempts = yield* attemptsOf(shown, url)
        assert.deepStrictEqual(
          attempts.map((made) => made.length),
          [1, 1, 1, 1, 1]
        )
        const [added, denied, captured] = attempts.map(([made]) => made!)
        assert.isAtMost(added!.at + added!.duration, denied!.at)
        assert.isAtMost(denied!.at + denied!.duration, captured!.at)
      }
    }).pipe(Effect.scoped, inTerminal),
  120_000
)

it.live.each(long ? ["one of two servers"] : [])(
  "ends although %s is killed during its deliveries",
  () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      let processes: Processes | undefined
      let killed: Running | undefined
      let owner: string | undefined
      const timeline = yield* Timeline.make(
        Effect.fnUntraced(function* (entry) {
          // A receiver that stands still keeps what a server has begun to deliver under way.
          if (killed === undefined && gist(entry) === exchanges[2]) process.kill(processes!.receiver.pid, "SIGSTOP")
          // The survivor has delivered what is not leased, and would have ended leases of its own by then.
          if (gist(entry) === ofCodes[1] && owner !== undefined) yield* endLeases(database, owner)
          if (gist(entry) !== exchanges[3]) return
          owner = yield* untilLeased(database)
          // The server that charged the card knows of its deliveries first.
          killed = processes!.sandboxes[entry.server! - 1]
          process.kill(killed!.pid, "SIGKILL")
          process.kill(processes!.receiver.pid, "SIGCONT")
        })
      )
      const shown = yield* runScenario(timeline, {
        database: Redacted.make(database),
        servers: 2,
        onStarted: (running) => Effect.sync(() => void (processes = running))
      })
      const entries = yield* timeline.entries
      assertComplete(entries, shown)
      const [survivor] = processes!.sandboxes.filter((sandbox) => sandbox !== killed)
      const after = entries.slice(entries.findIndex((entry) => gist(entry) === exchanges[3]) + 1)
      assert.deepStrictEqual(
        [...new Set(after.flatMap(({ server }) => (server === undefined ? [] : processes!.sandboxes[server - 1])))],
        [survivor]
      )
      // The deliveries of the killed server were sent again, because their outcome is unknown; the receiver printed each once.
      const attempts = yield* attemptsOf(shown, survivor!.url)
      assert.deepStrictEqual(
        attempts.map((made) => made.length),
        [1, 1, 1, 1, 1]
      )
    }).pipe(Effect.scoped, inTerminal),
  120_000
)
