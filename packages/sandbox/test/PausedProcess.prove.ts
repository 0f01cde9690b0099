/** Two servers on one PostgreSQL database, of which one stands still for longer than its leases last. */
import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ofPostgres, type Query, readBooks, untilOver } from "./fixtures/BookReader.ts"
import { assertBalanced } from "./fixtures/Books.ts"
import {
  type Command,
  commandsOf,
  isFinal,
  isRefused,
  isToBeRepeated,
  keyOf,
  moment,
  repeat,
  send
} from "./fixtures/Commands.ts"
import { type Server, startServer } from "./fixtures/Servers.ts"
import { type Answer, request, tokenAt } from "@parcela/test-world/Server"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"

/** Takes its time, so that deliveries are under way when their sender stops. */
const slowReceiver = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ url: string; bodies: Array<string>; close: () => void }>((resolve) => {
        const bodies: Array<string> = []
        const server = createServer((incoming, response) => {
          let body = ""
          incoming.setEncoding("utf8")
          incoming.on("data", (chunk: string) => (body += chunk))
          incoming.on("end", () => {
            bodies.push(body)
            setTimeout(() => response.writeHead(200).end(), 200)
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          const close = () => {
            server.closeAllConnections()
            server.close()
          }
          resolve({ url: `http://127.0.0.1:${port}/`, bodies, close })
        })
      })
  ),
  ({ close }) => Effect.sync(close)
)

/** Open attempts, and leased deliveries with their process. */
const pendingAttempt = Effect.fnUntraced(function* (query: Query) {
  const attempts = yield* query("SELECT id FROM attempts WHERE settled_at IS NULL")
  const deliveries = yield* query("SELECT webhook_id, lease_owner FROM deliveries WHERE lease_owner IS NOT NULL")
  return {
    attempts: new Set(attempts.map(({ id }) => String(id))),
    deliveries: new Set(deliveries.map(({ lease_owner, webhook_id }) => `${String(webhook_id)} ${String(lease_owner)}`))
  }
})

const isShared = (before: ReadonlySet<string>, now: ReadonlySet<string>) => [...before].some((one) => now.has(one))

/** A transaction that stands open makes others wait for its rows until PostgreSQL ends it, 15 seconds later. */
const openTransactions = (query: Query) =>
  query(`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction' AND state_change < now() - interval '100 ms'
  `)

