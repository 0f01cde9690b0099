/**
 * The journal entries and the webhook deliveries of a decision: both record its events.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import { isSameJson } from "@parcela/core/json/JsonChecks"
import type { PlanState } from "@parcela/core/plans/PlanDecider"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { type BillingEvent, webhookEventOf } from "@parcela/core/webhooks/BillingEvent"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import { payloadWriter } from "@parcela/webhooks/WebhookMessage"
import type { JournalEntry, JournalSubject, StateFields } from "../ports/Journal.ts"
import type { NewDelivery } from "../ports/Outbox.ts"
import type { Origin } from "../ports/WriteContext.ts"
import * as Views from "../queries/Views.ts"
import type { SettingsShape } from "../Settings.ts"
import type { Change, Decided } from "./Decided.ts"
import type { CompanyContext } from "./LoadedCompany.ts"

/**
 * The time and origin of journal entries.
 *
 * @category models
 * @since 0.1.0
 */
export interface EntryContext {
  readonly companyId: CompanyId
  readonly at: MachineTime
  readonly businessAt: BusinessTime
  readonly origin: Origin
}

/**
 * Returns the journal entries of a decision. If the decision settles an attempt, the cause is the outcome of the
 * provider, also when another process sent the request.
 *
 * @category conversions
 * @since 0.1.0
 */
export const entriesOf = (
  { started = [], changes, events, settled = [] }: Pick<Decided<unknown>, "started" | "changes" | "events" | "settled">,
  context: EntryContext
): ReadonlyArray<JournalEntry> => {
  const parts: Array<Part> = []
  for (const event of events) partOf(parts, subjectOf(event)).events.push(event)
  for (const change of changes) {
    partOf(parts, subject(kinds[change.table], change.next.id)).states = statesOf(change)
  }
  for (const attempt of started) partOf(parts, { kind: "attempt", id: attempt.id }).states = { after: attempt }
  // An attempt changes only its result, and only one time.
  for (const { id, result } of settled) {
    partOf(parts, { kind: "attempt", id }).states = differences({ result: null }, { result })
  }
  const [ended] = settled
  const origin: Origin =
    ended === undefined
      ? context.origin
      : { ...context.origin, cause: { _tag: "ProviderOutcome", attemptId: ended.id } }
  const { at, businessAt, companyId } = context
  const entries: Array<JournalEntry> = []
  for (const { events, states, subject } of parts) {
    if (events.length === 0 && states === undefined) continue
    entries.push({ companyId, subject, at, businessAt, origin, events, before: states?.before, after: states?.after })
  }
  return entries
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

/** Returns the entity of an event. An event of a card also contains the card's customer. */
const subjectOf = (event: BillingEvent): JournalSubject => {
  if ("transactionId" in event) return subject("transaction", event.transactionId)
  if ("cardId" in event) return subject("card", event.cardId)
  if ("customerId" in event) return subject("customer", event.customerId)
  if ("planId" in event) return subject("plan", event.planId)
  if ("subscriptionId" in event) return subject("subscription", event.subscriptionId)
  if ("chargeId" in event) return subject("charge", event.chargeId)
  return subject("webhook endpoint", event.endpointId)
}

const subject = (kind: JournalSubject["kind"], id: number): JournalSubject => ({ kind, id: String(id) })

interface Part {
  readonly subject: JournalSubject
  readonly events: Array<BillingEvent>
  states: Pick<JournalEntry, "before" | "after"> | undefined
}

/**
 * Returns the entry of a subject, adding a new entry if necessary. A linear search is enough for the few subjects of a
 * decision.
 */
const partOf = (parts: Array<Part>, subject: JournalSubject): Part => {
  const { id, kind } = subject
  for (const part of parts) if (part.subject.id === id && part.subject.kind === kind) return part
  const part: Part = { subject, events: [], states: undefined }
  parts.push(part)
  return part
}

const statesOf = (change: Change): Pick<JournalEntry, "before" | "after"> | undefined => {
  if (change.table !== "webhook_replays") return differences(change.before, change.next)
  // The progress of a replay is not journaled: a client reads the progress from the replay itself.
  const { after: _, isDone: __, replayed: ___, ...asked } = change.next
  return { after: asked }
}

const kinds = {
  cards: "card",
  charges: "charge",
  customers: "customer",
  plans: "plan",
  subscriptions: "subscription",
  transactions: "transaction",
  webhook_endpoints: "webhook endpoint",
  webhook_replays: "webhook replay"
} as const satisfies Record<Change["table"], JournalSubject["kind"]>

/** States whose encoded form equals their decoded form, so they are stored as JSON without encoding. */
type Json =
  | (typeof CardState)["Encoded"]
  | (typeof ChargeState)["Encoded"]
  | (typeof CustomerState)["Encoded"]
  | (typeof PlanState)["Encoded"]
  | (typeof SubscriptionState)["Encoded"]
  | (typeof TransactionState)["Encoded"]
  | (typeof Attempt)["Encoded"]
  | (typeof WebhookEndpointState)["Encoded"]
  | { readonly result: (typeof Attempt)["Encoded"]["result"] | null }

/** Returns the fields that differ, or undefined if all fields are equal. */
const differences = (before: Json | undefined, next: Json): Pick<JournalEntry, "before" | "after"> | undefined => {
  const now: StateFields = next
  if (before === undefined) return { after: now }
  const earlier: StateFields = before
  const was: Record<string, unknown> = {}
  const is: Record<string, unknown> = {}
  let isChanged = false
  const compare = (name: string): void => {
    if (isSameJson(earlier[name], now[name])) return
    was[name] = earlier[name] ?? null
    is[name] = now[name] ?? null
    isChanged = true
  }
  for (const name of Object.keys(earlier)) compare(name)
  for (const name of Object.keys(now)) if (!Object.hasOwn(earlier, name)) compare(name)
  return isChanged ? { before: was, after: is } : undefined
}

/** A cache: compiling the writer of a naming profile is expensive. */
const writers = new WeakMap<NamingProfile, ReturnType<typeof payloadWriter>>()

const writerOf = (naming: NamingProfile) => {
  const writer = writers.get(naming) ?? payloadWriter(naming)
  writers.set(naming, writer)
  return writer
}

const ownerOf = ({ customer, owner, transaction }: Views.PaymentSnapshot, settings: SettingsShape, page: Views.Page) =>
  owner._tag === "Subscription"
    ? { Subscription: Views.subscription({ ...owner, customer }, settings, page) }
    : { Charge: Views.charge({ ...owner, customer, payment: transaction }, settings, page) }

/** Returns the payload of an event as JSON text, with names of the service's naming profile. */
const payloadOf = (isDispute: boolean, shown: Views.PaymentSnapshot, settings: SettingsShape): string => {
  const page = new Views.Page()
  return writerOf(settings.naming)({
    Chargeback: isDispute ? Views.chargeback(shown, settings) : undefined,
    Transaction: Views.ownTransaction(shown, settings, page),
    ...ownerOf(shown, settings, page)
  })
}
