/**
 * Options of a service, independent of its providers.
 *
 * @since 0.1.0
 */
import type { Language } from "@parcela/core/language/Translation"
import { galaxPay, type NamingProfile } from "@parcela/core/json/NamingProfile"
import type { SettingsShape } from "@parcela/engine/Settings"
import type { DestinationPolicy } from "@parcela/webhooks/node/GuardedAgent"
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type { ActivityLogOptions, RequestSink } from "./ActivityLog.ts"
import type { DatabaseLocation } from "./DatabaseLocation.ts"

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
