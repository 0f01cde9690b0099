import { assert, describe, it } from "@effect/vitest"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { ConfigProvider, Effect, FileSystem, Redacted } from "effect"
import { inspect } from "node:util"
import * as Settings from "../src/Settings.ts"
import { confirmHash, secretText } from "./fixtures/Deliveries.ts"

const required = { PARCELA_WEBHOOK_SECRET: secretText, PARCELA_CONFIRM_HASH: confirmHash }

const read = (env: Record<string, string>) =>
  Settings.read.pipe(Effect.provide([ConfigProvider.layer(ConfigProvider.fromEnvRecord(env)), NodeFileSystem.layer]))

const problemOf = (env: Record<string, string>) => Effect.map(Effect.flip(read(env)), (error) => error.message)

describe("Settings", () => {
  it.effect("requires a secret and a confirmHash and has defaults for all other settings", () =>
    Effect.gen(function* () {
      const { database, host, maximumBytes, mayColour, naming, output, port, senders } = yield* read(required)
      assert.deepStrictEqual(
        { database, host, mayColour, output, port },
        { host: "127.0.0.1", port: 8027, database: ".parcela/receiver.db", output: "text", mayColour: true }
      )
      assert.deepStrictEqual([maximumBytes, naming.name as string], [4_194_304, "svcPay"])
      const [{ confirmHashes, name, secrets }] = senders
      assert.isUndefined(name)
      assert.deepStrictEqual([...Redacted.value(secrets[0])], Array(32).fill(7))
      assert.deepStrictEqual(confirmHashes.map(Redacted.value), [confirmHash])
    })
  )

  it.effect("reads the secrets and the confirmHash from files and names a file that cannot be read", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const files = { PARCELA_WEBHOOK_SECRET_FILE: `${folder}/secret`, PARCELA_CONFIRM_HASH_FILE: `${folder}/hash` }
      const missing = yield* problemOf(files)
      assert.include(missing, "PARCELA_WEBHOOK_SECRET_FILE: this file cannot be read")
      assert.include(missing, "PARCELA_CONFIRM_HASH_FILE: this file cannot be read")
      yield* fs.writeFileString(`${folder}/secret`, `${other},${secretText}\n`)
      yield* fs.writeFileString(`${folder}/hash`, `${confirmHash}\n`)
      const [{ confirmHashes, secrets }] = (yield* read(files)).senders
      assert.lengthOf(secrets, 2)
      assert.deepStrictEqual([...Redacted.value(secrets[1]!)], Array(32).fill(7))
      assert.deepStrictEqual(confirmHashes.map(Redacted.value), [confirmHash])
      const both = yield* problemOf({ ...files, PARCELA_WEBHOOK_SECRET: secretText })
      assert.include(both, "PARCELA_WEBHOOK_SECRET and PARCELA_WEBHOOK_SECRET_FILE are both set")
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  const other = "whsec_" + "A".repeat(43) + "="

  it.effect("reads several senders separated by white space", () =>
    Effect.gen(function* () {
      const { senders } = yield* read({
        PARCELA_WEBHOOK_SECRET: ` ${secretText}  shop=${other},${secretText}\n`,
        PARCELA_CONFIRM_HASH: "a b,c"
      })
      assert.deepStrictEqual(
        senders.map(({ confirmHashes, name, secrets }) => [name, secrets.length, confirmHashes.map(Redacted.value)]),
        [
          [undefined, 1, ["a"]],
          ["shop", 2, ["b", "c"]]
        ]
      )
    })
  )

  it.effect("combines several secrets with one confirmHash, or one secret with several, into one sender", () =>
    Effect.gen(function* () {
      const rotating = yield* read({ ...required, PARCELA_WEBHOOK_SECRET: `${secretText} ${other}` })
      const hashes = yield* read({ ...required, PARCELA_CONFIRM_HASH: "a b c" })
      assert.deepStrictEqual(
        [rotating, hashes].map(({ senders }) =>
          senders.map(({ confirmHashes, secrets }) => [secrets.length, confirmHashes.length])
        ),
        [[[2, 1]], [[1, 3]]]
      )
    })
  )

  it.effect("refuses secrets and confirmHashes of different numbers", () =>
    Effect.gen(function* () {
      const problem = yield* problemOf({
        PARCELA_WEBHOOK_SECRET: `${secretText} ${other}`,
        PARCELA_CONFIRM_HASH: "a b c"
      })
      assert.match(problem, /^PARCELA_WEBHOOK_SECRET has 2 and PARCELA_CONFIRM_HASH 3 entries/)
    })
  )

  it.effect("reads the maximum size and the naming profile and explains their form", () =>
    Effect.gen(function* () {
      const settings = yield* read({
        ...required,
        PARCELA_RECEIVER_MAXIMUM_BYTES: "65536",
        PARCELA_NAMING: "galaxPay"
      })
      assert.deepStrictEqual([settings.maximumBytes, settings.naming.name as string], [65_536, "galaxPay"])
      const problem = yield* problemOf({
        ...required,
        PARCELA_RECEIVER_MAXIMUM_BYTES: "1",
        PARCELA_NAMING: "Galax Pay"
      })
      assert.strictEqual(
        problem,
        "PARCELA_RECEIVER_MAXIMUM_BYTES: it must be a whole number of bytes from 65536 to 999999999, such as 4194304\n" +
          "PARCELA_NAMING: the name of a service must be in lower camel case, such as galaxPay"
      )
    })
  )

  it.effect("names all missing settings at once, including empty ones", () =>
    Effect.gen(function* () {
      const both =
        "PARCELA_WEBHOOK_SECRET is not set: the secret that signs the deliveries, as in PARCELA_WEBHOOK_SECRET=whsec_FRF2..\n" +
        "PARCELA_CONFIRM_HASH is not set: the value that PUT /webhooks returned, as in PARCELA_CONFIRM_HASH=a4a9.."
      assert.strictEqual(yield* problemOf({}), both)
      assert.strictEqual(yield* problemOf({ PARCELA_WEBHOOK_SECRET: "", PARCELA_CONFIRM_HASH: "  " }), both)
      assert.strictEqual((yield* read({ ...required, PARCELA_RECEIVER_PORT: "" })).port, 8027)
    })
  )

  it.effect("names an invalid setting without its value", () =>
    Effect.gen(function* () {
      const problem = yield* problemOf({
        ...required,
        PARCELA_WEBHOOK_SECRET: "whsec_c2VjcmV0",
        PARCELA_RECEIVER_PORT: "65536",
        PARCELA_RECEIVER_OUTPUT: "xml"
      })
      assert.strictEqual(
        problem,
        "PARCELA_RECEIVER_PORT: a port must be a whole number from 0 to 65535, such as 8027\n" +
          "PARCELA_WEBHOOK_SECRET: Not a webhook secret: it must have 24 to 64 bytes, which is 32 to 88 characters of base64\n" +
          "PARCELA_RECEIVER_OUTPUT: it must be text or json"
      )
    })
  )

  it.effect("hides the secret and the confirmHash, and disables colours with NO_COLOR", () =>
    Effect.gen(function* () {
      const settings = yield* read({ ...required, NO_COLOR: "1" })
      assert.isFalse(settings.mayColour)
      const shown = inspect(settings, { depth: 9 }) + JSON.stringify(settings)
      assert.notInclude(shown, secretText.slice(6))
      assert.notInclude(shown, confirmHash)
    })
  )
})
