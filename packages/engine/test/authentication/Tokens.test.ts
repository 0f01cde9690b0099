import { assert, describe, it } from "@effect/vitest"
import { Companies } from "@parcela/engine/ports/Companies"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import { Tokens } from "@parcela/engine/authentication/Tokens"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as World from "@parcela/test-world/World"

const somewhere = Option.some("203.0.113.7")

const companyWith = Effect.fnUntraced(function* (clientId: string, changes: Parameters<typeof World.company>[0] = {}) {
  const companies = yield* Companies
  const secrets = yield* Secrets
  const companyId = yield* World.company(changes)
  yield* companies.putCredential({ clientId, secretHash: yield* secrets.hash("client secret", "right"), companyId })
  return companyId
})

const identify = Effect.fnUntraced(function* (clientId: string, secret: string, address = somewhere) {
  const tokens = yield* Tokens
  return yield* tokens.identify(clientId, Redacted.make(secret), address)
})

describe("credentials", () => {
  it.effect(
    "identify their company, with the same refusal for a wrong secret, an unknown client and no credentials",
    () =>
      Effect.gen(function* () {
        const companyId = yield* companyWith("a")
        assert.strictEqual((yield* identify("a", "right")).companyId, companyId)
        const wrong = [
          ["a", "wrong"],
          ["b", "right"],
          ["A", "right"],
          ["a", "right "],
          ["a", ""],
          ["", ""]
        ] as const
        const errors = yield* Effect.forEach(wrong, ([id, secret]) => Effect.flip(identify(id, secret)))
        for (const error of errors) {
          assert.strictEqual(error._tag, "NotAuthenticated")
          assert.strictEqual(error.message, errors[0]?.message)
        }
      }).pipe(World.inWorld())
  )

  it.effect("take effect at once when they are replaced", () =>
    Effect.gen(function* () {
      const companies = yield* Companies
      const secrets = yield* Secrets
      const companyId = yield* companyWith("a")
      yield* companies.putCredential({
        clientId: "a",
        secretHash: yield* secrets.hash("client secret", "new"),
        companyId
      })
      assert.strictEqual((yield* Effect.flip(identify("a", "right")))._tag, "NotAuthenticated")
      assert.strictEqual((yield* identify("a", "new")).companyId, companyId)
    }).pipe(World.inWorld())
  )
})

describe("tokens", () => {
  it.effect("last 600 s to the millisecond", () =>
    Effect.gen(function* () {
      const companyId = yield* companyWith("a")
      const tokens = yield* Tokens
      const { token } = yield* tokens.issue(yield* identify("a", "right"), [])
      yield* World.passTime("599999 millis")
      assert.strictEqual((yield* tokens.authenticate(Redacted.value(token), somewhere)).companyId, companyId)
      yield* World.passTime("1 millis")
      assert.strictEqual(
        (yield* Effect.flip(tokens.authenticate(Redacted.value(token), somewhere)))._tag,
        "NotAuthenticated"
      )
    }).pipe(World.inWorld())
  )

  it.effect("contain the scopes that are both requested and allowed, and are refused without any", () =>
    Effect.gen(function* () {
      yield* companyWith("a", { scopes: ["balance.read", "webhooks.write"] })
      const tokens = yield* Tokens
      const bearer = yield* identify("a", "right")
      const requested = yield* tokens.issue(bearer, ["webhooks.write", "customers.read", "nonsense"])
      assert.deepStrictEqual(requested.scopes, ["webhooks.write"])
      assert.sameMembers([...(yield* tokens.issue(bearer, [])).scopes], ["balance.read", "webhooks.write"])
      assert.deepStrictEqual((yield* tokens.authenticate(Redacted.value(requested.token), somewhere)).scopes, [
        "webhooks.write"
      ])
      assert.strictEqual((yield* Effect.flip(tokens.issue(bearer, ["customers.read"])))._tag, "NotAllowed")
    }).pipe(World.inWorld())
  )

  it.effect("are refused with a changed character, truncated, or far too long", () =>
    Effect.gen(function* () {
      yield* companyWith("a")
      const tokens = yield* Tokens
      const text = Redacted.value((yield* tokens.issue(yield* identify("a", "right"), [])).token)
      assert.match(text, /^[\da-z]{9}[\w-]{43}$/)
      const misread = [`${text}\u0000`, `\u0000${text.slice(1)}`, `\ud800${text.slice(1)}`]
      for (const wrong of ["", text.slice(1), `${text} `, text.toLowerCase(), text.repeat(100), ...misread]) {
        const error = yield* Effect.flip(tokens.authenticate(wrong, somewhere))
        assert.strictEqual(error._tag, "NotAuthenticated")
      }
    }).pipe(World.inWorld())
  )
})

