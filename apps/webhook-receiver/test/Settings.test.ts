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
  it.effect("needs a secret and a confirmHash, and has a default for the rest", () =>
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

  it.effect("takes the secrets and the confirmHash from files, and says which file cannot be read", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const files = { PARCELA_WEBHOOK_SECRET_FILE: `${folder}/secret`, PARCELA_CONFIRM_HASH_FILE: `${folder}/hash` }
      const missing = yield* problemOf(files)
      assert.include(missing, "PARCELA_WEBHOOK_SECRET_FILE: the file that it names cannot be read")
      assert.include(missing, "PARCELA_CONFIRM_HASH_FILE: the file that it names cannot be read")
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

  it.effect("takes several senders with white space between them, secret by confirmHash", () =>
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

  it.effect("takes several secrets for one confirmHash, and the other way around, as one sender", () =>
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

  it.effect("refuses secrets and confirmHashes that cannot be paired", () =>
    Effect.gen(function* () {
      const problem = yield* problemOf({
        PARCELA_WEBHOOK_SECRET: `${secretText} ${other}`,
        PARCELA_CONFIRM_HASH: "a b c"
      })
      assert.match(problem, /^PARCELA_WEBHOOK_SECRET has 2 and PARCELA_CONFIRM_HASH 3 entries/)
    })
  )

  it.effect("takes another size and another naming, and says what they have to be", () =>
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
        "PARCELA_RECEIVER_MAXIMUM_BYTES: it is a whole number of bytes from 65536 to 999999999, such as 4194304\n" +
          "PARCELA_NAMING: a service's name is written in lower camel case, such as galaxPay"
      )
    })
  )

  it.effect("names all that is missing at once; empty counts as missing", () =>
    Effect.gen(function* () {
      const both =
        "PARCELA_WEBHOOK_SECRET is not set: the secret that the sender signs with, as in PARCELA_WEBHOOK_SECRET=whsec_FRF2..\n" +
        "PARCELA_CONFIRM_HASH is not set: what editing the webhooks returned, as in PARCELA_CONFIRM_HASH=a4a9.."
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
        "PARCELA_RECEIVER_PORT: a port is a whole number from 0 to 65535, such as 8027\n" +
          "PARCELA_WEBHOOK_SECRET: Not a webhook secret: it holds 24 to 64 bytes, which is 32 to 88 characters of base64\n" +
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
