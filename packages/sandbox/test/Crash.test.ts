import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Queue } from "effect"
import { join } from "node:path"
import { inject } from "vitest"
import { ofFile, ofPostgres, type Query, readBooks, untilOver } from "./fixtures/BookReader.ts"
import { assertBalanced, assertDelivered } from "./fixtures/Books.ts"
import { chanceOf } from "./fixtures/Chance.ts"
import { type Command, commandsOf, isFinal, isRefused, keyOf, repeat } from "./fixtures/Commands.ts"
import { type ServerOptions, startServer } from "./fixtures/Servers.ts"
import { type Answer, receiver, request, tokenAt } from "@parcela/test-world/Server"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"

interface Round {
  readonly acknowledged: Array<{ readonly command: Command; readonly answer: Answer }>
  readonly unanswered: Array<Command>
}

const prove = inject("prove")

/** Clients at once: in the long run as many as share a commit. */
const clients = prove.long ? 64 : 8

/** The time of a kill: milliseconds after a number of responses. */
interface Moment {
  readonly responses: number
  readonly after: number
}

/** All clients at once, and SIGKILL at a moment: each client is left with the request that it then had. */
const round = Effect.fnUntraced(function* (number: number, server: ServerOptions, hooks: string, kill: Moment) {
  const { child, ended, url } = yield* startServer({ ...server, seed: number })
  const done: Round = { acknowledged: [], unanswered: [] }
  yield* Effect.promise(async () => {
    const token = await tokenAt(url, "sandbox", "sandbox-secret")
    const events = ["transaction.updateStatus", "subscription.addTransaction"]
    await request("PUT", `${url}/v2/webhooks`, { token, body: { url: hooks, events } })
    // Each continues until a request has no response: on a busy machine all open requests may have unread responses at the kill.
    const client = async (index: number) => {
      for (let tick = 0; ; tick++) {
        for (const command of commandsOf(`${number}.${index}.${tick}`, index)) {
          try {
            // An undecided command is repeated before commands that depend on it: no retry without its payment.
            done.acknowledged.push({ command, answer: await repeat(url, token, command) })
          } catch {
            done.unanswered.push(command)
            return
          }
          if (done.acknowledged.length === kill.responses) setTimeout(() => child.kill("SIGKILL"), kill.after)
        }
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
    await ended
  })
  return done
}, Effect.scoped)

interface Location {
  readonly database: string
  readonly query: Query
  /** True if leases of the killed process are valid when the next one starts. A SQLite file has only one process. */
  readonly leasesRunOut: boolean
}

const onFile = (folder: string) => {
  const database = join(folder, "sandbox.db")
  return Effect.succeed<Location>({ database, query: ofFile(database), leasesRunOut: false })
}

const onPostgres = () =>
  Effect.gen(function* () {
    const database = yield* newDatabase
    const location: Location = { database, query: yield* ofPostgres(database), leasesRunOut: true }
    return location
  })

/** The possible final states of a payment. */
const endings = { creditcard: ["captured", "denied"], boleto: ["pendingBoleto"], pix: ["pendingPix"] }

const rounds = prove.long ? (prove.count ?? 100) : 1
const locations = [
  { name: "SQLite", location: onFile },
  { name: "PostgreSQL", location: onPostgres }
]

describe.each(prove.long ? locations : locations.slice(0, 1))(
  `a sandbox on $name that is killed at any moment (${rounds})`,
  ({ name, location }) => {
    it.effect(
      "retains every acknowledged write, charges and registers every attempt once, and delivers every event",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const { database, leasesRunOut, query } = yield* location(folder)
          const { received, url: hooks } = yield* receiver
          const chance = chanceOf(20_260_921)
          const done: Array<Round> = []
          for (let number = 1; number <= rounds; number++) {
            const kill = { responses: 5 + chance(40), after: chance(20) }
            done.push(yield* round(number, { folder, database }, hooks, kill))
            if (prove.long && number % 5 === 0) console.log(`${name}: ${number} of ${rounds} kills`)
          }
          const acknowledged = done.flatMap((one) => one.acknowledged)
          const unanswered = done.flatMap((one) => one.unanswered)
          assert.isAbove(acknowledged.length, 12 * rounds)
          assert.lengthOf(unanswered, clients * rounds)

          // A last start, with providers that behave: what the kills cut off is resolved before it listens.
          const { child, ended, url } = yield* startServer({ folder, database })
          const isOpen = ({ settled_at }: { readonly settled_at: number | null }) => settled_at === null
          if (!leasesRunOut) assert.deepStrictEqual((yield* readBooks(database, query)).attempts.filter(isOpen), [])
          const token = yield* Effect.promise(() => tokenAt(url, "sandbox", "sandbox-secret"))
          const again = yield* Effect.promise(() =>
            Promise.all(unanswered.map((command) => repeat(url, token, command)))
          )
          const repeated = unanswered.map((command, index) => ({ command, answer: again[index]! }))
          const made = [...acknowledged, ...repeated]
          for (const { answer, command } of made) {
            assert.strictEqual(
              answer.status,
              isRefused(command, answer) ? 400 : 200,
              `${keyOf(command)}: ${answer.text}`
            )
          }
          const successes = acknowledged.filter(
            ({ answer, command }) => answer.status === 200 && isFinal(command, answer)
          )
          yield* Effect.forEach(
            successes,
            ({ answer, command }) =>
              Effect.map(
                Effect.promise(() => repeat(url, token, command)),
                (same) => assert.strictEqual(same.text, answer.text, keyOf(command))
              ),
            { concurrency: 8, discard: true }
          )

          // Every delivery comes, those too that a killed worker had taken; a number always with the same body.
          yield* untilOver(query)
          child.kill("SIGTERM")
          yield* Effect.promise(() => ended)
          const books = yield* readBooks(database, query)
          assertDelivered(books, yield* Queue.takeAll(received))

          const madeOf = (kind: Command["kind"]) =>
            made.filter(({ answer, command }) => command.kind === kind && answer.status === 200)
          const namesOf = (kind: Command["kind"]) => madeOf(kind).map(({ command }) => command.myId)
          const subscriptions = yield* query("SELECT my_id FROM subscriptions")
          assert.includeMembers(
            subscriptions.map(({ my_id }) => my_id),
            namesOf("subscription")
          )
          assert.includeMembers(
            books.transactions.map(({ my_id }) => my_id),
            namesOf("payment")
          )

          const statusOf = new Map(books.transactions.map(({ data, my_id }) => [my_id, data.status]))
          for (const { answer, command } of [...madeOf("payment"), ...madeOf("retry")]) {
            const { status } = answer.json.Transaction
            // What was captured stays so; a denial or an open attempt may have been followed by a capture.
            const possible = status === "captured" ? ["captured"] : endings[command.paidBy]
            assert.include(possible, statusOf.get(command.myId), command.myId)
          }

          assertBalanced(books)
        }),
      // Several programs start one after the other; each takes seconds on a busy machine.
      prove.long ? 3_600_000 : 120_000
    )
  }
)
