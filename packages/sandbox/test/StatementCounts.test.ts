/**
 * Statements and commits of each operation, with its idempotency key and stored response. The simulated providers have a
 * separate store, which is not counted. This test writes the page in the documentation.
 */
import { assert, describe, it } from "@effect/vitest"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import type { SandboxOptions } from "@parcela/sandbox/SandboxOptions"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Queue, Redacted } from "effect"
import { join } from "node:path"
import { expect } from "vitest"
import { byCard, cards, payment } from "@parcela/test-world/Samples"
import { call, onServer, receiver, token, tokenAt } from "@parcela/test-world/Server"
import { temporaryFile, temporaryFolder } from "@parcela/test-world/TemporaryFile"
import { postgresCounter } from "./fixtures/PostgresCounter.ts"
import { sqliteCounter } from "./fixtures/SqliteCounter.ts"
import type { Counts, StatementCounter } from "./fixtures/StatementCounts.ts"

const later = "2026-12-01"

const by = (mainPaymentMethodId: "boleto" | "pix") => ({
  myId: mainPaymentMethodId,
  mainPaymentMethodId,
  Customer: { myId: "ana", name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] }
})

const counted = Effect.fnUntraced(function* (counter: StatementCounter, options: Partial<SandboxOptions>) {
  const rows: Array<readonly [operation: string, Counts]> = []

  yield* Effect.gen(function* () {
    const { clientId, clientSecret, url } = yield* Sandbox
    let bearer = ""
    const count = Effect.fnUntraced(function* <A, E, R>(operation: string, effect: Effect.Effect<A, E, R>) {
      // A token is looked up every few seconds, so each operation has one that just was.
      bearer = yield* token
      yield* sent("GET", "/card-brands")
      yield* counter.settled
      yield* counter.reset
      const result = yield* effect
      yield* counter.settled
      rows.push([operation, yield* counter.counts])
      return result
    })
    const sent = Effect.fnUntraced(function* (method: string, path: string, body?: unknown, key?: string) {
      const headers = key === undefined ? {} : { "idempotency-key": key }
      const answer = yield* call(method, `/v2${path}`, {
        token: bearer,
        headers,
        ...(body === undefined ? {} : { body })
      })
      assert.strictEqual(answer.status, 200, answer.text)
      return answer
    })
    const add = (subscription: string, myId: string, payday?: string, key?: string) =>
      sent("POST", `/transactions/${subscription}/myId/add`, payment(myId, payday), key)
    const retry = (myId: string, key?: string) => sent("PUT", `/transactions/${myId}/myId/retry`, undefined, key)

    bearer = yield* token
    // What is prepared or cached once is so before anything is counted.
    yield* sent("POST", "/subscriptions/manual", byCard(cards.captured, "warm"))
    yield* add("warm", "warm")
    yield* sent("GET", "/transactions?startAt=0&limit=1&myIds=warm")

    yield* count(
      "`POST /token`",
      Effect.promise(() => tokenAt(url, clientId, Redacted.value(clientSecret)))
    )
    yield* count("`POST /subscriptions/manual`, card", sent("POST", "/subscriptions/manual", byCard(cards.captured)))
    yield* count("the same, Pix", sent("POST", "/subscriptions/manual", by("pix")))
    yield* count(
      "the same, boleto, with `Idempotency-Key`",
      sent("POST", "/subscriptions/manual", by("boleto"), "create")
    )
    yield* count("the same, repeated", sent("POST", "/subscriptions/manual", by("boleto"), "create"))
    const monthly = { value: 1990, quantity: 12, periodicity: "monthly", firstPayDayDate: later }
    yield* count(
      "`POST /subscriptions`, card, 12 instalments, later date",
      sent("POST", "/subscriptions", { ...byCard(cards.captured, "monthly"), ...monthly })
    )
    yield* count("`POST /transactions/../add`, card, later date", add("sub", "later", later))
    yield* count("the same with `Idempotency-Key`", add("sub", "later key", later, "later"))
    yield* count("`POST /transactions/../add`, card, today: charged", add("sub", "today"))
    yield* count("the same with `Idempotency-Key`", add("sub", "today key", undefined, "today"))
    yield* count("the same, repeated", add("sub", "today key", undefined, "today"))
    yield* count("`POST /transactions/../add`, boleto", add("boleto", "boleto"))
    yield* count("`POST /transactions/../add`, Pix", add("pix", "pix"))

    yield* sent("POST", "/subscriptions/manual", byCard(cards.denied, "denied"))
    yield* add("denied", "denied")
    yield* count("`PUT /transactions/../retry`, denied again", retry("denied"))
    yield* count("the same with `Idempotency-Key`", retry("denied", "retry"))

    yield* count("`PUT /transactions/../reverse`", sent("PUT", "/transactions/today/myId/reverse"))
    yield* count("`DELETE /transactions/..`, boleto: withdrawn", sent("DELETE", "/transactions/boleto/myId"))
    yield* count("`DELETE /transactions/..`, card, later date", sent("DELETE", "/transactions/later%20key/myId"))

    const many = Array.from({ length: 100 }, (_, index) => `many ${index}`)
    yield* Effect.forEach(many, (myId) => add("sub", myId, later), { discard: true })
    yield* count("`GET /transactions`, one by `myIds`", sent("GET", "/transactions?startAt=0&limit=1&myIds=later"))
    yield* count("`GET /transactions`, 100", sent("GET", "/transactions?startAt=0&limit=100"))
    yield* count(
      "`GET /transactions`, 100 by status and payday",
      sent("GET", `/transactions?startAt=0&limit=100&status=notSend&payDayFrom=${later}`)
    )
    yield* count("`GET /subscriptions`, all with their payments", sent("GET", "/subscriptions?startAt=0&limit=100"))
    yield* count(
      "`GET /subscriptions`, by status and creation, in the order of their change",
      sent("GET", "/subscriptions?startAt=0&limit=100&status=active&createdAtFrom=2026-01-01&order=updatedAt.desc")
    )

    const { received, url: receiverUrl } = yield* receiver
    yield* count(
      "`PUT /webhooks`",
      sent("PUT", "/webhooks", { url: receiverUrl, events: ["subscription.addTransaction"] })
    )
    yield* count("`GET /webhooks`", sent("GET", "/webhooks"))
    yield* count("`GET /card-brands`", sent("GET", "/card-brands"))
    yield* count(
      "`POST /transactions/../add`, card, later date, and its delivery",
      Effect.gen(function* () {
        yield* add("sub", "delivered", later)
        yield* Queue.take(received)
      })
    )
  }).pipe(onServer(options))
  return rows
})

