import { assert, describe, it } from "@effect/vitest"
import { layer, Sandbox } from "@parcela/sandbox/Sandbox"
import type { SandboxOptions } from "@parcela/sandbox/SandboxOptions"
import * as NodeSqliteClient from "@parcela/store-sql/sqlite/NodeSqliteClient"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { mkdirSync, rmSync, statSync, writeFileSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import {
  byCard,
  call,
  cards,
  onSandbox,
  payment,
  request,
  temporaryFile,
  temporaryFolder,
  token
} from "./fixtures/Service.ts"

/** What a sandbox fails to start with. */
const startError = (options: Partial<SandboxOptions>) =>
  Effect.flip(Effect.scoped(Layer.build(layer({ port: 0, ...options }))))

/** Starts a sandbox on a file and stops it again. */
const startAndStop = (database: string) => Effect.void.pipe(onSandbox({ database }))

describe("a sandbox", () => {
  it.effect("on port 0 takes a free one, answers and has a company ready", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d{2,5}$/)
      assert.strictEqual((yield* call("GET", "/health")).status, 200)
      const created = yield* call("POST", "/v2/subscriptions/manual", {
        token: yield* token,
        body: byCard(cards.captured)
      })
      assert.strictEqual(created.status, 200)
    }).pipe(onSandbox())
  )

  it.effect("beside another one shares nothing with it", () =>
    Effect.gen(function* () {
      const first = yield* token
      const second = yield* call("GET", "/v2/transactions?startAt=0&limit=1", { token: first }).pipe(onSandbox())
      assert.strictEqual(second.status, 401)
    }).pipe(onSandbox())
  )

  it.effect("started again on its file keeps everything: rows, tokens, credentials, webhook keys", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      const before = yield* Effect.gen(function* () {
        const bearer = yield* token
        yield* call("POST", "/v2/subscriptions/manual", { token: bearer, body: byCard(cards.deniedAtFirst) })
        yield* call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: payment("p") })
        const made = yield* call("POST", "/sandbox/companies", { body: { clientId: "b", clientSecret: "s" } })
        const hooks = { url: "http://127.0.0.1:9/", events: [] }
        const edited = yield* call("PUT", "/v2/webhooks", { token: bearer, body: hooks })
        const listed = yield* call("GET", "/v2/subscriptions?startAt=0&limit=10", { token: bearer })
        return { bearer, made: made.json, confirmHash: edited.json.confirmHash, listed: listed.text }
      }).pipe(onSandbox({ database }))

      yield* Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const listed = yield* call("GET", "/v2/subscriptions?startAt=0&limit=10", { token: before.bearer })
        assert.strictEqual(listed.text, before.listed)
        assert.strictEqual(Redacted.value(sandbox.confirmHash), before.confirmHash)
        const found = yield* call("GET", "/sandbox/companies/b")
        const { clientSecret: _, ...keys } = before.made
        assert.deepStrictEqual(found.json, keys)
        const retried = yield* call("PUT", "/v2/transactions/p/myId/retry", { token: yield* token })
        assert.strictEqual(retried.json.Transaction.status, "captured")
      }).pipe(onSandbox({ database }))
    })
  )

  it.effect("in memory writes no file", () =>
    Effect.gen(function* () {
      const before = readdirSync(".")
      yield* token
      assert.deepStrictEqual(readdirSync("."), before)
    }).pipe(onSandbox())
  )

  it.effect("takes no more connections when it is closed, and gives its port back", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(layer({ port: 0, database: ":memory:" }), scope)
      const { url } = yield* Effect.provide(Sandbox, context)
      yield* Effect.promise(() => request("GET", `${url}/health`))
      yield* Scope.close(scope, Exit.void)
      const refused = yield* Effect.exit(Effect.tryPromise(() => request("GET", `${url}/health`)))
      assert.isTrue(Exit.isFailure(refused))
      const port = Number(new URL(url).port)
      assert.strictEqual((yield* call("GET", "/health").pipe(onSandbox({ port }))).status, 200)
    })
  )
})

