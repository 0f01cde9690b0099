/**
 * Port: the addresses that events are delivered to.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EpochMillis } from "@parcela/core/EpochMillis"
import type { WebhookEvent } from "@parcela/core/WebhookEvent"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "../StoreError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface WebhookEndpoint {
  readonly id: number
  readonly companyId: CompanyId
  readonly url: string
  /** The events that are switched on. */
  readonly events: ReadonlyArray<WebhookEvent>
  /** An endpoint that is off gets nothing until it is edited. */
  readonly isOn: boolean
  /** How often in a row it could not be reached, or asked for a pause. */
  readonly failures: number
  /** Since when that is so. */
  readonly failingSince: EpochMillis | undefined
  /** Until then it is left alone. */
  readonly nextAt: EpochMillis | undefined
}

/**
 * @category ports
 * @since 0.1.0
 */
export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /** A company's endpoints: none, or one. */
    readonly ofCompany: (companyId: CompanyId) => Effect.Effect<ReadonlyArray<WebhookEndpoint>, StoreError>
    readonly find: (id: number) => Effect.Effect<Option.Option<WebhookEndpoint>, StoreError>
    /**
     * Writes a company's endpoint, which stays the only one also when several are written at once: it is switched on, and
     * is not failing any more.
     */
    readonly put: (
      companyId: CompanyId,
      settings: { readonly url: string; readonly events: ReadonlyArray<WebhookEvent> },
      now: EpochMillis
    ) => Effect.Effect<WebhookEndpoint, StoreError>
    /** Endpoints that are on, are not to be left alone, and have a delivery that is due; at most `limit`. */
    readonly listDue: (
      now: EpochMillis,
      except: ReadonlyArray<number>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<number>, StoreError>
    /** Counts a failure, and leaves the endpoint alone until `nextAt`. */
    readonly fail: (id: number, now: EpochMillis, nextAt: EpochMillis) => Effect.Effect<void, StoreError>
    /** Ends a time of failures. */
    readonly recover: (id: number) => Effect.Effect<void, StoreError>
    /** False when it was off already. */
    readonly switchOff: (id: number, reason: string, now: EpochMillis) => Effect.Effect<boolean, StoreError>
  }
>()("@parcela/engine/ports/WebhookEndpoints") {}
