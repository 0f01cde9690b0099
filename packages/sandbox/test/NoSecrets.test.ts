import { assert, describe, it } from "@effect/vitest"
import { layer, Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect, Layer, Logger, Queue, Redacted, References } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { byCard, cards, payment, start } from "@parcela/test-world/Samples"
import { call, receiver, token } from "@parcela/test-world/Server"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"

/** Everything that is logged, at every level, as every logger writes it. */
const logged: (lines: Array<string>) => Layer.Layer<never> = (lines) =>
  Layer.mergeAll(
    Logger.layer(
      [Logger.formatJson, Logger.formatLogFmt, Logger.formatStructured].map((logger) =>
        Logger.map(logger as Logger.Logger<unknown, unknown>, (line) => {
          lines.push(typeof line === "string" ? line : JSON.stringify(line))
        })
      )
    ),
    Layer.succeed(References.MinimumLogLevel, "All")
  )

/** The ways in which a text could lie in bytes. */
const tracesOf = (text: string): ReadonlyArray<Buffer> => [
  Buffer.from(text),
  Buffer.from(text, "utf16le"),
  Buffer.from(Buffer.from(text).toString("hex")),
  Buffer.from(Buffer.from(text).toString("base64").replace(/=*$/, ""))
]

/** As JSON, a path, a log or the definition of a table has it. */
const wordCvv = /["'`[({.,:;=_\s]cvv["'`\])}.,:;=_\s]/i

describe("what is stored and logged", () => {
  it.effect("holds no card number, CVV, client secret, token, webhook secret, confirmHash or master key", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      const lines: Array<string> = []
      const secrets = new Map<string, string>([
        ["captured card", cards.captured],
        ["denied card", cards.deniedAtFirst],
        ["card that could not be stored", "5555555555554444"]
      ])
      const running = layer({ port: 0, database, clientSecret: Redacted.make("a secret of the ready company") }).pipe(
        Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(start))),
        Layer.provideMerge(logged(lines))
      )

      /** The database with its log, as it lies there; the key file is where the master key belongs. */
      const onDisk = () =>
        readdirSync(dirname(database))
          .filter((name) => !name.endsWith(".key"))
          .map((name) => ({ name, bytes: readFileSync(join(dirname(database), name)) }))

      const assertNothing = () => {
        const locations = [...onDisk(), { name: "the log", bytes: Buffer.from(lines.join("\n")) }]
        for (const [what, secret] of secrets) {
          for (const { bytes, name } of locations) {
            for (const trace of tracesOf(secret)) assert.isFalse(bytes.includes(trace), `${what} in ${name}`)
          }
        }
        // Four digits may be there by chance, as may the three letters of their key in what is encrypted: not as a word of a text.
        for (const { bytes, name } of locations) assert.notMatch(bytes.toString("latin1"), wordCvv, `CVV in ${name}`)
      }

      yield* Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const there = yield* receiver
        const bearer = yield* token
        const keyed = (key: string, body: unknown) => ({ token: bearer, body, headers: { "idempotency-key": key } })
        const made = (yield* call("POST", "/sandbox/companies", { body: { name: "B" } })).json
        const hooks = { url: there.url, events: ["transaction.updateStatus", "subscription.addTransaction"] }
        const edited = yield* call("PUT", "/v2/webhooks", { token: bearer, body: hooks })
        const subscription = byCard(cards.deniedAtFirst)
        yield* call("POST", "/v2/subscriptions/manual", keyed("k1", subscription))
        yield* call("POST", "/v2/subscriptions/manual", keyed("k1", { ...subscription, myId: "other" }))
        // Refused: a wrong number, an expiry that is over, a card twice.
        const { Card } = subscription.PaymentMethodCreditCard
        for (const changes of [{ number: "4111111111111112" }, { expiresAt: "2020-01" }, { cvv: "x" }]) {
          const body = { ...subscription, myId: "bad", PaymentMethodCreditCard: { Card: { ...Card, ...changes } } }
          yield* call("POST", "/v2/subscriptions/manual", keyed("k2", body))
        }
        yield* call("POST", "/v2/transactions/sub/myId/add", keyed("k3", payment("p")))
        yield* call("PUT", "/v2/transactions/p/myId/retry", { token: bearer })
        const own = byCard(cards.captured).PaymentMethodCreditCard
        yield* call("POST", "/v2/transactions/sub/myId/add", {
          token: bearer,
          body: { ...payment("q"), PaymentMethodCreditCard: own }
        })
        // A fault of our own is logged with all that it knows.
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TRIGGER full BEFORE INSERT ON cards BEGIN SELECT RAISE(ABORT, 'disk full'); END`
        const failed = yield* call("POST", "/v2/subscriptions/manual", keyed("k4", byCard("5555555555554444", "s2")))
        assert.strictEqual(failed.status, 500)
        yield* sql`DROP TRIGGER full`
        assert.match(lines.join("\n"), /disk full/, "what went wrong is in the log")
        yield* Queue.takeN(there.received, 4)

        secrets
          .set("ready client secret", Redacted.value(sandbox.clientSecret))
          .set("made client secret", made.clientSecret)
          .set("access token", bearer)
          .set("webhook secret", Redacted.value(sandbox.webhookSecret).slice("whsec_".length))
          .set("made webhook secret", made.webhookSecret.slice("whsec_".length))
          .set("confirmHash", edited.json.confirmHash)
          .set("made confirmHash", made.confirmHash)
          .set("master key", readFileSync(`${database}.key`, "utf8").trim())
        assert.include(
          onDisk().map(({ name }) => name),
          "test.db-wal"
        )
        assertNothing()
      }).pipe(Effect.scoped, Effect.provide(running, { local: true }))

      // The log of the database is in its file now.
      assertNothing()
      assert.isTrue(
        onDisk().some(({ bytes }) => bytes.includes("Ana Souza")),
        "the file was read when it held the rows"
      )
    })
  )
})
