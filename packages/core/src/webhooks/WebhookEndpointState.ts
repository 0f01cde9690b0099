/**
 * What the service keeps of a webhook endpoint: the address that events are delivered to.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { MachineTime } from "../time/MachineTime.ts"
import { SecretVersions } from "./SecretVersion.ts"
import { WebhookEvent } from "./WebhookEvent.ts"

/**
 * An endpoint of one company. It is changed by decisions alone; how it fares at the moment (failures, pauses) is kept
 * beside it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const WebhookEndpointState = Schema.Struct({
  id: Schema.Int,
  companyId: CompanyId,
  /** The one that `PUT /webhooks` edits: a company has at most one, and it cannot be deleted. */
  isDefault: Schema.Boolean,
  url: Schema.String,
  /** The events that are switched on. */
  events: Schema.Array(WebhookEvent),
  /** Nothing is sent to an endpoint that is off; its deliveries wait until it is on. */
  isOn: Schema.Boolean,
  /** Why it is off, and since when. */
  offReason: Schema.optionalKey(Schema.String),
  offAt: Schema.optionalKey(MachineTime),
  secrets: SecretVersions,
  createdAt: MachineTime,
  updatedAt: MachineTime,
  /** It is not there any more, but for the deliveries that it got. */
  deletedAt: Schema.optionalKey(MachineTime)
})

/**
 * @category models
 * @since 0.1.0
 */
export type WebhookEndpointState = typeof WebhookEndpointState.Type

/**
 * What somebody decides about an endpoint: where events go, and which.
 *
 * @category models
 * @since 0.1.0
 */
export type EndpointSettings = Pick<WebhookEndpointState, "url" | "events">
