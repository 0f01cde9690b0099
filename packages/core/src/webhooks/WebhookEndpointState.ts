/**
 * The stored webhook endpoint: the URL that receives events.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { MachineTime } from "../time/Instant.ts"
import { SecretVersions } from "./SecretVersion.ts"
import { WebhookEvent } from "./WebhookEvent.ts"

/**
 * An endpoint of one company. Only decisions change this state. Its delivery state (failures, pauses) is stored
 * separately.
 *
 * @category schemas
 * @since 0.1.0
 */
export const WebhookEndpointState = Schema.Struct({
  id: Schema.Int,
  companyId: CompanyId,
  /**
   * True for the default endpoint, which `PUT /webhooks` edits. A company has at most one, and it cannot be deleted.
   */
  isDefault: Schema.Boolean,
  url: Schema.String,
  /** The events that are switched on. */
  events: Schema.Array(WebhookEvent),
  /** False if the endpoint is switched off: its deliveries are queued and not sent. */
  isOn: Schema.Boolean,
  /** Reason and time of switching off. */
  offReason: Schema.optionalKey(Schema.String),
  offAt: Schema.optionalKey(MachineTime),
  secrets: SecretVersions,
  createdAt: MachineTime,
  updatedAt: MachineTime,
  /** Time of deletion. A deleted endpoint is stored only for its past deliveries. */
  deletedAt: Schema.optionalKey(MachineTime)
})

/**
 * @category models
 * @since 0.1.0
 */
export type WebhookEndpointState = typeof WebhookEndpointState.Type

/**
 * The settings of an endpoint that users can change: URL and events.
 *
 * @category models
 * @since 0.1.0
 */
export type EndpointSettings = Pick<WebhookEndpointState, "url" | "events">