describe("a public address", () => {
  it.effect("of the longest length leaves room for every link, also under the largest identifier", () =>
    Effect.gen(function* () {
      const publicUrl = `https://example.com/${"a".repeat(160)}`
      yield* Effect.gen(function* () {
        const bearer = yield* token
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO sequences (name, value) VALUES ('transaction', 99999999990)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value`
        for (const method of ["boleto", "pix"]) {
          const { PaymentMethodCreditCard: _, ...body } = byCard(cards.captured, method)
          const created = yield* call("POST", "/v2/subscriptions/manual", {
            token: bearer,
            body: { ...body, mainPaymentMethodId: method }
          })
          assert.strictEqual(created.status, 200, created.text)
          const added = yield* call("POST", `/v2/transactions/${method}/myId/add`, {
            token: bearer,
            body: payment(`${method}-1`)
          })
          assert.strictEqual(added.status, 200, added.text)
          const { Boleto, Pix, svcPayId } = added.json.Transaction
          assert.isAbove(svcPayId, 99999999990)
          const links: ReadonlyArray<string> = method === "boleto" ? [Boleto.pdf] : [Pix.image, Pix.page]
          for (const link of links) {
            assert.isTrue(link.startsWith(`${publicUrl}/documents/`), link)
            assert.isAtMost(link.length, 255)
          }
        }
        assert.strictEqual(
          (yield* call("GET", "/v2/transactions?startAt=0&limit=10", { token: bearer })).json.Transactions.length,
          2
        )
      }).pipe(onSandbox({ publicUrl }))
    })
  )

  it.effect("that no link could be made of stops the start", () =>
    Effect.gen(function* () {
      for (const publicUrl of ["javascript:alert(1)//", `https://example.com/${"a".repeat(161)}`]) {
        const error = yield* startError({ database: ":memory:", publicUrl })
        assert.strictEqual(error._tag, "SchemaError")
      }
    })
  )
})

describe("the master key", () => {
  it.effect("lies beside the database, is made once, and only its owner may read it", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      yield* startAndStop(database)
      const key = readFileSync(`${database}.key`, "utf8")
      assert.match(key, /^[0-9a-f]{64}\n$/)
      assert.strictEqual(statSync(`${database}.key`).mode & 0o777, 0o600)
      yield* startAndStop(database)
      assert.strictEqual(readFileSync(`${database}.key`, "utf8"), key)
      const names = readdirSync(database.replace(/[^/]+$/, "")).sort()
      assert.deepStrictEqual(
        names.filter((name) => !/-(wal|shm)$/.test(name)),
        ["sandbox.db", "sandbox.db.key"]
      )
    })
  )

  it.effect("that is gone or damaged stops the start with an error that says what to do, and is not replaced", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      yield* startAndStop(database)
      const key = readFileSync(`${database}.key`, "utf8")
      for (const damaged of ["", "nonsense", key.slice(2), `${key}00`, key.replace(/./, "g"), "\u0000".repeat(64)]) {
        writeFileSync(`${database}.key`, damaged)
        const error = yield* startError({ database })
        assert.strictEqual(error._tag, "MasterKeyUnreadable")
        assert.include(error.message, `${database}.key`)
        assert.isFalse(damaged.length > 8 && error.message.includes(damaged.trim()), "a key is shown to nobody")
        assert.strictEqual(readFileSync(`${database}.key`, "utf8"), damaged)
      }
      rmSync(`${database}.key`)
      const error = yield* startError({ database })
      assert.strictEqual(error._tag, "MasterKeyMissing")
      assert.include(error.message, `${database}.key`)
      writeFileSync(`${database}.key`, key)
      yield* startAndStop(database)
    })
  )

  it.effect("is one when two sandboxes start on a new file at once", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      yield* Effect.all([startAndStop(database), startAndStop(database)], { concurrency: "unbounded" })
      yield* startAndStop(database)
      yield* token.pipe(onSandbox({ database }))
    })
  )
})

describe("a start that cannot be", () => {
  it.effect("on a port that is taken is a ServeError, and leaves the database usable", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      const blocker = createServer()
      const port = yield* Effect.callback<number>((resume) => {
        blocker.listen(0, "127.0.0.1", () => resume(Effect.succeed((blocker.address() as { port: number }).port)))
      })
      const error = yield* startError({ database, port })
      assert.strictEqual(error._tag, "ServeError")
      assert.include(String((error as { cause?: unknown }).cause), "EADDRINUSE")
      yield* Effect.callback<void>((resume) => void blocker.close(() => resume(Effect.void)))
      yield* startAndStop(database)
    })
  )

  it.effect("on a database of a newer version is a DatabaseIsNewer, and changes nothing", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      yield* startAndStop(database)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tables = yield* sql<{ name: string }>`SELECT name FROM sqlite_master WHERE name LIKE '%migrations%'`
        yield* sql`INSERT INTO ${sql(tables[0]!.name)} (migration_id, name) VALUES (9999, 'from_the_future')`
      }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: database }), { local: true }))
      const error = yield* startError({ database })
      assert.strictEqual(error._tag, "DatabaseIsNewer")
    })
  )

  it.effect("on a folder, or on a file that is no database, is a SqlError that names it", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      mkdirSync(`${folder}/folder`)
      writeFileSync(`${folder}/text`, "this is not a database, and long enough to be looked at".repeat(100))
      for (const name of ["folder", "text"]) {
        const error = yield* startError({ database: `${folder}/${name}` })
        assert.strictEqual(error._tag, "SqlError")
        assert.include(error.message, `${folder}/${name}`)
      }
    })
  )
})