const sum = ({ controls, reads, writes }: Counts) => reads + writes + controls

type Rows = ReadonlyArray<readonly [string, Counts]>

const cells = ({ controls, reads, writes }: Counts) => `${reads} + ${writes} + ${controls}`

const pageOf = (sqlite: Rows, postgres: Rows) => `# Statements and commits

The statements and commits of each operation, with idempotency key and stored response. The token is cached, and the store of the simulated providers is not counted.
*Statements* are reads + writes + control (\`BEGIN\`, \`COMMIT\`, savepoints). A commit is one flush to disk. In a round trip the request waits for PostgreSQL.
\`npx vitest run test/StatementCounts.test.ts -u\` in \`packages/sandbox\` writes this page; without \`-u\` it fails when a number differs.

|Operation|SQLite statements|Commits|PostgreSQL statements|Commits|Round trips|
|---|---|---|---|---|---|
${sqlite
  .map(([operation, onSqlite], row) => {
    const [, onPostgres] = postgres[row]!
    return `|${operation}|${cells(onSqlite)}|${onSqlite.commits}|${cells(onPostgres)}|${onPostgres.commits}|${onPostgres.roundTrips}|`
  })
  .join("\n")}
`

const onSqlite = Effect.gen(function* () {
  const counter = yield* sqliteCounter
  return yield* counted(counter, { database: yield* temporaryFile })
}).pipe(Effect.scoped)

const onPostgres = Effect.gen(function* () {
  const database = yield* newDatabase
  const counter = yield* postgresCounter(Number(new URL(database).port))
  return yield* counted(counter, { database, keyFile: join(yield* temporaryFolder, "master.key") })
}).pipe(Effect.scoped)

/** The maximum cost of an operation, by the beginning of its name. */
const limits: ReadonlyArray<readonly [begins: RegExp, statements: number, commits: number]> = [
  [/^`POST \/transactions\/..\/add`, (card|boleto|Pix)/, 18, 3],
  [/^`PUT \/transactions\/..\/retry`/, 17, 3],
  [/^`GET /, 4, 0]
]

const withinLimits = (rows: Rows) => {
  for (const [begins, statements, commits] of limits) {
    const own = rows.filter(([operation]) => begins.test(operation) && !operation.endsWith("and its delivery"))
    assert.isNotEmpty(own)
    for (const [operation, counts] of own) {
      assert.isAtMost(sum(counts), statements, operation)
      assert.isAtMost(counts.commits, commits, operation)
    }
  }
}

describe("statements and commits", () => {
  it.effect(
    "of each operation match the documentation, on both databases",
    () =>
      Effect.gen(function* () {
        const sqlite = yield* onSqlite
        const postgres = yield* onPostgres
        withinLimits(sqlite)
        withinLimits(postgres)
        const page = pageOf(sqlite, postgres)
        yield* Effect.promise(() => expect(page).toMatchFileSnapshot("./StatementCounts.md"))
      }),
    // Hundreds of requests on each database.
    120_000
  )
})
