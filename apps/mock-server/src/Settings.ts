/**
 * Reads and validates the environment variables once, and reports all problems together.
 *
 * @since 0.1.0
 */
import { isNetwork } from "@parcela/core/companies/AddressRange"
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { Language } from "@parcela/core/language/Translation"
import { profile, ServiceName, svcPay } from "@parcela/core/json/NamingProfile"
import { nonEmptyString } from "@parcela/core/values/Text"
import { isPostgresUrl, locationOf, PublicUrl, TrustedProxyList } from "@parcela/service/ServiceOptions"
import { isLoopbackHost, OperatorToken } from "@parcela/service/OperatorAccess"
import * as RemotePix from "@parcela/sandbox/RemotePix"
import { defaults } from "@parcela/sandbox/SandboxOptions"
import type { DestinationPolicy } from "@parcela/webhooks/node/GuardedAgent"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { isIP } from "node:net"

/** Invalid settings. The message has a line for each and shows no values. */
class SettingsError extends Schema.TaggedError<SettingsError>()("SettingsError", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return this.problems.join("\n")
  }
}

const Port = Schema.NumberFromString.check(
  Schema.makeFilter((port) => Number.isInteger(port) && port >= 0 && port <= 65_535, {
    expected: "a port: a whole number from 0 (any free one) to 65535"
  })
)

const Host = Schema.String.check(
  Schema.makeFilter((host) => isIP(host) !== 0 || /^[a-z0-9_]([a-z0-9_-]*\.?)*$/iu.test(host), {
    expected: "an IP address or a host name, without port, scheme and brackets"
  })
)

/** Returns true if the URL names a database. The default `postgres` could belong to other programs. */
const namesDatabase = (text: string): boolean =>
  isPostgresUrl(text) && URL.canParse(text) && new URL(text).hostname !== "" && new URL(text).pathname.length > 1

/**
 * Matches text that is not a file path. A PostgreSQL URL without slashes is excluded too, because a path would be shown
 * with its password.
 */
const notPath = /\0|^\s*(?:[a-z][a-z0-9+.-]*:\/\/|file:|(?:jdbc:)?postgres(?:ql)?:)/iu

const Database = Schema.String.check(
  Schema.makeFilter((text) => namesDatabase(text) || !notPath.test(text), {
    expected: "the path of a SQLite file, :memory:, or postgres://user:password@host:port/database"
  })
)

// `fromInput` returns None for invalid text.
const durationOf = (text: string) => Duration.fromInput(text as Duration.Input)

const Timeout = Schema.String.check(
  Schema.makeFilter(
    (text) =>
      Option.exists(
        durationOf(text),
        Duration.between({ minimum: Duration.seconds(1), maximum: Duration.minutes(10) })
      ),
    { expected: "a duration from 1 second to 10 minutes, such as 15 seconds" }
  )
)

const Retention = Schema.String.check(
  Schema.makeFilter(
    (text) =>
      text === "always" ||
      Option.exists(durationOf(text), Duration.between({ minimum: Duration.days(1), maximum: Duration.days(36_500) })),
    { expected: "always, or a duration of 1 day or more, such as 90 days" }
  )
)

/** Undefined means unlimited retention. */
const retentionOf = (text: string) => (text === "always" ? undefined : Option.getOrUndefined(durationOf(text)))

