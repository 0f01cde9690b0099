/**
 * What a service is composed from, whichever providers it has.
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
  /** The port to listen on; 0 takes a free one. */
  readonly port: number
  /**
   * The database file, `:memory:`, or, redacted, `postgres://user:password@host:port/database`, which any number of
   * processes may share. The URL as plain text is taken too, and redacted at once.
   */
  readonly database: DatabaseLocation
  /** How long a statement waits for PostgreSQL before its request fails with a 503; default 15 seconds. */
  readonly databaseTimeout?: Duration.Input | undefined
  /** The file of the master key; default: `<database file>.key`, or `.parcela/postgres.key`. */
  readonly keyFile?: string | undefined
  /** The address under which payers reach the service, when that is not the address it listens on. */
  readonly publicUrl?: string | undefined
  /**
   * The proxies that are believed when they say, in `X-Forwarded-For`, whose request they pass on: addresses, or networks
   * as `address/bits`; default none.
   */
  readonly trustedProxies?: ReadonlyArray<string> | undefined
  /** Which networks deliveries may go to; default: public addresses alone. */
  readonly destinations?: DestinationPolicy | undefined
  /** The service's name on the wire, for code that was written for a deployment of another name; default `svcPay`. */
  readonly naming?: NamingProfile | undefined
  /**
   * The language of what people read in responses, deliveries and errors; default `pt` where `naming` is `galaxPay`, as clients
   * of that name show it to payers, and `en` elsewhere.
   */
  readonly language?: Language | undefined
  /** Whether requests are refused that could be read in another form, or have keys that nothing reads; default false. */
  readonly strictRequests?: boolean | undefined
  /**
   * Whether a customer's `document` may be a CNPJ with letters, which are issued since July 2026; by default where `naming` is
   * not the interface's own.
   */
  readonly documentsWithLetters?: boolean | undefined
  /** The origins whose pages may call the interface, `https://shop.example`, or `*` for any; default none. */
  readonly allowedOrigins?: ReadonlyArray<string> | undefined
  /**
   * Who sends it as `Authorization: Bearer` may use the administration under `/admin`, from anywhere: 24 to 255 visible ASCII
   * characters. Without it only programs on this machine may.
   */
  readonly operatorToken?: Redacted.Redacted | undefined
  /**
   * How long connections without a request stay open once the service stops, as a request that is on its way on one would be lost:
   * default half a second. What has sent its last request needs none.
   */
  readonly lingering?: Duration.Input | undefined
  /** How long each kind of record is kept. By default tries of deliveries 90 days, keys and the journal for good. */
  readonly retention?: Partial<SettingsShape["retention"]> | undefined
  /** Where a line for each request goes, and for each event of the log; without it requests leave no line. */
  readonly log?: ActivityLogOptions | undefined
  /** Takes each request that was responded to, beside the log. */
  readonly onRequest?: RequestSink | undefined
}

/**
 * The language of a service's texts, where it is set or follows from the name on the wire.
 *
 * @category getters
 * @since 0.1.0
 */
export const languageOf = ({ language, naming }: Pick<ServiceOptions, "language" | "naming">): Language | undefined =>
  language ?? (naming?.name === galaxPay.name ? "pt" : undefined)
