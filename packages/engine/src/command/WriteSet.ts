/**
 * The write set: all rows that one command writes.
 *
 * Only `writeSet` can construct the type, so every use case writes the journal, deliveries, jobs and key of its
 * decision.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { subscriptionDue } from "@parcela/core/subscriptions/SubscriptionDecider"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { businessStartOf, type MachineTime } from "@parcela/core/time/Instant"
import { transactionDue, expiresAt, mayExpire } from "@parcela/core/transactions/TransactionDeadlines"
import {
  kindOfAttempts,
  referencesOf,
  type TransactionReference,
  type TransactionState
} from "@parcela/core/transactions/TransactionState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import { atOnce, type NewWork, type WorkName } from "../ports/DueWork.ts"
import type { JournalEntry } from "../ports/Journal.ts"
import type { NewDelivery } from "../ports/Outbox.ts"
import type { Origin, Times } from "../ports/WriteContext.ts"
import type { SettingsShape } from "../Settings.ts"
import type { Change, Decided } from "./Decided.ts"
import { deliveriesOf, entriesOf } from "./JournalAndDeliveries.ts"
import type { CompanyContext, Guard } from "./LoadedCompany.ts"
import type { KeyName, StoredResponse } from "./IdempotencyKey.ts"
import { followSubscription, abandonDeliveries, isSentWhile, subjectOf } from "./ScheduledWork.ts"

/**
 * The write to the key row: an insert (with the response if it is known), or an update that adds the response.
 *
 * @category models
 * @since 0.1.0
 */
export type KeyWrite =
  | {
      readonly _tag: "Insert"
      readonly name: KeyName
      readonly subject: string
      readonly response: StoredResponse | undefined
      readonly at: MachineTime
    }
  | { readonly _tag: "Respond"; readonly name: KeyName; readonly response: StoredResponse }

/**
 * A new external reference of a transaction. A reference that belongs to an attempt is stored with the attempt only.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewReference extends TransactionReference {
  readonly companyId: CompanyId
  readonly transactionId: SvcPayId
}

const newReferences = (change: Change, settled: ReadonlyArray<Attempt>): ReadonlyArray<NewReference> => {
  if (change.table !== "transactions") return []
  const { before, next } = change
  const known = before === undefined ? [] : referencesOf(before)
  return referencesOf(next)
    .filter(({ kind, value }) => !known.some((other) => other.kind === kind && other.value === value))
    .filter((reference) => !settled.some((attempt) => isOfAttempt(reference, next.id, attempt)))
    .map((reference) => ({ ...reference, companyId: next.companyId, transactionId: next.id }))
}

const isOfAttempt = ({ kind, value }: TransactionReference, transaction: SvcPayId, attempt: Attempt): boolean =>
  attempt.result?.reference === value &&
  kindOfAttempts[attempt.provider] === kind &&
  attempt.transactionId === transaction

/**
 * A finished delivery that is due again.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReplayedDelivery {
  readonly companyId: CompanyId
  readonly webhookId: number
  readonly at: MachineTime
}

/**
 * The number of restores and the version of a company when it was loaded. If one of them differs at the write, the store
 * writes nothing and runs the command again.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyGuard {
  readonly id: CompanyId
  readonly restores: number
  readonly version: number
}

const made: unique symbol = Symbol("@parcela/engine/command/WriteSet")

/**
 * @category models
 * @since 0.1.0
 */
export interface WriteSet {
  readonly [made]: true
  /** The company that owns the rows. Undefined for a write that depends on no loaded data. */
  readonly company: CompanyGuard | undefined
  readonly guards: ReadonlyArray<Guard>
  readonly changes: ReadonlyArray<Change>
  readonly references: ReadonlyArray<NewReference>
  readonly started: ReadonlyArray<Attempt>
  readonly settled: ReadonlyArray<Attempt>
  readonly journal: ReadonlyArray<JournalEntry>
  readonly deliveries: ReadonlyArray<NewDelivery>
  readonly replayed: ReadonlyArray<ReplayedDelivery>
  readonly schedule: ReadonlyArray<NewWork>
  readonly cancel: ReadonlyArray<WorkName>
  readonly key: KeyWrite | undefined
}

/**
 * Returns all writes that follow from a decision, or undefined for a decision without writes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const writeSet = (
  decided: Omit<Decided<unknown>, "value" | "subject">,
  context: {
    readonly company: CompanyContext
    readonly at: Times
    readonly origin: Origin
    /** The process that holds the leases of new attempts. */
    readonly owner: string
    readonly settings: SettingsShape
    readonly key: KeyWrite | undefined
  }
): WriteSet | undefined => {
  const { started = [], changes, events, guards, replayed = [], settled = [], snapshots = [] } = decided
  const { at, company, key, origin, settings } = context
  const { cancel, schedule } = scheduleOf(decided, context)
  const count = changes.length + started.length + settled.length + events.length + schedule.length + cancel.length
  const isNothing = count === 0
  if (isNothing && key === undefined) return undefined
  return {
    [made]: true,
    company: { id: company.companyId, restores: company.restores, version: company.version },
    guards: isNothing ? [] : guards,
    changes,
    references: changes.flatMap((change) => newReferences(change, settled)),
    started,
    settled,
    journal: entriesOf(decided, {
      companyId: company.companyId,
      at: at.machine,
      businessAt: at.business,
      origin
    }),
    deliveries: Arr.ensure(snapshots).flatMap((each) =>
      deliveriesOf(events, each, { company, at: at.machine, settings })
    ),
    replayed: replayed.map((webhookId) => ({ companyId: company.companyId, webhookId, at: at.machine })),
    schedule,
    cancel,
    key
  }
}