const PathOfFile = Schema.String.check(
  Schema.makeFilter((file) => !/\0|^[a-z][a-z0-9+.-]*:\/\//iu.test(file), { expected: "the path of a file" })
)

// HTTP Basic ends a user name at the first colon (RFC 7617, section 2) and allows no control characters.
const ClientId = nonEmptyString(255).check(
  Schema.isPattern(/^[^:\p{Cc}]*$/u, { expected: "text without colons and control characters" })
)

const ClientSecret = nonEmptyString(255).check(
  Schema.isPattern(/^\P{Cc}*$/u, { expected: "text without control characters" })
)

/** Splits a setting into the general rule for private addresses and the exceptions. */
const destinationsOf = (text: string) => {
  const [range, ...exceptions] = text.split(",").map((part) => part.trim())
  return { range, exceptions }
}

const Destinations = Schema.String.check(
  Schema.makeFilter(
    (text) => {
      const { exceptions, range } = destinationsOf(text)
      return text === "any" || (range === "public" && exceptions.every(isNetwork))
    },
    { expected: "any, public, or public followed by private networks: public,10.1.2.3,192.168.0.0/16,fd00::/8" }
  )
)

const policyOf = (text: string): DestinationPolicy => {
  const { exceptions, range } = destinationsOf(text)
  return { allowPrivate: range === "any", exceptions }
}

/** Returns true for an origin as browsers write it: without path and final slash. */
const isOrigin = (text: string): boolean => URL.parse(text)?.origin === text

const originsOf = (text: string): ReadonlyArray<string> => text.split(",").map((part) => part.trim())

const AllowedOrigins = Schema.String.check(
  Schema.makeFilter((text) => text === "*" || originsOf(text).every(isOrigin), {
    expected: "*, or origins of pages separated by commas, such as https://shop.example,http://localhost:3000"
  })
)

const Simulators = Schema.Literals(["reset"])

const LogFormat = Schema.Literals(["off", "text", "json"])

/** Each variable of this program with its schema. */
const Variables = Schema.Struct({
  PARCELA_HOST: Schema.optionalKey(Host),
  PARCELA_PORT: Schema.optionalKey(Port),
  PARCELA_DATABASE: Schema.optionalKey(Database),
  PARCELA_DATABASE_TIMEOUT: Schema.optionalKey(Timeout),
  PARCELA_KEY_FILE: Schema.optionalKey(PathOfFile),
  PARCELA_CLIENT_ID: Schema.optionalKey(ClientId),
  PARCELA_CLIENT_SECRET: Schema.optionalKey(ClientSecret),
  PARCELA_CONTROLS_TOKEN: Schema.optionalKey(OperatorToken),
  PARCELA_OPERATOR_TOKEN: Schema.optionalKey(OperatorToken),
  PARCELA_NAMING: Schema.optionalKey(ServiceName),
  PARCELA_CNPJ: Schema.optionalKey(Schema.Literals(["digits", "letters"])),
  PARCELA_LANGUAGE: Schema.optionalKey(Language),
  PARCELA_PUBLIC_URL: Schema.optionalKey(PublicUrl),
  PARCELA_TRUSTED_PROXIES: Schema.optionalKey(TrustedProxyList),
  PARCELA_ALLOWED_ORIGINS: Schema.optionalKey(AllowedOrigins),
  PARCELA_REQUESTS: Schema.optionalKey(Schema.Literals(["tolerant", "strict"])),
  PARCELA_WEBHOOK_DESTINATIONS: Schema.optionalKey(Destinations),
  PARCELA_PIX_ACCOUNT: Schema.optionalKey(PathOfFile),
  PARCELA_SIMULATORS: Schema.optionalKey(Simulators),
  PARCELA_SIMULATE_PAYMENTS: Schema.optionalKey(Schema.Literals(["on", "off"])),
  PARCELA_KEEP_KEYS: Schema.optionalKey(Retention),
  PARCELA_KEEP_ATTEMPTS: Schema.optionalKey(Retention),
  PARCELA_KEEP_JOURNAL: Schema.optionalKey(Retention),
  PARCELA_LOG: Schema.optionalKey(LogFormat)
})

/** The name of a variable of this program. */
export type Variable = keyof typeof Variables.fields

/** The variables of this program. */
// `Object.keys` has the type `string[]`.
export const settingNames = Object.keys(Variables.fields) as ReadonlyArray<Variable>

/** Empty credentials must not fall back to the published defaults. */
const mayNotBeEmpty: ReadonlySet<Variable> = new Set(["PARCELA_CLIENT_ID", "PARCELA_CLIENT_SECRET"])

/** The environment with empty variables, which Effect ignores by default. */
export const environment: Layer.Layer<never> = ConfigProvider.layer(
  ConfigProvider.fromEnv({ preserveEmptyStrings: true })
)

/** Returns the variables that are set. Empty variables count as not set, as in template files. */
const given = Effect.gen(function* () {
  const found: Array<readonly [Variable, string]> = []
  for (const name of settingNames) {
    const text = yield* Effect.orElseSucceed(Config.String(name), () => undefined)
    if (text !== undefined && (text !== "" || mayNotBeEmpty.has(name))) found.push([name, text])
  }
  return Object.fromEntries(found)
})

/** Returns true if the public URL is not on this machine. */
const isReachableByOthers = (publicUrl: string | undefined): boolean =>
  publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname)

