/** Two servers on one PostgreSQL database, of which one is killed. */
import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Queue } from "effect"
import { ofPostgres, readBooks, untilOver } from "./fixtures/BookReader.ts"
import { assertBalanced, assertDelivered } from "./fixtures/Books.ts"
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
import { type Answer, receiver, request, tokenAt } from "@parcela/test-world/Server"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"

describe("two servers on one PostgreSQL database", () => {
  it.effect(
    "lose and duplicate nothing when one is killed under load and the other takes over",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const database = yield* newDatabase
        const { received, url: hooks } = yield* receiver
        // At once, as a supervisor starts them: both find an empty database and no key.
        const [victim, survivor] = yield* Effect.all(
          [startServer({ folder, database, seed: 7 }), startServer({ folder, database, seed: 8 })],
          { concurrency: 2 }
        )
        // A token of one process is good at the other.
        const token = yield* Effect.promise(() => tokenAt(victim.url, "sandbox", "sandbox-secret"))
        const events = ["transaction.updateStatus", "subscription.addTransaction"]
        const edited = yield* Effect.promise(() =>
          request("PUT", `${survivor.url}/v2/webhooks`, { token, body: { url: hooks, events } })
        )
        assert.strictEqual(edited.status, 200)

        const answers = new Map<Command, Answer>()
        const moved = new Set<Command>()
        const carryOut = async (first: Server, command: Command): Promise<void> => {
          let server = first
          for (let attempts = 0; attempts < 600; attempts++) {
            try {
              const answer = await send(server.url, token, command)
              if (!isToBeRepeated(answer)) {
                answers.set(command, answer)
                if (answers.size === 25) victim.child.kill("SIGKILL")
                return
              }
              await moment()
            } catch {
              moved.add(command)
              server = survivor
            }
          }
          throw new Error(`${keyOf(command)} found no end`)
        }
        const client = async (index: number) => {
          for (const [turn, command] of commandsOf(`${index}`, index).entries()) {
            await carryOut((index + turn) % 2 === 0 ? victim : survivor, command)
          }
        }
        yield* Effect.promise(() => Promise.all(Array.from({ length: 8 }, (_, index) => client(index))))
        assert.isAbove(moved.size, 0)

        for (const [command, answer] of answers) {
          assert.strictEqual(answer.status, isRefused(command, answer) ? 400 : 200, `${keyOf(command)}: ${answer.text}`)
        }
        // The survivor waits for the leases of what the victim held, by the real clock.
        const query = yield* ofPostgres(database)
        yield* untilOver(query)
        const books = yield* readBooks(database, query)
        assert.lengthOf(books.transactions, 24)
        assertBalanced(books)
        assertDelivered(books, yield* Queue.takeAll(received))
        for (const [command, answer] of answers) {
          if (answer.status !== 200 || !isFinal(command, answer)) continue
          const again = yield* Effect.promise(() => repeat(survivor.url, token, command))
          assert.strictEqual(again.text, answer.text, keyOf(command))
        }
      }),
    // Two programs start; each takes seconds on a busy machine.
    90_000
  )
})
