import { assert, describe, it } from "@effect/vitest"
import { unknownVariables } from "@parcela/core/values/EnvironmentVariables"
import { destinationsOf } from "@parcela/sandbox/SandboxOptions"
import { mayReach } from "@parcela/webhooks/node/GuardedAgent"
import { ConfigProvider, Duration, Effect, Redacted } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { settingNames, settings } from "../src/Settings.ts"

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
  ["PARCELA_DATABASE", "postgresql:me:hidden@h/db"],
  ["PARCELA_DATABASE", "POSTGRES:me:hidden@h/db"],
  ["PARCELA_DATABASE", "postgres:/me:hidden@h/db"],
  ["PARCELA_DATABASE", " postgres://me:hidden@h/db"],
  ["PARCELA_DATABASE", "jdbc:postgresql://h/db?password=hidden"],
  ["PARCELA_DATABASE_TIMEOUT", "15"],
  ["PARCELA_DATABASE_TIMEOUT", "0 seconds"],
  ["PARCELA_DATABASE_TIMEOUT", "11 minutes"],
  ["PARCELA_DATABASE_TIMEOUT", "Infinity"],
  ["PARCELA_KEEP_KEYS", "30"],
  ["PARCELA_KEEP_KEYS", "1 hour"],
  ["PARCELA_KEEP_ATTEMPTS", "-5 days"],
  ["PARCELA_KEEP_JOURNAL", "never"],
  ["PARCELA_KEEP_JOURNAL", "Infinity"],
  ["PARCELA_KEY_FILE", "https://keys.example.com/1"],
  ["PARCELA_DATABASE", "a\u0000b"],
  ["PARCELA_CLIENT_ID", "a:b"],
  ["PARCELA_CLIENT_ID", ""],
  ["PARCELA_CLIENT_ID", "a".repeat(256)],
  ["PARCELA_CLIENT_SECRET", ""],
  ["PARCELA_CLIENT_SECRET", "a\nb"],
  ["PARCELA_CONTROLS_TOKEN", "short"],
  ["PARCELA_OPERATOR_TOKEN", "short"],
  ["PARCELA_CONTROLS_TOKEN", "twenty-four characters and spaces"],
  ["PARCELA_NAMING", "Galax Pay"],
  ["PARCELA_SIMULATORS", "new"],
  ["PARCELA_SIMULATE_PAYMENTS", "yes"],
  ["PARCELA_WEBHOOK_DESTINATIONS", "private"],
  ["PARCELA_WEBHOOK_DESTINATIONS", "public,"],
  ["PARCELA_WEBHOOK_DESTINATIONS", "any,10.0.0.0/8"],
  ["PARCELA_WEBHOOK_DESTINATIONS", "public,10.0.0.0/33"],
  ["PARCELA_WEBHOOK_DESTINATIONS", "public,localhost"],
  ["PARCELA_WEBHOOK_DESTINATIONS", "public,10.1"],
  ["PARCELA_TRUSTED_PROXIES", "proxy.example.com"],
  ["PARCELA_TRUSTED_PROXIES", "10.0.0.0/33"],
  ["PARCELA_TRUSTED_PROXIES", "10.1"],
  ["PARCELA_TRUSTED_PROXIES", "127.0.0.1,"],
  ["PARCELA_TRUSTED_PROXIES", "127.0.0.1:80"],
  ["PARCELA_TRUSTED_PROXIES", "0.0.0.0/0"],
  ["PARCELA_TRUSTED_PROXIES", "::/0"],
  ["PARCELA_PUBLIC_URL", "not an address"],
  ["PARCELA_PUBLIC_URL", "javascript:alert(1)//"],
  ["PARCELA_PUBLIC_URL", "ftp://example.com"],
  ["PARCELA_PUBLIC_URL", "https://me@example.com"],
  ["PARCELA_PUBLIC_URL", "https://example.com/?"],
  ["PARCELA_PUBLIC_URL", "https://example.com/#"],
  ["PARCELA_PUBLIC_URL", `https://example.com/${"a".repeat(161)}`]
]

