/**
 * Port: the addresses that events are delivered to.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EpochMillis } from "@parcela/core/time/EpochMillis"
import type { SecretVersions } from "@parcela/core/webhooks/SecretVersion"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface WebhookEndpoint {
  readonly id: number
  readonly companyId: CompanyId
  /** The one that `PUT /webhooks` edits: a company has at most one, and it cannot be deleted. */
  readonly isDefault: boolean
  readonly url: string
  /** The events that are switched on. */
  readonly events: ReadonlyArray<WebhookEvent>
  /** Nothing is sent to an endpoint that is off; its deliveries wait until it is on. */
  readonly isOn: boolean
  /** Why it is off, and since when. */
  readonly offReason: string | undefined
  readonly offAt: EpochMillis | undefined
  /** How often in a row it could not be reached, or asked for a pause. */
  readonly failures: number
  /** Since when that is so. */
  readonly failingSince: EpochMillis | undefined
  /** Until then it is left alone. */
  readonly nextAt: EpochMillis | undefined
  readonly secrets: SecretVersions
}

/**
 * What somebody decides about an endpoint.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointSettings {
  readonly url: string
  readonly events: ReadonlyArray<WebhookEvent>
}

/**
 * @category ports
 * @since 0.1.0
 */
export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /** A company's endpoints, by number, without those that were deleted. */
    readonly ofCompany: (companyId: CompanyId) => Effect.Effect<ReadonlyArray<WebhookEndpoint>, StoreError>
    /** Also one that was deleted is not found. */
    readonly find: (id: number) => Effect.Effect<Option.Option<WebhookEndpoint>, StoreError>
    /**
     * Writes a company's default endpoint, which stays the only such one also when several are written at once: it is
     * switched on, and is not failing any more. Its secrets stay what they are; a new one has the company's own.
     */
    readonly put: (
      companyId: CompanyId,
      settings: EndpointSettings,
      now: EpochMillis
    ) => Effect.Effect<WebhookEndpoint, StoreError>
    /** Adds an endpoint beside the default one, switched on. */
    readonly insert: (
      companyId: CompanyId,
      settings: EndpointSettings & { readonly secrets: SecretVersions },
      now: EpochMillis
    ) => Effect.Effect<WebhookEndpoint, StoreError>
    /** Changes address and events, and ends a time of failures; on or off stays as it is. False when it is not there. */
    readonly edit: (id: number, settings: EndpointSettings, now: EpochMillis) => Effect.Effect<boolean, StoreError>
    /**
     * Replaces the secrets that were read. Where another command replaced them meanwhile it fails with `Changed`, and
     * the unit runs again.
     */
    readonly replaceSecrets: (
      endpoint: Pick<WebhookEndpoint, "id" | "secrets">,
      secrets: SecretVersions,
      now: EpochMillis
    ) => Effect.Effect<void, StoreError>
    /** Takes an endpoint out for good; its deliveries stay. False when it is not there, or is the default one. */
    readonly remove: (id: number, now: EpochMillis) => Effect.Effect<boolean, StoreError>
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
    /** Ends a time of failures too. False when it was on already. */
    readonly switchOn: (id: number, now: EpochMillis) => Effect.Effect<boolean, StoreError>
  }
>()("@parcela/engine/ports/WebhookEndpoints") {}
