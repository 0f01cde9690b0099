/**
 * Port: the addresses that events are delivered to, and how each fares at the moment. What is decided about an endpoint is
 * written by commands.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * The health of an endpoint: not decided by a command, and not in the journal.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointHealth {
  /** How often in a row it could not be reached, or asked for a pause. */
  readonly failures: number
  /** Since when that is so. */
  readonly failingSince: MachineTime | undefined
  /** Until then it is left alone. */
  readonly nextAt: MachineTime | undefined
}

/**
 * Nothing is known against it.
 *
 * @category constants
 * @since 0.1.0
 */
export const notFailing: EndpointHealth = { failures: 0, failingSince: undefined, nextAt: undefined }

/**
 * @category models
 * @since 0.1.0
 */
export interface WebhookEndpoint extends WebhookEndpointState, EndpointHealth {}

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
     * Endpoints that are on, are not to be left alone, and have a delivery that is due; at most `limit`. They come in the
     * order of their numbers, those above `after` first, so that a caller that goes on after the last one comes to all.
     */
    readonly listDue: (request: {
      readonly now: MachineTime
      readonly except: ReadonlyArray<number>
      readonly after: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<number>, StoreError>
    /** Counts a failure, and leaves the endpoint alone until `nextAt`. */
    readonly fail: (id: number, now: MachineTime, nextAt: MachineTime) => Effect.Effect<void, StoreError>
    /** Ends a time of failures. */
    readonly recover: (id: number) => Effect.Effect<void, StoreError>
  }
>()("@parcela/engine/ports/WebhookEndpoints") {}
