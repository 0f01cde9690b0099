/** Two servers on one PostgreSQL database, of which one is killed. */
import { assert, describe, it } from "@effect/vitest"
import { layer as postgres } from "@parcela/store-sql/postgres/PostgresClient"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Queue, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assertBalanced, type Books } from "./fixtures/Books.ts"
import { type Answer, byCard, cards, payment, receiver, request, temporaryFolder, tokenAt } from "./fixtures/Service.ts"

const killable = fileURLToPath(new URL("./fixtures/Killable.ts", import.meta.url))

interface Server {
  readonly child: ChildProcess
  readonly url: string
  readonly ended: Promise<void>
}

const startServer = (database: string, folder: string, seed: string) =>
  new Promise<Server>((resolve, reject) => {
    const child = spawn(process.execPath, [killable, database, seed, join(folder, "key/master.key")], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") }
    })
    const ended = new Promise<void>((end) => child.once("exit", () => end()))
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      const url = /http:\/\/\S+/.exec(said)?.[0]
      if (url !== undefined) resolve({ child, url, ended })
    })
    void ended.then(() => reject(new Error(`The server ended before it listened: ${said}`)))
  })

interface Command {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const commandsOf = (client: string, card: string): ReadonlyArray<Command> => {
  const sub = `sub-${client}`
  return [
    { key: sub, method: "POST", path: "/v2/subscriptions/manual", body: byCard(card, sub) },
    ...[1, 2, 3].flatMap((number): ReadonlyArray<Command> => {
      const myId = `pay-${client}-${number}`
      const body = payment(myId, "2026-01-01")
      return [
        { key: myId, method: "POST", path: `/v2/transactions/${sub}/myId/add`, body },
        { key: `retry ${myId}`, method: "PUT", path: `/v2/transactions/${myId}/myId/retry` }
      ]
    })
  ]
}

const send = (url: string, token: string, { body, key, method, path }: Command): Promise<Answer> =>
  request(method, url + path, { token, headers: { "idempotency-key": key }, ...(body === undefined ? {} : { body }) })

/** Under way at another process, or of unknown outcome: a client repeats it under its key. */
const wait = () => new Promise((resolve) => setTimeout(resolve, 50))

const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = <A>(statement: string, json?: string): Effect.Effect<ReadonlyArray<A>> =>
    Effect.map(Effect.orDie(sql.unsafe<Record<string, unknown>>(statement)), (found) =>
      // The columns are those of `Books`.
      found.map((row) => (json === undefined ? row : { ...row, [json]: JSON.parse(String(row[json])) }) as A)
    )
  const changes = yield* rows(`SELECT id FROM journal WHERE event LIKE '%"TransactionStatusChanged"%'`)
  const books: Books = {
    transactions: yield* rows<Books["transactions"][number]>("SELECT id, my_id, data FROM transactions", "data"),
    attempts: yield* rows<Books["attempts"][number]>("SELECT id, settled_at FROM attempts"),
    charges: yield* rows<Books["charges"][number]>(
      "SELECT attempt_id, reference, outcome FROM operator_charges",
      "outcome"
    ),
    deliveries: yield* rows<Books["deliveries"][number]>(
      "SELECT webhook_id, event, transaction_id, payload FROM deliveries",
      "payload"
    ),
    changes: changes.length
  }
  const pending = yield* rows("SELECT webhook_id FROM deliveries WHERE state = 'pending'")
  return { books, isOver: pending.length === 0 && books.attempts.every(({ settled_at }) => settled_at !== null) }
})

describe("two servers on one PostgreSQL database", () => {
  it.effect(
    "one is killed under load: nothing is lost, nothing happens twice, and the other takes over",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const database = yield* newDatabase
        const { received, url: hooks } = yield* receiver
        // At once, as a supervisor starts them: both find an empty database and no key.
        const [victim, survivor] = yield* Effect.promise(() =>
          Promise.all([startServer(database, folder, "7"), startServer(database, folder, "8")])
        )
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => [victim, survivor].forEach(({ child }) => child.kill("SIGKILL")))
        )
        // A token of one process is good at the other.
        const token = yield* Effect.promise(() => tokenAt(victim.url, "sandbox", "sandbox-secret"))
        const events = ["transaction.updateStatus", "subscription.addTransaction"]
        const edited = yield* Effect.promise(() =>
          request("PUT", `${survivor.url}/v2/webhooks`, { token, body: { url: hooks, events } })
        )
        assert.strictEqual(edited.status, 200)

        const answers = new Map<string, Answer>()
        const moved = new Set<string>()
        const carryOut = async (first: Server, command: Command): Promise<void> => {
          let server = first
          for (let tries = 0; tries < 600; tries++) {
            try {
              const answer = await send(server.url, token, command)
              if (answer.status !== 409 && answer.status !== 504 && answer.status !== 503) {
                answers.set(command.key, answer)
                if (answers.size === 25) victim.child.kill("SIGKILL")
                return
              }
              await wait()
            } catch {
              moved.add(command.key)
              server = survivor
            }
          }
          throw new Error(`${command.key} found no end`)
        }
        const client = async (index: number) => {
          const card = Object.values(cards)[index % 3]!
          for (const [turn, command] of commandsOf(`${index}`, card).entries()) {
            await carryOut((index + turn) % 2 === 0 ? victim : survivor, command)
          }
        }
        yield* Effect.promise(() => Promise.all(Array.from({ length: 8 }, (_, index) => client(index))))
        assert.isAbove(moved.size, 0)

        for (const [key, { status, text }] of answers) {
          const isRefused = key.startsWith("retry") && text.includes("that is captured cannot be retried")
          assert.strictEqual(status, isRefused ? 400 : 200, `${key}: ${text}`)
        }
        yield* Effect.gen(function* () {
          // The survivor's leases on what the victim held end by the real clock.
          let state = yield* read
          for (let looks = 0; looks < 600 && !state.isOver; looks++) {
            yield* Effect.promise(wait)
            state = yield* read
          }
          assert.isTrue(state.isOver)
          assert.lengthOf(state.books.transactions, 24)
          assertBalanced(state.books)
          const bodies = new Map<number, string>()
          for (const { body } of yield* Queue.takeAll(received)) {
            const { webhookId } = JSON.parse(body) as { webhookId: number }
            assert.strictEqual(bodies.get(webhookId) ?? body, body)
            bodies.set(webhookId, body)
          }
          assert.sameMembers(
            [...bodies.keys()],
            state.books.deliveries.map(({ webhook_id }) => webhook_id)
          )
          for (const [key, answer] of answers) {
            const command = Array.from({ length: 8 }, (_, index) =>
              commandsOf(`${index}`, Object.values(cards)[index % 3]!)
            )
              .flat()
              .find((one) => one.key === key)
            if (answer.status !== 200) continue
            const again = yield* Effect.promise(() => send(survivor.url, token, command!))
            assert.strictEqual(again.text, answer.text, key)
          }
        }).pipe(Effect.provide(postgres({ url: Redacted.make(database), maxConnections: 2 })))
      }),
    // Two programs start; each takes seconds on a busy machine.
    90_000
  )
})
