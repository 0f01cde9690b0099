import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { inspect } from "node:util"
import * as Settings from "../src/Settings.ts"
import { confirmHash, secretText } from "./fixtures/Deliveries.ts"

const required = { PARCELA_WEBHOOK_SECRET: secretText, PARCELA_CONFIRM_HASH: confirmHash }

const read = (env: Record<string, string>) =>
  Settings.read.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(env))))

const problemOf = (env: Record<string, string>) => Effect.map(Effect.flip(read(env)), (error) => error.message)

describe("Settings", () => {
  it.effect("needs a secret and a confirmHash, and has a default for the rest", () =>
    Effect.gen(function* () {
      const { confirmHashes, database, host, mayColour, output, port, secrets } = yield* read(required)
      assert.deepStrictEqual(
        { database, host, mayColour, output, port },
        { host: "127.0.0.1", port: 8027, database: ".parcela/receiver.db", output: "text", mayColour: true }
      )
      assert.deepStrictEqual([...Redacted.value(secrets[0])], Array(32).fill(7))
      assert.deepStrictEqual(confirmHashes.map(Redacted.value), [confirmHash])
    })
  )

  it.effect("takes several secrets and confirmHashes with white space between them", () =>
    Effect.gen(function* () {
      const { confirmHashes, secrets } = yield* read({
        PARCELA_WEBHOOK_SECRET: ` ${secretText}  ${secretText}\n`,
        PARCELA_CONFIRM_HASH: "a b\tc"
      })
      assert.deepStrictEqual([secrets.length, confirmHashes.length], [2, 3])
    })
  )

  it.effect("names all that is missing at once; empty counts as missing", () =>
    Effect.gen(function* () {
      const both =
        "PARCELA_WEBHOOK_SECRET is not set: give the secret that the sender signs with (whsec_..); " +
        "PARCELA_CONFIRM_HASH is not set: give the confirmHash that editing the webhooks answered"
      assert.strictEqual(yield* problemOf({}), both)
      assert.strictEqual(yield* problemOf({ PARCELA_WEBHOOK_SECRET: "", PARCELA_CONFIRM_HASH: "  " }), both)
      assert.strictEqual((yield* read({ ...required, PARCELA_RECEIVER_PORT: "" })).port, 8027)
    })
  )

  it.effect("names what is wrong without showing it", () =>
    Effect.gen(function* () {
      const problem = yield* problemOf({
        ...required,
        PARCELA_WEBHOOK_SECRET: "whsec_c2VjcmV0",
        PARCELA_RECEIVER_PORT: "65536",
        PARCELA_RECEIVER_OUTPUT: "xml"
      })
      assert.strictEqual(
        problem,
        "PARCELA_RECEIVER_PORT: a port is a whole number from 0 to 65535; " +
          "PARCELA_WEBHOOK_SECRET: Not a webhook secret: it holds 24 to 64 bytes, which is 32 to 88 characters of base64; " +
          "PARCELA_RECEIVER_OUTPUT: it is text or json"
      )
    })
  )

  it.effect("shows neither secret nor confirmHash, and honours NO_COLOR", () =>
    Effect.gen(function* () {
      const settings = yield* read({ ...required, NO_COLOR: "1" })
      assert.isFalse(settings.mayColour)
      const shown = inspect(settings, { depth: 9 }) + JSON.stringify(settings)
      assert.notInclude(shown, secretText.slice(6))
      assert.notInclude(shown, confirmHash)
    })
  )
})
