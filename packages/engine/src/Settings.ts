/**
 * What a deployment may choose; every choice has a default.
 *
 * @since 0.1.0
 */
import { saoPaulo } from "@parcela/core/time/WallClock"
import type { Language } from "@parcela/core/language/Translation"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { RecordKind } from "./ports/OldRecords.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface SettingsShape {
  /** The zone of times without a zone, and of "today". */
  readonly zone: DateTime.TimeZone
  /** The public address of this service, without a slash at the end: slips and Pix codes are linked under it. */
  readonly publicUrl: string
  /** The service's name in the keys of deliveries, requests and responses. */
  readonly naming: NamingProfile
  /** The language of what people read: `statusDescription`, `reasonDenied` and the messages of errors. */
  readonly language: Language
  /** `expires_in` of a token. */
  readonly tokenLifetime: Duration.Duration
  /** How long a provider may take over an attempt before its response counts as lost. */
  readonly attemptTimeout: Duration.Duration
  /** How long a worker leases a delivery or a row of due work; longer than any timeout, as this lease is not renewed. */
  readonly lease: Duration.Duration
  /**
   * How long after the end of a process another one may take over its payment attempts. A process renews the leases of its
   * running attempts three times within this time. Shorter than `attemptTimeout`: a client that repeats its request waits
   * that long for the attempt.
   */
  readonly attemptLease: Duration.Duration
  /** Whether a webhook endpoint may have this address, as far as its host tells without a lookup of its name. */
  readonly mayDeliverTo: (url: string) => boolean
  /** How long each kind of record is kept; for good where it is undefined. */
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
    // Keys: a shop that asks again after a year must not pay twice. States are rebuilt from the whole journal.
    retention: { keys: undefined, tries: Duration.days(90), journal: undefined }
  })
})
