/** A server whose connections to PostgreSQL are ended under it. */
import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect } from "effect"
import { ofPostgres, readBooks, untilOver } from "./fixtures/BookReader.ts"
import { assertBalanced } from "./fixtures/Books.ts"
import { type Command, commandsOf, isFinal, isRefused, keyOf, moment, repeat, send } from "./fixtures/Commands.ts"
import { startServer } from "./fixtures/Servers.ts"
import { type Answer, receiver, request, tokenAt } from "@parcela/test-world/Server"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"

/** Ends every connection to the database but the one that asks; returns how many there were. */
const terminate = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'parcela' AND pid <> pg_backend_pid()
`

/** Longer than any statement or lease takes: what has no response by then hangs. */
const patience = 20_000

const inTime = (command: Command, response: Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${keyOf(command)} hangs`)), patience)
  })
  return Promise.race([response, late]).finally(() => clearTimeout(timer))
}

describe("a server that repeatedly loses its connections to PostgreSQL", () => {
  it.effect(
    "responds to every request, never with a false success, and continues without a restart",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const database = yield* newDatabase
        const query = yield* ofPostgres(database)
        const { url: hooks } = yield* receiver
        const { url } = yield* startServer({ folder, database })
        const token = yield* Effect.promise(() => tokenAt(url, "sandbox", "sandbox-secret"))
        const events = ["transaction.updateStatus", "subscription.addTransaction"]
        yield* Effect.promise(() => request("PUT", `${url}/v2/webhooks`, { token, body: { url: hooks, events } }))

        const failures: Array<Answer> = []
        const decided = new Map<Command, Answer>()
        const carryOut = async (command: Command) => {
          for (let attempts = 0; attempts < 400; attempts++) {
            const answer = await inTime(command, send(url, token, command))
            if (answer.status < 500) return void decided.set(command, answer)
            failures.push(answer)
            await moment()
          }
          throw new Error(`${keyOf(command)} was never decided`)
        }
        let terminated = 0
        let ticks = 0
        // How many connections there are in a turn, and how much is over after twelve, is the machine's affair.
        const isEnough = () => ticks >= 12 && terminated > 12 && failures.some(({ status }) => status === 503)
        const client = async (index: number) => {
          for (let tick = 0; !isEnough(); tick++) {
            for (const command of commandsOf(`${index}.${tick}`, index)) await carryOut(command)
          }
        }
        const state = { isOver: false }
        const load = Promise.all(Array.from({ length: 8 }, (_, index) => client(index))).finally(() => {
          state.isOver = true
        })
        while (!isEnough() && !state.isOver) {
          terminated += (yield* query(terminate)).length
          ticks++
          yield* Effect.promise(moment)
        }
        yield* Effect.promise(() => load)
        for (const { headers, status, text } of failures) {
          // A COMMIT that was under way has an unknown outcome, which is no 503: that says that nothing was changed.
          assert.include([500, 503, 504], status, text)
          assert.isString(JSON.parse(text).error.message, text)
          if (status === 503) assert.isNotNull(headers.get("retry-after"))
        }

        // What was a success is one: it is stored, and the same under its key.
        for (const [command, answer] of decided) {
          assert.strictEqual(answer.status, isRefused(command, answer) ? 400 : 200, `${keyOf(command)}: ${answer.text}`)
          if (answer.status !== 200 || !isFinal(command, answer)) continue
          const again = yield* Effect.promise(() => repeat(url, token, command))
          assert.strictEqual(again.text, answer.text, keyOf(command))
        }
        yield* untilOver(query)
        const books = yield* readBooks(database, query)
        assert.lengthOf(books.transactions, [...decided.keys()].filter(({ kind }) => kind === "payment").length)
        assertBalanced(books)
      }),
    60_000
  )
})
