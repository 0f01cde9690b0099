import { assert, describe, it } from "@effect/vitest"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { layer, Sandbox } from "@parcela/sandbox/Sandbox"
import type { SandboxOptions } from "@parcela/sandbox/SandboxOptions"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { byCard, cards, payment } from "@parcela/test-world/Samples"
import { call, onServer, request, token } from "@parcela/test-world/Server"
import { temporaryFile, temporaryFolder } from "@parcela/test-world/TemporaryFile"

/** The error of a failed start. */
const startError = (options: Partial<SandboxOptions>) =>
  Effect.flip(Effect.scoped(Layer.build(layer({ port: 0, ...options }))))

/** Starts a sandbox on a file and stops it again. */
const startAndStop = (database: string) => Effect.void.pipe(onServer({ database }))

describe("a sandbox", () => {
  it.effect("listens on a free port for port 0, and has a default company", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d{2,5}$/)
      assert.strictEqual((yield* call("GET", "/health")).status, 200)
      const created = yield* call("POST", "/v2/subscriptions/manual", {
        token: yield* token,
        body: byCard(cards.captured)
      })
      assert.strictEqual(created.status, 200)
    }).pipe(onServer())
  )

  it.effect("shares no data with another sandbox", () =>
    Effect.gen(function* () {
      const first = yield* token
      const second = yield* call("GET", "/v2/transactions?startAt=0&limit=1", { token: first }).pipe(onServer())
      assert.strictEqual(second.status, 401)
    }).pipe(onServer())
  )

  it.effect("retains rows, tokens, credentials and webhook keys after a restart on its file", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      const before = yield* Effect.gen(function* () {
        const bearer = yield* token
        yield* call("POST", "/v2/subscriptions/manual", { token: bearer, body: byCard(cards.deniedAtFirst) })
        yield* call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: payment("p") })
        const made = yield* SandboxServer.companyOf({ clientId: "b", clientSecret: "s" })
        const hooks = { url: "http://127.0.0.1:9/", events: [] }
        const edited = yield* call("PUT", "/v2/webhooks", { token: bearer, body: hooks })
        const listed = yield* call("GET", "/v2/subscriptions?startAt=0&limit=10", { token: bearer })
        return { bearer, made, confirmHash: edited.json.confirmHash, listed: listed.text }
      }).pipe(onServer({ database }))

      yield* Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const listed = yield* call("GET", "/v2/subscriptions?startAt=0&limit=10", { token: before.bearer })
        assert.strictEqual(listed.text, before.listed)
        assert.strictEqual(Redacted.value(sandbox.confirmHash), before.confirmHash)
        const found = yield* (yield* SandboxServer.controls).companies.find("b")
        assert.strictEqual(found.companyId, before.made.companyId)
        assert.strictEqual(Redacted.value(found.confirmHash), Redacted.value(before.made.confirmHash))
        assert.strictEqual(Redacted.value(found.webhookSecret), Redacted.value(before.made.webhookSecret))
        const retried = yield* call("PUT", "/v2/transactions/p/myId/retry", { token: yield* token })
        assert.strictEqual(retried.json.Transaction.status, "captured")
      }).pipe(onServer({ database }))
    })
  )

  it.effect("in memory writes no file", () =>
    Effect.gen(function* () {
      const before = readdirSync(".")
      yield* token
      assert.deepStrictEqual(readdirSync("."), before)
    }).pipe(onServer())
  )

  it.effect("accepts no connections after it is closed, and releases its port", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(layer({ port: 0, database: ":memory:" }), scope)
      const { url } = yield* Effect.provide(Sandbox, context)
      yield* Effect.promise(() => request("GET", `${url}/health`))
      yield* Scope.close(scope, Exit.void)
      const refused = yield* Effect.exit(Effect.tryPromise(() => request("GET", `${url}/health`)))
      assert.isTrue(Exit.isFailure(refused))
      const port = Number(new URL(url).port)
      assert.strictEqual((yield* call("GET", "/health").pipe(onServer({ port }))).status, 200)
    })
  )
})

describe("a public address", () => {
  it.effect("of the maximum length leaves room for every link, also with the largest identifier", () =>
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
      }).pipe(onServer({ publicUrl }))
    })
  )

  it.effect("that is invalid for links prevents the start", () =>
    Effect.gen(function* () {
      for (const publicUrl of ["javascript:alert(1)//", `https://example.com/${"a".repeat(161)}`]) {
        const error = yield* startError({ database: ":memory:", publicUrl })
        assert.strictEqual(error._tag, "SchemaError")
      }
    })
  )
})

