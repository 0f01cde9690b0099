import { assert, describe, it } from "@effect/vitest"
import { addressOf, addressText } from "../../src/postgres/PostgresSocket.ts"

describe("the address of a PostgreSQL URL", () => {
  for (const [url, where] of [
    ["postgres://me:secret@db.example.com:6543/billing", "db.example.com:6543"],
    ["postgresql://db.example.com/billing?sslmode=require", "db.example.com:5432"],
    ["postgres://[::1]:6543/billing", "[::1]:6543"],
    ["postgres:///billing", "localhost:5432"],
    ["postgres://ignored:1/billing?host=127.0.0.1&port=6543", "127.0.0.1:6543"],
    ["postgres://%2Frun%2Fpostgresql/billing", "/run/postgresql/.s.PGSQL.5432"],
    ["postgres:///billing?host=/tmp&port=6543", "/tmp/.s.PGSQL.6543"]
  ] as const) {
    it(`${url} leads to ${where}`, () => assert.strictEqual(addressText(addressOf(url)), where))
  }
})
