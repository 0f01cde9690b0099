/**
 * What every load brings.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ClockOffset } from "@parcela/core/time/BusinessTime"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"

/**
 * What every load brings: the company, its clock, how often it was restored, and its endpoints, which deliveries go to.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyContext {
  readonly companyId: CompanyId
  readonly clock: ClockOffset
  /** Rises when the company is restored or reset: nothing that rests on an earlier number is written. */
  readonly restores: number
  readonly endpoints: ReadonlyArray<Pick<WebhookEndpointState, "id" | "events">>
}