/** Returns the jobs that a decision schedules and cancels. */
const scheduleOf = (
  {
    started = [],
    cancel: gone = [],
    changes,
    events,
    schedule: also = [],
    settled = []
  }: Pick<Decided<unknown>, "started" | "cancel" | "changes" | "events" | "schedule" | "settled">,
  context: {
    readonly company: CompanyContext
    readonly at: Times
    readonly owner: string
    readonly settings: SettingsShape
  }
): {
  readonly schedule: ReadonlyArray<NewWork>
  readonly cancel: ReadonlyArray<WorkName>
} => {
  const {
    at: { machine: at },
    company,
    owner,
    settings
  } = context
  const schedule: Array<NewWork> = [...also, ...followingOf(company.companyId, events, at)]
  const cancel: Array<WorkName> = [...gone]
  for (const change of changes) {
    for (const { before, next } of dueBetween(change, at, settings)) {
      if (next !== undefined) {
        if (before?.clock !== next.clock || before.dueAt !== next.dueAt || isInParts(change)) schedule.push(next)
      } else if (before !== undefined) cancel.push({ kind: before.kind, subject: before.subject })
    }
  }
  for (const attempt of started) {
    // Leased by the process that runs the attempt. After the lease ends, any process may query the provider.
    schedule.push({
      kind: "resolve attempt",
      companyId: attempt.companyId,
      subject: attempt.id,
      clock: "machine",
      // A sum of a time and a duration is a valid time. Validating it by schema took a third of this function's time.
      dueAt: (at + Duration.toMillis(settings.attemptLease)) as MachineTime,
      waitsSince: at,
      leasedBy: owner
    })
  }
  for (const { id } of settled) cancel.push({ kind: "resolve attempt", subject: id })
  return { schedule, cancel }
}

interface WorkBetween {
  readonly before: NewWork | undefined
  readonly next: NewWork | undefined
}

/** Returns the job of each kind for the state before the change and for the state after it. */
const dueBetween = (change: Change, at: MachineTime, { zone }: SettingsShape): ReadonlyArray<WorkBetween> => {
  switch (change.table) {
    case "transactions":
      return [
        between(change, (state) => sendPaymentWork(state, at, zone)),
        between(change, (state) => expirePaymentWork(state, zone))
      ]
    case "subscriptions":
      return [between(change, (state) => instalmentWork(state, at, zone))]
    default:
      return []
  }
}

const between = <S>(
  { before, next }: { readonly before?: S | undefined; readonly next: S },
  workOf: (state: S) => NewWork | undefined
): WorkBetween => ({ before: before === undefined ? undefined : workOf(before), next: workOf(next) })

/**
 * True if a worker created some of the instalments. The remaining instalments are then due at once, like the first
 * ones.
 */
const isInParts = (change: Change): boolean =>
  change.table === "subscriptions" && change.before?.schedule?.made !== change.next.schedule?.made

/** Returns the jobs that follow from status changes of subscriptions, and from edits and deletions of endpoints. */
const followingOf = (
  companyId: CompanyId,
  events: ReadonlyArray<BillingEvent>,
  now: MachineTime
): ReadonlyArray<NewWork> =>
  events.flatMap((event) => {
    switch (event._tag) {
      case "SubscriptionStatusChanged":
        return isSentWhile(event.from) === isSentWhile(event.to) && event.to !== "canceled"
          ? []
          : [followSubscription(companyId, subjectOf({ id: event.subscriptionId }), now)]
      case "WebhookEndpointEdited":
      case "WebhookEndpointDeleted":
        return [abandonDeliveries(companyId, subjectOf({ id: event.endpointId }), now)]
      default:
        return []
    }
  })

/**
 * Returns the job that sends a transaction on its due day, or undefined if the transaction is not to be sent.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sendPaymentWork = (
  state: TransactionState,
  now: MachineTime,
  zone: SettingsShape["zone"]
): NewWork | undefined => {
  const due = transactionDue(state)
  if (due._tag === "Never" || due._tag === "Paused") return undefined
  const work = { kind: "send payment", companyId: state.companyId, subject: String(state.id) } as const
  return due._tag === "AtOnce"
    ? { ...work, ...atOnce(now) }
    : { ...work, clock: "business", dueAt: businessStartOf(due.day, zone) }
}

/**
 * Returns the job that expires a registered payment. Returns undefined for an unregistered or finished payment, and
 * during an attempt.
 */
const expirePaymentWork = (state: TransactionState, zone: SettingsShape["zone"]): NewWork | undefined => {
  const dueAt = mayExpire(state) ? expiresAt(state, {}, { zone }) : undefined
  return dueAt === undefined
    ? undefined
    : { kind: "expire payment", companyId: state.companyId, subject: String(state.id), clock: "business", dueAt }
}

/**
 * Returns the job that creates the next instalments of a subscription, or undefined if no instalment remains.
 */
const instalmentWork = (
  state: SubscriptionState,
  now: MachineTime,
  zone: SettingsShape["zone"]
): NewWork | undefined => {
  const due = subscriptionDue(state)
  if (due._tag === "Never") return undefined
  const work = { kind: "make instalments", companyId: state.companyId, subject: String(state.id) } as const
  return due._tag === "AtOnce"
    ? { ...work, ...atOnce(now) }
    : { ...work, clock: "business", dueAt: businessStartOf(due.day, zone) }
}