describe("the master key", () => {
  it.effect("is stored next to the database, created once, and readable by its owner only", () =>
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
        ["test.db", "test.db.key", "test.db.lock", "test.simulators.db", "test.simulators.db.lock"]
      )
    })
  )

  it.effect("that is missing or damaged prevents the start with a remedy, and is not replaced", () =>
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

  it.effect("of another database is refused, and neither is changed", () =>
    Effect.gen(function* () {
      const [database, other] = [yield* temporaryFile, yield* temporaryFile]
      yield* startAndStop(database)
      yield* startAndStop(other)
      const [key, otherKey] = [readFileSync(`${database}.key`), readFileSync(`${other}.key`)]
      writeFileSync(`${database}.key`, otherKey)
      const error = yield* startError({ database })
      assert.strictEqual(error._tag, "MasterKeyForeign")
      assert.include(error.message, `${database}.key is the key of another database`)
      assert.isTrue(readFileSync(`${database}.key`).equals(otherKey))
      writeFileSync(`${database}.key`, key)
      yield* token.pipe(onServer({ database }))
    })
  )

  it.effect("of a database without a recorded key is recorded once, and then required", () =>
    Effect.gen(function* () {
      const [database, other] = [yield* temporaryFile, yield* temporaryFile]
      yield* startAndStop(database)
      yield* startAndStop(other)
      const file = new DatabaseSync(database)
      file.exec("DELETE FROM master_key_tag")
      file.close()
      const key = readFileSync(`${database}.key`)
      rmSync(`${database}.key`)
      assert.strictEqual((yield* startError({ database }))._tag, "MasterKeyMissing")
      writeFileSync(`${database}.key`, key)
      yield* startAndStop(database)
      writeFileSync(`${database}.key`, readFileSync(`${other}.key`))
      assert.strictEqual((yield* startError({ database }))._tag, "MasterKeyForeign")
    })
  )

  it.effect("that others can read is restricted to its owner, with a warning", () => {
    const lines: Array<string> = []
    const logged = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    return Effect.gen(function* () {
      const database = yield* temporaryFile
      yield* startAndStop(database)
      chmodSync(`${database}.key`, 0o644)
      assert.deepStrictEqual(lines, [])
      yield* startAndStop(database)
      assert.strictEqual(statSync(`${database}.key`).mode & 0o777, 0o600)
      assert.lengthOf(lines, 1)
      assert.include(lines[0], `${database}.key could be read by others (mode 644)`)
    }).pipe(Effect.provide(logged))
  })

  it.effect("that is a folder prevents the start with an error that names it", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      mkdirSync(`${database}.key`)
      const error = yield* startError({ database })
      assert.strictEqual(error._tag, "MasterKeyUnreadable")
      assert.include(error.message, `${database}.key is a folder and no key`)
    })
  )
})

describe("a database file", () => {
  it.effect("is used by one sandbox at a time, and the other of two that start on a new one is refused by name", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      yield* Effect.gen(function* () {
        const error = yield* startError({ database })
        assert.strictEqual(error._tag, "SqlError")
        assert.include(error.message, `The database "${database}" is in use by another program`)
        yield* token
      }).pipe(onServer({ database }))
      const exits = yield* Effect.all(
        [Effect.exit(token.pipe(onServer({ database }))), Effect.exit(token.pipe(onServer({ database })))],
        { concurrency: "unbounded" }
      )
      assert.isTrue(exits.some(Exit.isSuccess))
      yield* token.pipe(onServer({ database }))
    })
  )

  it.effect("of another program is refused and left unchanged", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      const other = new DatabaseSync(database)
      other.exec("CREATE TABLE albums (id INTEGER)")
      other.close()
      const before = readFileSync(database)
      const error = yield* startError({ database })
      assert.include(error.message, "belongs to another program (its tables: albums)")
      assert.isTrue(readFileSync(database).equals(before))
      assert.isFalse(existsSync(`${database}.key`))
    })
  )

  it.effect("with damaged pages is refused before a request is accepted", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      yield* startAndStop(database)
      const pages = readFileSync(database)
      // The page of one table, whichever that is: the start reads only some of them.
      const file = new DatabaseSync(database, { readOnly: true })
      const root = Number(file.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'journal'").get()?.["rootpage"])
      const size = Number(file.prepare("PRAGMA page_size").get()?.["page_size"])
      file.close()
      pages.fill(0, (root - 1) * size, root * size)
      writeFileSync(database, pages)
      const error = yield* startError({ database })
      assert.include(error.message, `The database "${database}" is damaged`)
    })
  )

  it.effect("that is removed under a running sandbox causes a 503 for each write", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      yield* Effect.gen(function* () {
        const bearer = yield* token
        const body = byCard(cards.captured)
        assert.strictEqual((yield* call("POST", "/v2/subscriptions/manual", { token: bearer, body })).status, 200)
        for (const file of readdirSync(dirname(database))) rmSync(join(dirname(database), file))
        for (const myId of ["a", "b"]) {
          const refused = yield* call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: payment(myId) })
          assert.strictEqual(refused.status, 503, refused.text)
        }
      }).pipe(onServer({ database }))
    })
  )

  it.effect("whose disk is full causes a 503 until there is space, and retains acknowledged writes", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      yield* call("POST", "/v2/subscriptions/manual", { token: bearer, body: byCard(cards.captured) })
      const sql = yield* SqlClient.SqlClient
      const [used] = yield* sql<{ page_count: number }>`PRAGMA page_count`
      // SQLite fails then as it does when the disk has no page more.
      yield* sql.unsafe(`PRAGMA max_page_count = ${used!.page_count}`)
      const add = (myId: string) =>
        call("POST", "/v2/transactions/sub/myId/add", {
          token: bearer,
          body: { ...payment(myId, "2099-01-01"), additionalInfo: "x".repeat(900) }
        })
      let made = 0
      let last = yield* add("payment-0")
      while (last.status === 200 && made < 100) last = yield* add(`payment-${++made}`)
      assert.strictEqual(last.status, 503, last.text)
      assert.strictEqual(last.headers.get("retry-after"), "5")
      yield* sql.unsafe("PRAGMA max_page_count = 1000000")
      assert.strictEqual((yield* add(`payment-${made}`)).status, 200)
      const stored = yield* call("GET", "/v2/transactions?startAt=0&limit=100", { token: bearer })
      assert.lengthOf(stored.json.Transactions, made + 1)
    }).pipe(onServer())
  )
})

describe("a start that fails", () => {
  it.effect("on a used port is a ServeError, and leaves the database usable", () =>
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

  it.effect("on a folder, or on a file that is not a database, is a SqlError that names it", () =>
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
