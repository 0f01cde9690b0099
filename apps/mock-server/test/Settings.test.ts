import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { settings, unknownSettings } from "../src/Settings.ts"

const read = (environment: Record<string, string>) =>
  Effect.provideService(
    settings,
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnv({ env: environment, preserveEmptyStrings: true })
  )

const refusal = (environment: Record<string, string>) => Effect.map(Effect.flip(read(environment)), (e) => e.message)

/** Values that a variable refuses. */
const refused: ReadonlyArray<readonly [name: string, value: string]> = [
  ["PARCELA_HOST", "http://127.0.0.1"],
  ["PARCELA_HOST", "127.0.0.1:80"],
  ["PARCELA_HOST", "[::1]"],
  ["PARCELA_HOST", "a b"],
  ["PARCELA_PORT", "65536"],
  ["PARCELA_PORT", "-1"],
  ["PARCELA_PORT", "80.5"],
  ["PARCELA_PORT", "http"],
  ["PARCELA_DATABASE", "mysql://localhost/x"],
  ["PARCELA_DATABASE", "file:x.db"],
  ["PARCELA_DATABASE", "postgres://me:hidden@127.0.0.1:5432"],
  ["PARCELA_DATABASE", "postgres:///without-a-host"],
  ["PARCELA_DATABASE", "postgres://me:hidden@127.0.0.1:port/x"],
  ["PARCELA_KEY_FILE", "https://keys.example.com/1"],
  ["PARCELA_DATABASE", "a\u0000b"],
  ["PARCELA_CLIENT_ID", "a:b"],
  ["PARCELA_CLIENT_ID", ""],
  ["PARCELA_CLIENT_ID", "a".repeat(256)],
  ["PARCELA_CLIENT_SECRET", ""],
  ["PARCELA_CLIENT_SECRET", "a\nb"],
  ["PARCELA_NAMING", "Galax Pay"],
  ["PARCELA_PUBLIC_URL", "not an address"],
  ["PARCELA_PUBLIC_URL", "javascript:alert(1)//"],
  ["PARCELA_PUBLIC_URL", "ftp://example.com"],
  ["PARCELA_PUBLIC_URL", "https://me@example.com"],
  ["PARCELA_PUBLIC_URL", "https://example.com/?"],
  ["PARCELA_PUBLIC_URL", "https://example.com/#"],
  ["PARCELA_PUBLIC_URL", `https://example.com/${"a".repeat(161)}`]
]

describe("the settings", () => {
  it.effect("have defaults, also where a variable is empty", () =>
    Effect.gen(function* () {
      const chosen = yield* read({ PARCELA_PORT: "", PARCELA_HOST: "", PARCELA_PUBLIC_URL: "" })
      assert.strictEqual(chosen.host, "127.0.0.1")
      assert.strictEqual(chosen.port, 8026)
      assert.strictEqual(chosen.database, ".parcela/sandbox.db")
      assert.strictEqual(chosen.clientId, "sandbox")
      assert.strictEqual(Redacted.value(chosen.clientSecret), "sandbox-secret")
      assert.strictEqual(chosen.naming.name, "svcPay")
      assert.isUndefined(chosen.publicUrl)
    })
  )

  it.effect("are what the variables say", () =>
    Effect.gen(function* () {
      const chosen = yield* read({
        PARCELA_HOST: "::1",
        PARCELA_PORT: "0",
        PARCELA_DATABASE: "/var/lib/parcela/data.db",
        PARCELA_KEY_FILE: "/etc/parcela/master.key",
        PARCELA_CLIENT_ID: "é".repeat(255),
        PARCELA_CLIENT_SECRET: "with:colon and spaces",
        PARCELA_NAMING: "galaxPay",
        PARCELA_PUBLIC_URL: "HTTPS://Billing.Example.com/pay/"
      })
      assert.strictEqual(chosen.host, "::1")
      assert.strictEqual(chosen.port, 0)
      assert.strictEqual(chosen.database, "/var/lib/parcela/data.db")
      assert.strictEqual(chosen.keyFile, "/etc/parcela/master.key")
      assert.strictEqual(chosen.clientId.length, 255)
      assert.strictEqual(Redacted.value(chosen.clientSecret), "with:colon and spaces")
      assert.strictEqual(chosen.naming.name, "galaxPay")
      assert.strictEqual(chosen.publicUrl, "https://billing.example.com/pay")
    })
  )

  it.effect("take the address of a PostgreSQL database", () =>
    Effect.gen(function* () {
      for (const database of ["postgres://me:hidden@127.0.0.1:5432/billing", "postgresql://db.example.com/billing"]) {
        assert.strictEqual((yield* read({ PARCELA_DATABASE: database })).database, database)
      }
    })
  )

  it.effect("take a public address of 180 characters", () =>
    Effect.gen(function* () {
      const publicUrl = `https://example.com/${"a".repeat(160)}`
      assert.strictEqual((yield* read({ PARCELA_PUBLIC_URL: publicUrl })).publicUrl, publicUrl)
    })
  )

  for (const [name, value] of refused) {
    it.effect(`refuse ${JSON.stringify(value.slice(0, 40))} as ${name}, by name and without the value`, () =>
      Effect.gen(function* () {
        const message = yield* refusal({ [name]: value })
        assert.match(message, new RegExp(`^${name} must be `))
        if (value !== "") assert.isFalse(message.includes(`"${value}"`))
      })
    )
  }

  it.effect("are refused all at once", () =>
    Effect.gen(function* () {
      const message = yield* refusal(Object.fromEntries(refused))
      for (const [name] of refused) assert.include(message, `${name} must be`)
    })
  )
})

describe("a variable that is no setting", () => {
  it("is named with the one that was meant", () => {
    assert.deepStrictEqual(unknownSettings(["PARCELA_PROT", "PARCELA_DATABSE", "parcela_port", "PATH"]), [
      "PARCELA_DATABSE is no setting: did you mean PARCELA_DATABASE?",
      "PARCELA_PROT is no setting: did you mean PARCELA_PORT?",
      "parcela_port is no setting: did you mean PARCELA_PORT?"
    ])
  })

  it("is named alone when no setting is like it", () => {
    assert.deepStrictEqual(unknownSettings(["PARCELA_FRUIT_OF_THE_DAY"]), ["PARCELA_FRUIT_OF_THE_DAY is no setting"])
  })

  it("is none that the README or the README of a program names", () => {
    const root = new URL("../../..", import.meta.url)
    const programs = ["mock-server", "webhook-receiver", "cli"].map((name) => `apps/${name}/README.md`)
    const named = ["README.md", ...programs].flatMap(
      (file) => readFileSync(new URL(file, `${root.href}/`), "utf8").match(/PARCELA_[A-Z_]+/g) ?? []
    )
    assert.includeMembers(named, ["PARCELA_BASE_URL", "PARCELA_RECEIVER_PORT", "PARCELA_HOST"])
    assert.deepStrictEqual(unknownSettings(new Set(named.filter((name) => !name.endsWith("_")))), [])
  })
})
