/**
 * The table of webhook endpoints.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EpochMillis } from "@parcela/core/time/EpochMillis"
import { first, SecretVersions } from "@parcela/core/webhooks/SecretVersion"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import type { EndpointSettings } from "@parcela/engine/ports/WebhookEndpoints"
import * as Schema from "effect/Schema"
import type { Columns } from "../internal/EntityTable.ts"

/**
 * @category conversions
 * @since 0.1.0
 */
export const encodeEvents = Schema.encodeSync(Schema.fromJsonString(Schema.Array(WebhookEvent)))

/**
 * @category conversions
 * @since 0.1.0
 */
export const encodeSecrets = Schema.encodeSync(Schema.fromJsonString(SecretVersions))

/**
 * Nothing is known against it.
 *
 * @category columns
 * @since 0.1.0
 */
export const notFailing = { failures: 0, failing_since: null, next_at: null, waits_since: null } satisfies Columns

/**
 * It is on, and not failing.
 *
 * @category columns
 * @since 0.1.0
 */
export const isOn = { state: "on", off_reason: null, off_at: null, ...notFailing } satisfies Columns

/**
 * What an edit of the default endpoint writes.
 *
 * @category conversions
 * @since 0.1.0
 */
export const editedColumns = ({ events, url }: EndpointSettings, now: EpochMillis) =>
  ({ url, events: encodeEvents(events), updated_at: now, ...isOn }) satisfies Columns

/**
 * What a new default endpoint has beside that.
 *
 * @category conversions
 * @since 0.1.0
 */
export const defaultColumns = (companyId: CompanyId, now: EpochMillis) =>
  ({ company_id: companyId, is_default: 1, created_at: now, secrets: encodeSecrets(first("", now)) }) satisfies Columns
