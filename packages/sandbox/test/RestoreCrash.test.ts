import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { layer, Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect, Redacted } from "effect"
import { join } from "node:path"
import { inject } from "vitest"
import type { At } from "./fixtures/KillAt.ts"
import { type ServerOptions, startServer } from "./fixtures/Servers.ts"
import { byCard, byCode, cards, payment } from "@parcela/test-world/Samples"
import { request, tokenAt } from "@parcela/test-world/Server"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"

/** `npm test` has one kill of each kind on SQLite, `npm run prove -- processes` all. */
const { long } = inject("prove")

const of = "/sandbox/companies/sandbox"

/** The payments of the service, and those requested at its card operator. */
const booksAt = async (url: string) => {
  const token = await tokenAt(url, "sandbox", "sandbox-secret")
  const { Transactions } = (await request("GET", `${url}/v2/transactions?startAt=0&limit=100`, { token })).json
  const { entries } = (await request("GET", `${url}/sandbox/ledger?clientId=sandbox`)).json
  const sorted = (ids: ReadonlyArray<number>) => ids.toSorted((a, b) => a - b)
  return {
    payments: sorted(Transactions.map((one: { readonly svcPayId: number }) => one.svcPayId)),
    charges: sorted(
      entries
        .filter(({ call }: { readonly call: string }) => call === "charge")
        .map((one: { readonly transactionId: number }) => one.transactionId)
    )
  }
}

const add = async (url: string, myId: string) => {
  const token = await tokenAt(url, "sandbox", "sandbox-secret")
  const body = payment(myId)
  assert.strictEqual((await request("POST", `${url}/v2/transactions/card/myId/add`, { token, body })).status, 200)
}

/** Requests a restore, and kills the server after the given milliseconds unless it ends itself. */
const killed = (server: ServerOptions, after?: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { child, ended, url } = yield* startServer(server)
      return yield* Effect.promise(async () => {
        const token = await tokenAt(url, "sandbox", "sandbox-secret")
        await request("POST", `${url}/v2/subscriptions/manual`, { token, body: byCard(cards.captured, "card") })
        await add(url, "base")
        await request("POST", `${url}${of}/snapshots`, { body: { name: "base" } })
        const base = await booksAt(url)
        await add(url, "later")
        const before = await booksAt(url)
        const requested = request("POST", `${url}${of}/snapshots/base/restore`).catch(() => undefined)
        if (after !== undefined) {
          await new Promise((resolve) => setTimeout(resolve, after))
          child.kill("SIGKILL")
        }
        await Promise.all([requested, ended])
        return { base, before }
      })
    })
  )

/** Asks a sandbox in this process that starts on the same database. */
const onSame = <A>({ database, folder }: ServerOptions, ask: (url: string) => Promise<A>) =>
  Effect.flatMap(Sandbox, ({ url }) => Effect.promise(() => ask(url))).pipe(
    Effect.provide(
      layer({
        port: 0,
        database: database.startsWith("postgres") ? Redacted.make(database) : database,
        keyFile: join(folder, "key/master.key")
      }),
      { local: true }
    )
  )

describe.each(long ? ["PostgreSQL"] : [])("a restore that kill -9 interrupts (%s)", () => {
  it.live(
    "is complete or absent, also at the providers",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const server = { folder, database: yield* newDatabase }
        const { base, before } = yield* killed(server, 8)
        assert.notDeepEqual(base, before)
        const after = yield* onSame(server, booksAt)
        assert.deepStrictEqual(after.payments, after.charges)
        assert.include([JSON.stringify(base), JSON.stringify(before)], JSON.stringify(after))
      }),
    60_000
  )
})

const restored: ReadonlyArray<readonly [where: string, killAt: ReadonlyArray<At>]> = [
  [
    "once it is noted",
    [
      ["main", "INSERT INTO company_restores"],
      ["main", "DELETE FROM company_restores"]
    ]
  ],
  [
    "between the two commits",
    [
      ["simulators", "INSERT INTO company_restores"],
      ["main", "COMMIT"]
    ]
  ]
]

describe("a restore that kill -9 interrupts at a statement (SQLite)", () => {
  it.live.each(long ? restored : restored.slice(0, 1))(
    "is completed by the next start: %s",
    ([, killAt]) =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const server = { folder, database: join(folder, "sandbox.db") }
        const { base, before } = yield* killed({ ...server, killAt })
        assert.notDeepEqual(base, before)
        assert.deepStrictEqual(yield* onSame(server, booksAt), base)
      }),
    60_000
  )
})

/** Pays a Pix in a server that is killed during the payment. */
const paying = (server: ServerOptions) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { ended, url } = yield* startServer(server)
      yield* Effect.promise(async () => {
        const token = await tokenAt(url, "sandbox", "sandbox-secret")
        await request("POST", `${url}/v2/subscriptions/manual`, { token, body: byCode("pix") })
        const body = payment("p", "2099-12-01")
        assert.strictEqual((await request("POST", `${url}/v2/transactions/sub/myId/add`, { token, body })).status, 200)
        const answer = await request("POST", `${url}${of}/payments`, { body: { myId: "p" } }).catch(() => undefined)
        assert.isUndefined(answer, answer?.text)
        await ended
      })
    })
  )

/** Once what is due is done: the statuses of the payments, and how many of each were reported. */
const receivedAt = async (url: string) => {
  const advanced = await request("POST", `${url}${of}/clock/advance`, { body: { bySeconds: 60 } })
  assert.strictEqual(advanced.status, 200, advanced.text)
  const token = await tokenAt(url, "sandbox", "sandbox-secret")
  const { Transactions } = (await request("GET", `${url}/v2/transactions?startAt=0&limit=100`, { token })).json
  const { payments } = (await request("GET", `${url}${of}/payments/reported`)).json
  return [
    ...Transactions.map(({ status }: { readonly status: string }) => status),
    ...payments.map(({ standing }: { readonly standing: string }) => standing)
  ]
}

const reported: ReadonlyArray<readonly [where: string, killAt: ReadonlyArray<At>]> = [
  ["before it is kept", [["main", "INSERT INTO incoming_payments"]]],
  ["before it is acknowledged", [["simulators", "UPDATE payments SET acknowledged_at"]]]
]

describe("the report of a payment that kill -9 interrupts at a statement (SQLite)", () => {
  it.live.each(long ? reported : reported.slice(0, 1))(
    "is applied once: %s",
    ([, killAt]) =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const server = { folder, database: join(folder, "sandbox.db") }
        yield* paying({ ...server, killAt })
        assert.deepStrictEqual(yield* onSame(server, receivedAt), ["payedPix", "applied"])
      }),
    60_000
  )
})
