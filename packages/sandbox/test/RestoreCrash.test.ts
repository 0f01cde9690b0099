import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { layer, Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect, Redacted, type Scope } from "effect"
import { join } from "node:path"
import { type ServerOptions, startServer } from "./fixtures/Servers.ts"
import { byCard, cards, payment, request, temporaryFolder, tokenAt } from "./fixtures/Service.ts"

const of = "/sandbox/companies/sandbox"

/** The payments that the service has, and those that its card operator was asked for. */
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

/** Asks for a restore, and kills the server so many milliseconds later. What it had by the snapshot, and before it was killed. */
const killed = (server: ServerOptions, after: number) =>
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
        const asked = request("POST", `${url}${of}/snapshots/base/restore`).catch(() => undefined)
        await new Promise((resolve) => setTimeout(resolve, after))
        child.kill("SIGKILL")
        await Promise.all([asked, ended])
        return { base, before }
      })
    })
  )

/** What a sandbox in this process finds at its start. */
const found = ({ database, folder }: ServerOptions) =>
  Effect.flatMap(Sandbox, ({ url }) => Effect.promise(() => booksAt(url))).pipe(
    Effect.provide(
      layer({
        port: 0,
        database: database.startsWith("postgres") ? Redacted.make(database) : database,
        keyFile: join(folder, "key/master.key")
      }),
      { local: true }
    )
  )

const stores: Readonly<Record<string, (folder: string) => Effect.Effect<string, unknown, Scope.Scope>>> = {
  SQLite: (folder) => Effect.succeed(join(folder, "sandbox.db")),
  PostgreSQL: () => newDatabase
}

describe.each(Object.entries(stores))("a restore that kill -9 cuts off (%s)", (_, store) => {
  it.live(
    "is done whole or not at all, at the providers too",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const server = { folder, database: yield* store(folder) }
        const { base, before } = yield* killed(server, 8)
        assert.notDeepEqual(base, before)
        const after = yield* found(server)
        assert.deepStrictEqual(after.payments, after.charges)
        assert.include([JSON.stringify(base), JSON.stringify(before)], JSON.stringify(after))
      }),
    60_000
  )
})