describe("two servers on one PostgreSQL database, of which one is paused for longer than its leases", () => {
  it.effect(
    "let the other one take over and the first one continue with late results, without loss or duplicates",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const database = yield* newDatabase
        const query = yield* ofPostgres(database)
        const { bodies, url: hooks } = yield* slowReceiver
        const [paused, other] = yield* Effect.all(
          [startServer({ folder, database, seed: 7, slowness: 15 }), startServer({ folder, database, seed: 8 })],
          { concurrency: 2 }
        )
        const token = yield* Effect.promise(() => tokenAt(paused.url, "sandbox", "sandbox-secret"))
        const events = ["transaction.updateStatus", "subscription.addTransaction"]
        yield* Effect.promise(() => request("PUT", `${other.url}/v2/webhooks`, { token, body: { url: hooks, events } }))

        /** The requests that the paused process still has; a client does not wait for them. */
        const late: Array<{ readonly command: Command; readonly response: Promise<Answer> }> = []
        const decided = new Map<Command, Answer>()
        const state = { isPaused: false }
        /** The number of requests without a response of the paused process. */
        let unanswered = 0
        const impatient = (server: Server, command: Command): Promise<Answer | undefined> => {
          const response = send(server.url, token, command)
          if (server === paused) {
            unanswered++
            response.finally(() => unanswered--).catch(() => undefined)
          }
          const isLeft = new Promise<undefined>((resolve) => {
            const look = setInterval(() => state.isPaused && server === paused && end(), 20)
            const end = () => {
              clearInterval(look)
              resolve(undefined)
            }
            response.finally(() => clearInterval(look)).catch(() => undefined)
          })
          return Promise.race([response, isLeft]).then((answer) => {
            if (answer === undefined) late.push({ command, response })
            return answer
          })
        }
        const carryOut = async (first: Server, command: Command) => {
          for (let attempts = 0; attempts < 1_200; attempts++) {
            const answer = await impatient(state.isPaused ? other : first, command)
            if (answer !== undefined && !isToBeRepeated(answer)) return void decided.set(command, answer)
            if (answer !== undefined) await moment()
          }
          throw new Error(`${keyOf(command)} was never decided`)
        }
        // New payments until one process is paused, so that it has something under way whenever that is.
        const client = async (index: number) => {
          for (let tick = 0; !state.isPaused; tick++) {
            for (const [step, command] of commandsOf(`${index}.${tick}`, index).entries()) {
              await carryOut((index + step) % 2 === 0 ? paused : other, command)
            }
          }
        }

        /** Pauses it while it has requests, attempts and deliveries under way; returns the deliveries that were. */
        const pause = Effect.gen(function* () {
          while (decided.size < 8) yield* Effect.promise(moment)
          for (let attempts = 0; attempts < 100; attempts++) {
            yield* Effect.promise(moment)
            paused.child.kill("SIGSTOP")
            const before = yield* pendingAttempt(query)
            // The receiver has responded by then to what the other one sent.
            yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 300)))
            const now = yield* pendingAttempt(query)
            const isHeld = isShared(before.attempts, now.attempts) && isShared(before.deliveries, now.deliveries)
            // With a transaction open it is as good a test, but takes 15 seconds more.
            if (isHeld && unanswered > 0 && (attempts > 10 || (yield* openTransactions(query)).length === 0)) {
              // Those too that the other one has taken over since then.
              return [...before.deliveries].map((one) => Number(one.split(" ")[0]))
            }
            paused.child.kill("SIGCONT")
          }
          return yield* Effect.die(new Error("It never had requests, attempts and deliveries under way"))
        })

        const load = Promise.all(Array.from({ length: 8 }, (_, index) => client(index)))
        const held = yield* pause
        state.isPaused = true
        // All commands are decided by the other one, which the leases keep waiting for a second.
        yield* Effect.promise(() => load)
        yield* untilOver(query)
        const whilePaused = yield* readBooks(database, query)
        assertBalanced(whilePaused)
        assert.isNotEmpty(late)
        const made = bodies.length

        paused.child.kill("SIGCONT")
        // A connection that was idle for too long is closed when the process continues, with the data that was sent to it.
        const responses = yield* Effect.promise(() => Promise.allSettled(late.map(({ response }) => response)))
        const statusOf = new Map(whilePaused.transactions.map(({ data, my_id }) => [my_id, data.status]))
        for (const [index, { command }] of late.entries()) {
          const settled = responses[index]!
          if (settled.status === "rejected") continue
          const answer = settled.value
          // Its own result came too late: it shows what has become of the payment, or does not know. What it had not read when
          // it stopped has arrived too late for it on a busy machine, where it stands still for longer than a request may take.
          if (isToBeRepeated(answer) || answer.status === 408 || answer.status === 500) continue
          assert.strictEqual(answer.status, decided.get(command)!.status, `${keyOf(command)}: ${answer.text}`)
          if (command.kind === "subscription" || answer.status !== 200) continue
          // As the other one stored it, or as the retry after it has left it.
          const possible = [decided.get(command)!.json.Transaction.status, statusOf.get(command.myId)]
          assert.include(possible, answer.json.Transaction.status, keyOf(command))
        }
        // It is one of two again, and has nothing of its own to say about what it held.
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1_000)))
        for (const [command, answer] of decided) {
          if (answer.status !== 200 || !isFinal(command, answer)) continue
          const again = yield* Effect.promise(() => repeat(paused.url, token, command))
          assert.strictEqual(again.text, answer.text, keyOf(command))
        }
        yield* untilOver(query)
        const books = yield* readBooks(database, query)
        assert.lengthOf(books.transactions, [...decided.keys()].filter(({ kind }) => kind === "payment").length)
        assertBalanced(books)
        assert.deepStrictEqual(books, whilePaused)
        // Only a POST that was in transit when the process stopped may arrive when it continues.
        for (const body of bodies.slice(made)) {
          assert.include(held, (JSON.parse(body) as { webhookId: number }).webhookId)
        }

        for (const [command, answer] of decided) {
          assert.strictEqual(answer.status, isRefused(command, answer) ? 400 : 200, `${keyOf(command)}: ${answer.text}`)
        }
        // Each event came, one that was sent twice with the same body.
        const byId = new Map<number, string>()
        for (const body of bodies) {
          const { webhookId } = JSON.parse(body) as { webhookId: number }
          assert.strictEqual(byId.get(webhookId) ?? body, body)
          byId.set(webhookId, body)
        }
        assert.sameMembers(
          [...byId.keys()],
          books.deliveries.map(({ webhook_id }) => webhook_id)
        )
      }),
    120_000
  )
})
