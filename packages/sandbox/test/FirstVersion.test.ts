import { assert, describe, it } from "@effect/vitest"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect } from "effect"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { call, onSandbox, payment, temporaryFile, token } from "./fixtures/Service.ts"

/** A whole database of the first version: two cards, a denied payment, a captured one, a boleto and a Pix. */
const golden = readFileSync(new URL("./fixtures/FirstVersion.sql", import.meta.url), "utf8")
const goldenKey = "b75a807a87955ab90969717e0e326c0ef1bd5b9ab8a642d5afa2e2f0b6debcc6\n"

const goldenFile = Effect.map(temporaryFile, (filename) => {
  const database = new DatabaseSync(filename)
  database.exec(golden)
  database.close()
  writeFileSync(`${filename}.key`, goldenKey)
  chmodSync(`${filename}.key`, 0o600)
  return filename
})

const send = Effect.fnUntraced(function* (method: string, path: string, body?: object) {
  const answer = yield* call(method, `/v2${path}`, { token: yield* token, ...(body === undefined ? {} : { body }) })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.Transaction
})

const tablesOf = (filename: string) => {
  const database = new DatabaseSync(filename, { readOnly: true })
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  database.close()
  return names.map(({ name }) => String(name))
}

describe("a sandbox on a file of the first version", () => {
  it.effect("charges the cards that it had, and has the providers' rows in a file of their own", () =>
    Effect.gen(function* () {
      const database = yield* goldenFile
      yield* Effect.gen(function* () {
        // Denied once for each payment and captured after that: the operator knows that it was denied for this one.
        assert.strictEqual((yield* send("PUT", "/transactions/denied/myId/retry")).status, "captured")
        const paid = yield* send("POST", "/transactions/other%20card/myId/add", payment("again"))
        assert.strictEqual(paid.status, "captured")
        const { entries } = yield* (yield* SandboxServer.controls).ledger.list()
        assert.deepStrictEqual(
          entries.map(({ call, outcome }) => `${call}: ${outcome}`),
          [
            "charge: Denied",
            "charge: Captured",
            "register: BoletoRegistered",
            "open: PixOpened",
            "charge: Captured",
            "charge: Captured"
          ]
        )
      }).pipe(onSandbox({ database }))
      assert.deepStrictEqual(
        tablesOf(database).filter((name) => name.startsWith("operator_")),
        []
      )
      assert.include(tablesOf(database.replace(/\.db$/, ".simulators.db")), "cards")
      // The second start finds nothing to move.
      yield* Effect.void.pipe(onSandbox({ database }))
    })
  )
})