describe("tokens in the store", () => {
  it.effect("are ordered by their creation time", () =>
    Effect.gen(function* () {
      yield* companyWith("a")
      const tokens = yield* Tokens
      const bearer = yield* identify("a", "right")
      for (let made = 0; made < 10; made++) {
        yield* tokens.issue(bearer, [])
        yield* World.passTime("1 millis")
      }
      const sql = yield* SqlClient.SqlClient
      const times = (order: string) => sql`SELECT expires_at FROM access_tokens ORDER BY ${sql.literal(order)}`
      assert.deepStrictEqual(yield* times("hash"), yield* times("expires_at"))
    }).pipe(World.inWorld())
  )
})

describe("a list of allowed addresses", () => {
  it.effect("refuses other and unknown addresses, for credentials and for tokens", () =>
    Effect.gen(function* () {
      yield* companyWith("a", { allowedAddresses: ["203.0.113.7"] })
      const tokens = yield* Tokens
      const { token } = yield* tokens.issue(yield* identify("a", "right"), [])
      for (const address of [Option.some("203.0.113.8"), Option.some("203.0.113.70"), Option.none()]) {
        assert.strictEqual((yield* Effect.flip(identify("a", "right", address)))._tag, "NotAllowed")
        assert.strictEqual((yield* Effect.flip(tokens.authenticate(Redacted.value(token), address)))._tag, "NotAllowed")
      }
      // A server that listens on IPv6 too sees IPv4 callers like this.
      yield* identify("a", "right", Option.some("::ffff:203.0.113.7"))
      yield* tokens.authenticate(Redacted.value(token), Option.some("::FFFF:203.0.113.7"))
    }).pipe(World.inWorld())
  )

  it.effect("is not revealed to a caller without the secret", () =>
    Effect.gen(function* () {
      yield* companyWith("a", { allowedAddresses: ["203.0.113.7"] })
      const error = yield* Effect.flip(identify("a", "wrong", Option.some("203.0.113.8")))
      assert.strictEqual(error._tag, "NotAuthenticated")
    }).pipe(World.inWorld())
  )
})

describe("a recently used token", () => {
  /** Changes the company's row as another process would. */
  const allowElsewhere = Effect.fnUntraced(function* (companyId: CompanyId, addresses: ReadonlyArray<string>) {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly data: string }>`SELECT data FROM companies WHERE id = ${companyId}`
    const state = JSON.parse(row!.data) as object
    const data = JSON.stringify({ ...state, allowedAddresses: addresses })
    yield* sql`UPDATE companies SET data = ${data} WHERE id = ${companyId}`
  })

  it.effect("is refused within 5 s after its address was removed from the list or the token was revoked", () =>
    Effect.gen(function* () {
      const companyId = yield* companyWith("a", { allowedAddresses: ["203.0.113.7"] })
      const tokens = yield* Tokens
      const { token } = yield* tokens.issue(yield* identify("a", "right"), [])
      yield* tokens.authenticate(Redacted.value(token), somewhere)
      yield* allowElsewhere(companyId, ["203.0.113.8"])
      yield* World.passTime("5 seconds")
      assert.strictEqual((yield* Effect.flip(tokens.authenticate(Redacted.value(token), somewhere)))._tag, "NotAllowed")
      yield* tokens.authenticate(Redacted.value(token), Option.some("203.0.113.8"))
      assert.strictEqual((yield* Effect.flip(identify("a", "right")))._tag, "NotAllowed")
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM access_tokens`
      yield* World.passTime("5 seconds")
      const gone = yield* Effect.flip(tokens.authenticate(Redacted.value(token), Option.some("203.0.113.8")))
      assert.strictEqual(gone._tag, "NotAuthenticated")
    }).pipe(World.inWorld())
  )

  it.effect("is not read from the store again, from any address", () =>
    Effect.gen(function* () {
      yield* companyWith("a", { allowedAddresses: ["203.0.113.7"] })
      const tokens = yield* Tokens
      const { token } = yield* tokens.issue(yield* identify("a", "right"), [])
      const first = yield* tokens.authenticate(Redacted.value(token), somewhere)
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM access_tokens`
      assert.deepStrictEqual(yield* tokens.authenticate(Redacted.value(token), somewhere), first)
      const other = yield* Effect.flip(tokens.authenticate(Redacted.value(token), Option.some("203.0.113.8")))
      assert.strictEqual(other._tag, "NotAllowed")
    }).pipe(World.inWorld())
  )
})
