/**
 * The settings of a deployment, with a default for each.
 *
 * @since 0.1.0
 */
import { saoPaulo } from "@parcela/core/time/Instant"
import type { Language } from "@parcela/core/language/Translation"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

/**
 * The kinds of records with a retention time.
 *
 * - `keys`: `Idempotency-Key`s with their responses; a key without a response is not deleted
 * - `attempts`: attempts of deliveries; the deliveries themselves are not deleted
 * - `journal`: journal entries
 *
 * @category models
 * @since 0.1.0
 */
export const recordKinds = ["keys", "attempts", "journal"] as const

/**
 * @category models
 * @since 0.1.0
 */
export type RecordKind = (typeof recordKinds)[number]

/**
 * @category models
 * @since 0.1.0
 */
export interface SettingsShape {
  /** The time zone of dates, and of times without a zone. */
  readonly zone: DateTime.TimeZone
  /**
   * The public base URL of this service, without a slash at the end. Links to boletos and Pix codes start with this
   * URL.
   */
  readonly publicUrl: string
  /** The naming profile of requests, responses and deliveries. */
  readonly naming: NamingProfile
  /** The language of texts for people: `statusDescription`, `reasonDenied` and error messages. */
  readonly language: Language
  /** The lifetime of a token, returned as `expires_in`. */
  readonly tokenLifetime: Duration.Duration
  /** Timeout of a request to a provider. After this time the response counts as lost. */
  readonly attemptTimeout: Duration.Duration
  /** Lease time of a delivery or job. It must be longer than every timeout, because these leases are not renewed. */
  readonly lease: Duration.Duration
  /**
   * Lease time of a payment attempt. A running process renews the lease three times within this time. After a crash
   * another process takes over the attempt when the lease ends. Must be shorter than `attemptTimeout`, the time for
   * which a repeated request waits for the attempt.
   */
  readonly attemptLease: Duration.Duration
  /** Returns true if a webhook endpoint may have this URL, as far as the host shows without a DNS lookup. */
  readonly mayDeliverTo: (url: string) => boolean
  /** Retention time of each kind of record. Undefined: unlimited. */
  readonly retention: Readonly<Record<RecordKind, Duration.Duration | undefined>>
}

/**
 * @category settings
 * @since 0.1.0
 */
export const Settings = Context.Reference<SettingsShape>("@parcela/engine/Settings", {
  defaultValue: () => ({
    zone: saoPaulo,
    publicUrl: "http://127.0.0.1:8026",
    naming: svcPay,
    language: "en",
    tokenLifetime: Duration.seconds(600),
    attemptTimeout: Duration.seconds(20),
    lease: Duration.seconds(60),
    attemptLease: Duration.seconds(15),
    mayDeliverTo: () => true,
    // Keys have unlimited retention, so that a request repeated after a year does not pay twice. States are rebuilt
    // from the whole journal.
    retention: { keys: undefined, attempts: Duration.days(90), journal: undefined }
  })
})
