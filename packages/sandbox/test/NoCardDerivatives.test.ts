import { assert, describe, it } from "@effect/vitest"
import { SqlClient } from "effect/sql"
import { Effect } from "effect"
import { createHash, createHmac, pbkdf2Sync } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { byCard, cards, cvv, payment } from "@parcela/test-world/Samples"
import { call, onServer, token } from "@parcela/test-world/Server"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"

const create = "/v2/subscriptions/manual"
const add = "/v2/transactions/sub/myId/add"
const other = "4716258050958645"

/** Everything that a hash of card data could have been made of: the data, the data together, and whole requests. */
const sourcesOf = (numbers: ReadonlyArray<string>, requests: ReadonlyArray<readonly [path: string, body: string]>) => [
  cvv,
  ...numbers.flatMap((number) => [
    number,
    ...["", ":", "|", "-", " ", ",", "\n"].flatMap((between) => [
      `${number}${between}${cvv}`,
      `${cvv}${between}${number}`,
      `${number}${between}2099-12${between}${cvv}`,
      `${number}${between}2099-12`
    ])
  ]),
  ...requests.flatMap(([path, body]) => [body, `POST ${path}\n${body}`, `${path}\n${body}`, `POST${path}${body}`])
]

/** A text hashed in every way that is at hand, under the master key too and for every purpose that the key has. */
const hashesOf = (text: string, masterKey: Buffer): ReadonlyArray<Buffer> => [
  ...["md5", "sha1", "sha256", "sha512"].map((algorithm) => createHash(algorithm).update(text).digest()),
  ...["", "request:", "command:", "access token:", "client secret:", "card:", "card number:", "cvv:"].flatMap(
    (purpose) => [
      createHmac("sha256", masterKey).update(`${purpose}${text}`).digest(),
      createHmac("sha512", masterKey).update(`${purpose}${text}`).digest()
    ]
  ),
  pbkdf2Sync(text, masterKey, 1, 32, "sha256")
]

/** The searched prefix of a hash, which may be truncated: whole groups of Base64. */
const prefix = 15

/** The ways in which bytes could lie in a file. */
const tracesOf = (hash: Buffer): ReadonlyArray<string> => {
  const start = hash.subarray(0, prefix)
  return [
    start.toString("latin1"),
    start.toString("hex"),
    start.toString("hex").toUpperCase(),
    start.toString("base64"),
    start.toString("base64url")
  ]
}

/** The traces that the bytes contain, found in one pass: `bytes.includes` for each would be ten thousand passes. */
const foundIn = (bytes: string, traces: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  // The first four characters of a trace rule out nearly every place.
  const starts = new Set([...traces.keys()].map((trace) => trace.slice(0, 4)))
  const lengths = [...new Set([...traces.keys()].map((trace) => trace.length))]
  const found: Array<string> = []
  for (let at = 0; at < bytes.length; at++) {
    if (!starts.has(bytes.slice(at, at + 4))) continue
    for (const length of lengths) {
      const source = traces.get(bytes.slice(at, at + length))
      if (source !== undefined) found.push(source)
    }
  }
  return found
}

describe("card data", () => {
  it.effect("is not in the database as a hash of number, CVV or the whole request, keyed or not", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      const requests: Array<readonly [string, string]> = []
      const read = () =>
        readdirSync(dirname(database))
          .filter((name) => !name.endsWith(".key"))
          .map((name) => readFileSync(join(dirname(database), name)).toString("latin1"))
      const assertNothing = (masterKey: Buffer) => {
        const files = read()
        assert.isAbove(files.join("").length, 10_000)
        const sources = sourcesOf([cards.captured, cards.deniedAtFirst, other], requests)
        const traces = new Map(
          sources.flatMap((source) =>
            hashesOf(source, masterKey).flatMap((hash) =>
              tracesOf(hash).map((trace) => [trace, `a hash of ${source}`] as const)
            )
          )
        )
        // What must be found is: a search that finds nothing at all would prove nothing.
        for (const trace of [...traces.keys()].slice(0, 5)) {
          assert.lengthOf(foundIn(`${files[0]!.slice(0, 1_001)}${trace}${files[0]!.slice(0, 7)}`, traces), 1)
        }
        assert.deepStrictEqual(
          files.flatMap((bytes) => foundIn(bytes, traces)),
          []
        )
      }
      const masterKey = yield* Effect.gen(function* () {
        const bearer = yield* token
        const send = (path: string, body: object, key?: string) => {
          const text = JSON.stringify(body)
          requests.push([path, text])
          return call("POST", path, {
            token: bearer,
            body: text,
            ...(key === undefined ? {} : { headers: { "idempotency-key": key } })
          })
        }
        const card = (number: string) => byCard(number).PaymentMethodCreditCard
        assert.strictEqual((yield* send(create, byCard(cards.deniedAtFirst), "k1")).status, 200)
        assert.strictEqual((yield* send(create, byCard(cards.captured, "s2"))).status, 200)
        assert.strictEqual(
          (yield* send(add, { ...payment("p"), PaymentMethodCreditCard: card(other) }, "k2")).status,
          200
        )
        // Refused, and under a key nonetheless.
        assert.strictEqual((yield* send(create, byCard(other), "k3")).status, 400)
        assert.strictEqual((yield* send(create, { ...byCard(other), myId: [1] }, "k4")).status, 400)
        const key = Buffer.from(readFileSync(`${database}.key`, "utf8").trim(), "hex")
        assertNothing(key)
        return key
      }).pipe(onServer({ database }))
      assertNothing(masterKey)
    })
  )

  it.effect("that differs only in the CVV is the same request, and nothing stored differs", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      const sql = yield* SqlClient.SqlClient
      const body = byCard(cards.captured)
      const withCvv = (cvv: string) => ({
        ...body,
        PaymentMethodCreditCard: { Card: { ...body.PaymentMethodCreditCard.Card, cvv } }
      })
      const send = (body: object) => call("POST", create, { token: bearer, body, headers: { "idempotency-key": "k" } })
      const everything = Effect.gen(function* () {
        const tables = yield* sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`
        return yield* Effect.forEach(tables, ({ name }) => sql`SELECT * FROM ${sql(name)}`)
      })
      const first = yield* send(withCvv("9517"))
      const before = yield* everything
      for (const cvv of ["951", "123", "0000"]) {
        const again = yield* send(withCvv(cvv))
        assert.deepStrictEqual([again.status, again.text], [200, first.text])
      }
      assert.deepStrictEqual(yield* everything, before)
      // The stored fields of a card still distinguish requests.
      assert.strictEqual((yield* send(byCard(cards.denied))).status, 422)
    }).pipe(onServer())
  )
})
