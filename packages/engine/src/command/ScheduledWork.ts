/**
 * The jobs that follow from a decision: jobs to schedule, jobs to cancel, and the encoding of their subjects.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Duration from "effect/Duration"
import type { CompanyContext } from "./LoadedCompany.ts"
import { type NewWork, type WorkName, atOnce, type DueWork } from "../ports/DueWork.ts"
import type { SettingsShape } from "../Settings.ts"
import type { Times } from "../ports/Times.ts"
import type { Change, Decided } from "./Decided.ts"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { openTransactionsWhile } from "@parcela/core/subscriptions/SubscriptionStatus"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import { transactionDue } from "@parcela/core/transactions/TransactionDue"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { businessStartOf } from "@parcela/core/time/BusinessTime"
import { expiresAt, mayExpire } from "@parcela/core/transactions/TransactionExpiry"
import { subscriptionDue } from "@parcela/core/subscriptions/PeriodicSubscription"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { EditedTerms } from "@parcela/core/transactions/TransactionTerms"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Returns the jobs that a decision schedules and cancels.
 *
 * @category conversions
 * @since 0.1.0
 */
export const scheduleOf = (
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

/**
 * True if payments of a subscription in this status are sent.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isSentWhile = (status: keyof typeof openTransactionsWhile): boolean =>
  openTransactionsWhile[status] === "sent"

const ofKind =
  (kind: NewWork["kind"]) =>
  (companyId: CompanyId, subject: string, now: MachineTime): NewWork => ({ kind, companyId, subject, ...atOnce(now) })

/**
 * Returns a job that updates open payments after a status change of their subscription: see `FollowSubscription`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const followSubscription = ofKind("follow subscription")

/**
 * Returns a job that cancels an open payment of a cancelled subscription: see `CancelPayment`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const cancelPayment = ofKind("cancel payment")

/**
 * Returns a job that withdraws a registered boleto or Pix, to register it again with the new terms: see
 * `ChangePayment`.
 *
 * @category constructors
 * @since 0.1.0
 */
const changePayment = ofKind("change payment")

/**
 * Returns a job that applies the terms of a subscription to its remaining open payments: see `EditedPayments`.
 *
 * @category constructors
 * @since 0.1.0
 */
const applyTerms = ofKind("apply terms")

/**
 * Returns a job that abandons deliveries for events that an endpoint does not subscribe to: see `UnwantedDeliveries`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const giveUpDeliveries = ofKind("give up deliveries")

/**
 * Returns the jobs that follow from status changes of subscriptions, and from edits and deletions of endpoints.
 *
 * @category conversions
 * @since 0.1.0
 */
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
        return [giveUpDeliveries(companyId, subjectOf({ id: event.endpointId }), now)]
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
 *
 * @category constructors
 * @since 0.1.0
 */
const expirePaymentWork = (state: TransactionState, zone: SettingsShape["zone"]): NewWork | undefined => {
  const dueAt = mayExpire(state) ? expiresAt(state, {}, { zone }) : undefined
  return dueAt === undefined
    ? undefined
    : { kind: "expire payment", companyId: state.companyId, subject: String(state.id), clock: "business", dueAt }
}

/**
 * Returns the job that creates the next instalments of a subscription, or undefined if no instalment remains.
 *
 * @category constructors
 * @since 0.1.0
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

const names = ["value", "method", "card", "cardCame"] as const

/**
 * True if at least one of the terms was edited.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isAnyOf = (edited: EditedTerms): boolean => names.some((name) => edited[name])

const maskOf = (edited: EditedTerms): number =>
  names.reduce((mask, name, index) => mask + (edited[name] ? 2 ** index : 0), 0)

/**
 * Parses the bit mask that `maskOf` returns.
 *
 * @category parsing
 * @since 0.1.0
 */
export const editedIn = (mask: number): EditedTerms => ({
  value: (mask & 1) !== 0,
  method: (mask & 2) !== 0,
  card: (mask & 4) !== 0,
  cardCame: (mask & 8) !== 0
})

/**
 * Returns a job that applies the edited terms to the payments with an identifier above `after`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const applyEdited = (
  { companyId, id }: SubscriptionState,
  edited: EditedTerms,
  after: number,
  now: MachineTime
): NewWork => applyTerms(companyId, subjectOf({ id, after: [after, maskOf(edited)] }), now)

/**
 * Returns a job that changes one payment that its bank or Pix provider has registered.
 *
 * @category constructors
 * @since 0.1.0
 */
export const changeEdited = (
  { companyId, id }: Pick<TransactionState, "companyId" | "id">,
  edited: EditedTerms,
  now: MachineTime
): NewWork => changePayment(companyId, subjectOf({ id, after: [maskOf(edited)] }), now)

const cardCame: EditedTerms = { value: false, method: false, card: false, cardCame: true }

/**
 * Returns a job that assigns the new card of a subscription to its payments that have no card.
 *
 * @category constructors
 * @since 0.1.0
 */
export const giveCard = (subscription: SubscriptionState, now: MachineTime): NewWork =>
  applyEdited(subscription, cardCame, 0, now)

/**
 * Maximum number of payments of a subscription that one database transaction changes.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxPaymentsPerWrite = 100

/**
 * The entity of a job, and the position after which this part of the job starts. Without `after` it starts at the
 * beginning.
 *
 * @category models
 * @since 0.1.0
 */
export interface Part {
  readonly id: number
  readonly after?: ReadonlyArray<number> | undefined
}

/**
 * Formats the subject of a job: `12`, `12 after 500` or `12 after 500,77`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const subjectOf = ({ after, id }: Part): string =>
  after === undefined ? `${id}` : `${id} after ${after.join()}`

/**
 * Parses the text that `subjectOf` returns. Throws for any other text: such a row was not written by this program.
 *
 * @category parsing
 * @since 0.1.0
 */
export const partOf = (subject: string): Part => {
  const [, id, after] = /^(\d+)(?: after (\d+(?:,\d+)*))?$/.exec(subject) ?? []
  if (id === undefined) throw new Error(`Invalid subject of a job that runs in parts: ${subject}`)
  return { id: Number(id), after: after?.split(",").map(Number) }
}

/**
 * The list to which commands of the current fiber add the jobs that they schedule. Undefined: jobs are not recorded.
 *
 * @category references
 * @since 0.1.0
 */
export const ScheduledWork = Context.Reference<Array<WorkName> | undefined>("@parcela/engine/command/ScheduledWork", {
  defaultValue: () => undefined
})

/**
 * Schedules a job outside of a command.
 *
 * @category combinators
 * @since 0.1.0
 */
export const scheduleFollowing = (dueWork: DueWork["Service"], work: NewWork) =>
  Effect.flatMap(ScheduledWork, (scheduled) =>
    Effect.map(dueWork.schedule([work]), () => {
      scheduled?.push(work)
    })
  )