describe("the settings", () => {
  it.effect("have defaults, also if a variable is empty", () =>
    Effect.gen(function* () {
      const chosen = yield* read({ PARCELA_PORT: "", PARCELA_HOST: "", PARCELA_PUBLIC_URL: "" })
      assert.strictEqual(chosen.host, "127.0.0.1")
      assert.strictEqual(chosen.port, 8026)
      assert.strictEqual(chosen.database, ".parcela/sandbox.db")
      assert.strictEqual(chosen.clientId, "sandbox")
      assert.strictEqual(Redacted.value(chosen.clientSecret), "sandbox-secret")
      assert.strictEqual(chosen.naming.name, "svcPay")
      assert.isUndefined(chosen.publicUrl)
      assert.isUndefined(chosen.controlsToken)
    })
  )

  it.effect("are read from the variables", () =>
    Effect.gen(function* () {
      const chosen = yield* read({
        PARCELA_HOST: "::1",
        PARCELA_PORT: "0",
        PARCELA_DATABASE: "/var/lib/parcela/data.db",
        PARCELA_DATABASE_TIMEOUT: "90 seconds",
        PARCELA_KEY_FILE: "/etc/parcela/master.key",
        PARCELA_CLIENT_ID: "é".repeat(255),
        PARCELA_CLIENT_SECRET: "with:colon and spaces",
        PARCELA_CONTROLS_TOKEN: "t".repeat(24),
        PARCELA_NAMING: "galaxPay",
        PARCELA_LANGUAGE: "en",
        PARCELA_CNPJ: "letters",
        PARCELA_PUBLIC_URL: "HTTPS://Billing.Example.com/pay/"
      })
      assert.strictEqual(chosen.host, "::1")
      assert.strictEqual(chosen.port, 0)
      assert.strictEqual(chosen.database, "/var/lib/parcela/data.db")
      assert.strictEqual(Duration.toSeconds(chosen.databaseTimeout!), 90)
      assert.strictEqual(chosen.keyFile, "/etc/parcela/master.key")
      assert.strictEqual(chosen.clientId.length, 255)
      assert.strictEqual(Redacted.value(chosen.clientSecret), "with:colon and spaces")
      assert.strictEqual(Redacted.value(chosen.controlsToken!), "t".repeat(24))
      assert.strictEqual(chosen.naming.name, "galaxPay")
      assert.strictEqual(chosen.language, "en")
      assert.isTrue(chosen.documentsWithLetters)
      assert.strictEqual(chosen.publicUrl, "https://billing.example.com/pay")
    })
  )

  it.effect("enable or disable simulated payments on pages; the default is the sandbox's", () =>
    Effect.gen(function* () {
      assert.isUndefined((yield* read({})).simulatePayments)
      assert.isTrue((yield* read({ PARCELA_SIMULATE_PAYMENTS: "on" })).simulatePayments)
      assert.isFalse((yield* read({ PARCELA_SIMULATE_PAYMENTS: "off" })).simulatePayments)
    })
  )

  it.effect("read an account of API Pix from a file, and show no content of an invalid file", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "settings-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const file = join(folder, "account.json")
      const account = {
        baseUrl: "http://127.0.0.1:8036/api/v2",
        tokenUrl: "http://127.0.0.1:8036/oauth/token",
        clientId: "parcela",
        clientSecret: "hidden",
        key: "pix@parcela.example",
        txidPrefix: "mine",
        merchantName: "Loja",
        merchantCity: "Goiania"
      }
      writeFileSync(file, JSON.stringify({ ...account, callbackSecret: "x".repeat(24) }))
      const { pixAccount } = yield* read({ PARCELA_PIX_ACCOUNT: file })
      assert.deepInclude(pixAccount, { baseUrl: account.baseUrl, key: account.key })
      assert.strictEqual(Redacted.value(pixAccount!.clientSecret), "hidden")
      writeFileSync(
        file,
        JSON.stringify({ companies: { 1: account, 7: { ...account, key: "seven@parcela.example" } } })
      )
      const byCompany = yield* read({ PARCELA_PIX_ACCOUNT: file })
      assert.isUndefined(byCompany.pixAccount)
      assert.deepStrictEqual(
        Array.from(byCompany.pixAccounts ?? [], ([id, { key }]) => [Number(id), key]),
        [
          [1, account.key],
          [7, "seven@parcela.example"]
        ]
      )
      for (const [text, said] of [
        [JSON.stringify({ companies: { 1: { ...account, key: "" } } }), "companies.1.key"],
        [JSON.stringify({ companies: { shop: account } }), "companies: shop is not the number of a company"],
        [JSON.stringify({ ...account, key: "" }), "PixAccount.key"],
        [JSON.stringify({ ...account, callbackSecret: "hidden" }), "PixAccount.callbackSecret"],
        [JSON.stringify({ ...account, certificate: "hidden" }), "PixAccount.certificate"],
        [JSON.stringify({ ...account, baseUrl: undefined }), "PixAccount.baseUrl is required"],
        ['{"clientSecret":"hidden"', "is not JSON"]
      ] as const) {
        writeFileSync(file, text)
        const message = yield* refusal({ PARCELA_PIX_ACCOUNT: file })
        assert.include(message, said)
        assert.match(message, /^PARCELA_PIX_ACCOUNT: /u)
        assert.notInclude(message, "hidden")
      }
      assert.include(yield* refusal({ PARCELA_PIX_ACCOUNT: join(folder, "none") }), "cannot be read")
    })
  )

  it.effect(
    "set the retention of records: by default unlimited for keys and journal, 90 days for delivery attempts",
    () =>
      Effect.gen(function* () {
        const { retention: usual } = yield* read({})
        assert.deepStrictEqual(usual, { keys: undefined, attempts: Duration.days(90), journal: undefined })
        const { retention } = yield* read({
          PARCELA_KEEP_KEYS: "365 days",
          PARCELA_KEEP_ATTEMPTS: "always",
          PARCELA_KEEP_JOURNAL: "520 weeks"
        })
        assert.deepStrictEqual(retention, {
          keys: Duration.days(365),
          attempts: undefined,
          journal: Duration.weeks(520)
        })
      })
  )

  it.effect("accept the URL of a PostgreSQL database, and never show it", () =>
    Effect.gen(function* () {
      for (const database of ["postgres://me:hidden@127.0.0.1:5432/billing", "postgresql://db.example.com/billing"]) {
        const chosen = yield* read({ PARCELA_DATABASE: database })
        assert.isTrue(Redacted.isRedacted(chosen.database))
        assert.strictEqual(chosen.database.toString().includes("hidden"), false)
        assert.strictEqual(Redacted.value(chosen.database as Redacted.Redacted), database)
      }
    })
  )

  it.effect("set the networks of deliveries: all, or public ones and the listed ones", () =>
    Effect.gen(function* () {
      const destinations = (text: string) => Effect.map(read({ PARCELA_WEBHOOK_DESTINATIONS: text }), destinationsOf)
      for (const text of ["", "any"]) assert.isTrue(mayReach(yield* destinations(text), "10.1.2.3"), text)
      const exposed = yield* read({ PARCELA_HOST: "0.0.0.0" })
      assert.isFalse(mayReach(destinationsOf(exposed), "10.1.2.3"))
      const requested = yield* read({ PARCELA_HOST: "0.0.0.0", PARCELA_WEBHOOK_DESTINATIONS: "any" })
      assert.isTrue(mayReach(destinationsOf(requested), "10.1.2.3"))
      assert.isFalse(mayReach(yield* destinations("public"), "10.1.2.3"))
      const some = yield* destinations("public, 10.1.2.3, 192.168.0.0/16,fd00::/8")
      for (const address of ["10.1.2.3", "192.168.7.7", "fd00::7", "8.8.8.8"]) assert.isTrue(mayReach(some, address))
      for (const address of ["10.1.2.4", "127.0.0.1", "169.254.169.254"]) assert.isFalse(mayReach(some, address))
    })
  )

  it.effect("set the trusted proxies: none by default, or addresses and networks", () =>
    Effect.gen(function* () {
      const proxies = (text: string) =>
        Effect.map(read({ PARCELA_TRUSTED_PROXIES: text }), (chosen) => chosen.trustedProxies)
      assert.isUndefined(yield* proxies(""))
      assert.deepStrictEqual(yield* proxies("127.0.0.1, 10.0.0.0/8,fd00::/8 ,::1"), [
        "127.0.0.1",
        "10.0.0.0/8",
        "fd00::/8",
        "::1"
      ])
    })
  )

  it.effect("report every invalid proxy by its position, without its value", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refusal({ PARCELA_TRUSTED_PROXIES: "127.0.0.1,proxy.example.com,10.0.0.0/8,0.0.0.0/0,10.0.0.0/99" }),
        "PARCELA_TRUSTED_PROXIES must be addresses or networks of proxies, separated by commas, such as " +
          "127.0.0.1,10.0.0.0/8,fd00::/8: entry 2 is neither, entry 4 would trust everybody, entry 5 is neither."
      )
    })
  )

  it.effect("require a chosen secret if a public address is set", () =>
    Effect.gen(function* () {
      const problem = yield* refusal({ PARCELA_PUBLIC_URL: "https://billing.example.com" })
      assert.match(problem, /^PARCELA_CLIENT_SECRET must be set if PARCELA_PUBLIC_URL/)
      for (const local of ["http://localhost:8030", "http://127.0.0.1:8030/x", "http://[::1]:8030"]) {
        assert.strictEqual((yield* read({ PARCELA_PUBLIC_URL: local })).publicUrl, local)
      }
    })
  )

  it.effect("accept a public address of 180 characters", () =>
    Effect.gen(function* () {
      const publicUrl = `https://example.com/${"a".repeat(160)}`
      assert.strictEqual(
        (yield* read({ PARCELA_PUBLIC_URL: publicUrl, PARCELA_CLIENT_SECRET: "own" })).publicUrl,
        publicUrl
      )
    })
  )

  for (const [name, value] of refused) {
    it.effect(`refuse ${JSON.stringify(value.slice(0, 40))} as ${name}, with the name and without the value`, () =>
      Effect.gen(function* () {
        const message = yield* refusal({ [name]: value })
        assert.match(message, new RegExp(`^${name} must (?:be|have) `))
        if (value !== "") assert.isFalse(message.includes(`"${value}"`))
        assert.notInclude(message, "hidden")
      })
    )
  }

  it("are all on the page of settings", () => {
    const text = readFileSync(new URL("../../../docs/reference/settings.md", import.meta.url), "utf8")
    for (const name of settingNames) assert.include(text, `|\`${name}\`|`)
  })

  it.effect("are refused all at once", () =>
    Effect.gen(function* () {
      const message = yield* refusal(Object.fromEntries(refused))
      for (const [name] of refused) assert.include(message, `${name} must `)
    })
  )
})

describe("the variables of this program", () => {
  it("are known to all programs, so that none reports them as misspelt", () => {
    assert.deepStrictEqual(unknownVariables(settingNames), [])
  })
})
