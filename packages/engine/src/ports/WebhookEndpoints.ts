/**
 * Port: the webhook endpoints and their health. Commands write the other changes of endpoints.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/Instant"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * The health of an endpoint. Commands do not decide it, and the journal does not contain it.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointHealth {
  /** The number of consecutive failures or requested pauses. */
  readonly failures: number
  /** The time of the first of these failures. */
  readonly failingSince: MachineTime | undefined
  /** No delivery is sent before this time. */
  readonly nextAt: MachineTime | undefined
}

/**
 * The health of an endpoint without failures.
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
    /** Returns a company's endpoints ordered by number, without deleted ones. */
    readonly ofCompany: (companyId: CompanyId) => Effect.Effect<ReadonlyArray<WebhookEndpoint>, StoreError>
    /** Returns an endpoint, or none if it was deleted. */
    readonly find: (id: number) => Effect.Effect<Option.Option<WebhookEndpoint>, StoreError>
    /**
     * Returns at most `limit` enabled endpoints without a pause that have a due delivery. Numbers above `after` come
     * first, so a caller that continues after the last number reaches all endpoints.
     */
    readonly listDue: (request: {
      readonly now: MachineTime
      readonly except: ReadonlyArray<number>
      readonly after: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<number>, StoreError>
    /** Records a failure and pauses the endpoint until `nextAt`. */
    readonly fail: (id: number, now: MachineTime, nextAt: MachineTime) => Effect.Effect<void, StoreError>
    /** Resets the failures of an endpoint. */
    readonly recover: (id: number) => Effect.Effect<void, StoreError>
  }
>()("@parcela/engine/ports/WebhookEndpoints") {}
