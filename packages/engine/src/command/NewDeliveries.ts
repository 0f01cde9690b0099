/**
 * The webhook deliveries that follow from events.
 *
 * @since 0.1.0
 */
import { type BillingEvent, webhookEventOf } from "@parcela/core/webhooks/BillingEvent"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import { payloadWriter } from "@parcela/webhooks/WebhookMessage"
import type { NewDelivery } from "../ports/Outbox.ts"
import type { CompanyContext } from "./LoadedCompany.ts"
import type { SettingsShape } from "../Settings.ts"
import * as Views from "../queries/Views.ts"

/** A cache: compiling the writer of a naming profile is expensive. */
const writers = new WeakMap<NamingProfile, ReturnType<typeof payloadWriter>>()

const writerOf = (naming: NamingProfile) => {
  const writer = writers.get(naming) ?? payloadWriter(naming)
  writers.set(naming, writer)
  return writer
}

const ownerOf = ({ customer, owner }: Views.PaymentSnapshot, settings: SettingsShape, page: Views.Page) =>
  owner._tag === "Subscription"
    ? { Subscription: Views.subscription({ ...owner, customer }, settings, page) }
    : { Charge: Views.charge({ ...owner, customer }, settings, page) }

/** Returns the payload of an event as JSON text, with names of the service's naming profile. */
const payloadOf = (isDispute: boolean, shown: Views.PaymentSnapshot, settings: SettingsShape): string => {
  const page = new Views.Page()
  return writerOf(settings.naming)({
    Chargeback: isDispute ? Views.chargeback(shown, settings) : undefined,
    Transaction: Views.ownTransaction(shown, settings, page),
    ...ownerOf(shown, settings, page)
  })
}

/**
 * Returns one delivery for each event of the transaction and each endpoint that subscribes to the event.
 *
 * @category conversions
 * @since 0.1.0
 */
export const deliveriesOf = (
  events: ReadonlyArray<BillingEvent>,
  shown: Views.PaymentSnapshot,
  context: { readonly company: CompanyContext; readonly at: MachineTime; readonly settings: SettingsShape }
): ReadonlyArray<NewDelivery> => {
  const { at, company, settings } = context
  if (company.endpoints.length === 0) return []
  const caused = events
    .filter((event) => "transactionId" in event && event.transactionId === shown.transaction.id)
    .flatMap((event) => webhookEventOf(event, shown.transaction) ?? [])
  const wanted = caused.flatMap((event) =>
    // A disabled endpoint also gets deliveries, which remain queued until it is enabled.
    company.endpoints.filter(({ events }) => events.includes(event)).map(({ id }) => ({ event, endpointId: id }))
  )
  if (wanted.length === 0) return []
  // Events of one transaction share a payload. Only dispute events have a different payload.
  const payloads = new Map<boolean, string>()
  const payloadFor = (event: WebhookEvent): string => {
    const isDispute = event === "chargeback.update"
    const payload = payloads.get(isDispute) ?? payloadOf(isDispute, shown, settings)
    payloads.set(isDispute, payload)
    return payload
  }
  return wanted.map(({ endpointId, event }) => ({
    companyId: company.companyId,
    endpointId,
    event,
    transactionId: shown.transaction.id,
    payload: payloadFor(event),
    createdAt: at
  }))
}
