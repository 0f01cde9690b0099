/**
 * Options of a service, independent of its providers, and the formats of those that users write as text: the location of
 * the rows, the public URL and the trusted proxies.
 *
 * @since 0.1.0
 */
import type { Language } from "@parcela/core/language/Translation"
import { galaxPay, type NamingProfile } from "@parcela/core/json/NamingProfile"
import type { SettingsShape } from "@parcela/engine/Settings"
import type { DestinationPolicy } from "@parcela/webhooks/node/GuardedAgent"
import type * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import type { ActivityLogOptions, RequestSink } from "./ActivityLog.ts"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { isNetwork } from "@parcela/core/companies/AddressRange"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * @category options
 * @since 0.1.0
 */
export interface ServiceOptions {
  /** The address to listen on. */
  readonly host: string
  /** The port to listen on; 0 selects a free one. */
  readonly port: number
  /**
   * The database file, `:memory:`, or the redacted URL `postgres://user:password@host:port/database`, which several
   * processes may share. A URL as plain text is accepted and redacted.
   */
  readonly database: DatabaseLocation
  /** Timeout of a statement on PostgreSQL, after which the request fails with a 503; default 15 seconds. */
  readonly databaseTimeout?: Duration.Input | undefined
  /** The file of the master key; default: `<database file>.key`, or `.parcela/postgres.key`. */
  readonly keyFile?: string | undefined
  /** The public URL for payers, if it differs from the listening address. */
  readonly publicUrl?: string | undefined
  /** Proxies whose `X-Forwarded-For` is trusted: addresses, or networks as `address/bits`; default none. */
  readonly trustedProxies?: ReadonlyArray<string> | undefined
  /** The networks that deliveries may use; default: public addresses only. */
  readonly destinations?: DestinationPolicy | undefined
  /** The naming profile for clients that were written for another deployment; default `svcPay`. */
  readonly naming?: NamingProfile | undefined
  /**
   * The language of texts in responses, deliveries and errors. The default is `pt` if `naming` is `galaxPay`, whose
   * clients show these texts to payers, and otherwise `en`.
   */
  readonly language?: Language | undefined
  /** True if unknown keys and alternative forms of values are refused; default false. */
  readonly strictRequests?: boolean | undefined
  /**
   * True if a customer's `document` may be a CNPJ with letters, which are issued since July 2026. True by default if
   * `naming` is not the interface's own.
   */
  readonly documentsWithLetters?: boolean | undefined
  /** The origins whose pages may call the interface, `https://shop.example`, or `*` for any; default none. */
  readonly allowedOrigins?: ReadonlyArray<string> | undefined
  /**
   * The token for the administration under `/admin`, sent as `Authorization: Bearer` from any address: 24 to 255
   * visible ASCII characters. Without a token only programs on this machine may use the administration.
   */
  readonly operatorToken?: Redacted.Redacted | undefined
  /**
   * Time that connections without a request stay open after the service stops, because a request may be in transit;
   * default half a second. Zero is right if all clients have finished.
   */
  readonly lingering?: Duration.Input | undefined
  /**
   * Retention of each kind of record. By default delivery attempts are stored for 90 days; keys and the journal have no
   * limit.
   */
  readonly retention?: Partial<SettingsShape["retention"]> | undefined
  /** The output of the log, with a line for each request and each event; without it requests are not logged. */
  readonly log?: ActivityLogOptions | undefined
  /** Receives each request after its response, in addition to the log. */
  readonly onRequest?: RequestSink | undefined
}

/**
 * Returns the language of a service's texts, configured or derived from the naming profile.
 *
 * @category getters
 * @since 0.1.0
 */
export const languageOf = ({ language, naming }: Pick<ServiceOptions, "language" | "naming">): Language | undefined =>
  language ?? (naming?.name === galaxPay.name ? "pt" : undefined)

/**
 * A path or `:memory:` as text, or the redacted URL of a PostgreSQL database, which contains a password.
 *
 * @category models
 * @since 0.1.0
 */
export type DatabaseLocation = string | Redacted.Redacted

// Without slashes the text is neither a URL nor a file name, but the rest may be a password.
const startsLikePostgres = (text: string): boolean => /^\s*postgres(?:ql)?:/i.test(text)

/**
 * Returns true for `postgres://..` and `postgresql://..`.
 *
 * @category guards
 * @since 0.1.0
 */
export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//i.test(text)

/**
 * Returns the location of a text, redacted if it starts like a PostgreSQL URL.
 *
 * @category constructors
 * @since 0.1.0
 */
export const locationOf = (database: DatabaseLocation): DatabaseLocation =>
  typeof database === "string" && startsLikePostgres(database) ? Redacted.make(database) : database

/**
 * Returns the location for output and errors: without user name, password and parameters.
 *
 * @category conversions
 * @since 0.1.0
 */
export const shown = (database: DatabaseLocation): string => {
  const location = locationOf(database)
  if (typeof location === "string") return location
  const text = Redacted.value(location)
  if (!isPostgresUrl(text) || !URL.canParse(text)) return "a PostgreSQL database"
  const { host, pathname, protocol } = new URL(text)
  return `${protocol}//${host}${pathname}`
}

/**
 * Returns the default master key file of a database; undefined for `:memory:`, whose key is temporary. Every process on
 * one PostgreSQL database needs a copy of the same file.
 *
 * @category conversions
 * @since 0.1.0
 */
export const keyFileOf = (database: DatabaseLocation): string | undefined => {
  const location = locationOf(database)
  if (location === ":memory:") return undefined
  return typeof location === "string" ? `${location}.key` : ".parcela/postgres.key"
}

/**
 * Maximum length of a public URL. The longest link below the URL adds 56 characters, and the interface limits links to
 * 255 (section 3, `Boleto.pdf`).
 */
const maximumLength = 180

const isPublic = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    url.username === "" &&
    url.password === "" &&
    !/[?#\\\s]/.test(text)
  )
}

const withoutSlash = (text: string): string => (isPublic(text) ? new URL(text).href.replace(/\/+$/, "") : text)

/**
 * An http or https URL without user name, query and fragment, of at most 180 characters. Decoding drops a final slash
 * and normalizes the host name.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PublicUrl = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.makeFilter(isPublic, {
        expected: "an http or https address without user name, query and fragment, such as https://billing.example.com"
      }),
      Schema.isMaxLength(maximumLength, { expected: `at most ${maximumLength} characters` })
    ),
    { decode: SchemaGetter.transform(withoutSlash), encode: SchemaGetter.passthrough() }
  )
)

const entriesOf = (text: string): ReadonlyArray<string> => text.split(",").map((entry) => entry.trim())

/**
 * Returns the invalid entries by position. Values are not shown, because a secret may have been pasted into the wrong
 * line.
 */
const faultsOf = (text: string): ReadonlyArray<string> =>
  entriesOf(text).flatMap((entry, index) => {
    if (!isNetwork(entry)) return [`entry ${index + 1} is neither`]
    // A trusted client can choose its own address for limits and logs.
    return /\/0+$/.test(entry) ? [`entry ${index + 1} would trust everybody`] : []
  })

const expected = "addresses or networks of proxies, separated by commas, such as 127.0.0.1,10.0.0.0/8,fd00::/8"

/**
 * Addresses and networks (`address/bits`) as comma-separated text. A network of every address is refused.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TrustedProxyList = Schema.String.check(
  Schema.makeFilter((text) => {
    const faults = faultsOf(text)
    return faults.length === 0 || `${expected}: ${faults.join(", ")}`
  })
).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.String),
    SchemaTransformation.transform({ decode: entriesOf, encode: (entries) => entries.join(",") })
  )
)