/** All settings with their defaults; fails with all problems. */
export const settings = Effect.gen(function* () {
  const read = yield* Schema.decodeUnknownEffect(Variables, { errors: "all" })(yield* given).pipe(
    Effect.mapError(({ issue }) => {
      const faults = Object.entries(detailsOf(issue, "Settings"))
      return new SettingsError({
        problems: faults.map(([field, problems]) => `${field.slice("Settings.".length)} ${problems.join(", ")}.`)
      })
    })
  )
  if (isReachableByOthers(read.PARCELA_PUBLIC_URL) && read.PARCELA_CLIENT_SECRET === undefined) {
    return yield* new SettingsError({
      problems: [
        "PARCELA_CLIENT_SECRET must be set if PARCELA_PUBLIC_URL is not an address of this machine: the default is published."
      ]
    })
  }
  const pix =
    read.PARCELA_PIX_ACCOUNT === undefined
      ? {}
      : yield* Effect.mapError(
          RemotePix.read(read.PARCELA_PIX_ACCOUNT),
          ({ message }) => new SettingsError({ problems: [`PARCELA_PIX_ACCOUNT: ${message}.`] })
        )
  return {
    ...pix,
    simulators: read.PARCELA_SIMULATORS,
    simulatePayments:
      read.PARCELA_SIMULATE_PAYMENTS === undefined ? undefined : read.PARCELA_SIMULATE_PAYMENTS === "on",
    host: read.PARCELA_HOST ?? defaults.host,
    port: read.PARCELA_PORT ?? defaults.port,
    database: locationOf(read.PARCELA_DATABASE ?? defaults.database),
    databaseTimeout:
      read.PARCELA_DATABASE_TIMEOUT === undefined
        ? undefined
        : Option.getOrUndefined(durationOf(read.PARCELA_DATABASE_TIMEOUT)),
    keyFile: read.PARCELA_KEY_FILE,
    clientId: read.PARCELA_CLIENT_ID ?? defaults.clientId,
    clientSecret:
      read.PARCELA_CLIENT_SECRET === undefined ? defaults.clientSecret : Redacted.make(read.PARCELA_CLIENT_SECRET),
    controlsToken: read.PARCELA_CONTROLS_TOKEN === undefined ? undefined : Redacted.make(read.PARCELA_CONTROLS_TOKEN),
    operatorToken: read.PARCELA_OPERATOR_TOKEN === undefined ? undefined : Redacted.make(read.PARCELA_OPERATOR_TOKEN),
    naming: read.PARCELA_NAMING === undefined ? svcPay : profile(read.PARCELA_NAMING),
    language: read.PARCELA_LANGUAGE,
    documentsWithLetters: read.PARCELA_CNPJ && read.PARCELA_CNPJ === "letters",
    publicUrl: read.PARCELA_PUBLIC_URL,
    trustedProxies: read.PARCELA_TRUSTED_PROXIES,
    allowedOrigins: read.PARCELA_ALLOWED_ORIGINS === undefined ? [] : originsOf(read.PARCELA_ALLOWED_ORIGINS),
    strictRequests: read.PARCELA_REQUESTS === "strict",
    destinations:
      read.PARCELA_WEBHOOK_DESTINATIONS === undefined ? undefined : policyOf(read.PARCELA_WEBHOOK_DESTINATIONS),
    retention: {
      keys: retentionOf(read.PARCELA_KEEP_KEYS ?? "always"),
      attempts: retentionOf(read.PARCELA_KEEP_ATTEMPTS ?? "90 days"),
      journal: retentionOf(read.PARCELA_KEEP_JOURNAL ?? "always")
    },
    /** Undefined selects the default: text in a terminal, and JSON elsewhere. */
    logFormat: read.PARCELA_LOG
  }
})

export type Settings = Effect.Success<typeof settings>
