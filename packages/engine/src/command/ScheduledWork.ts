/**
 * The due work that follows from a decision: what is to be done later, and what is not to be done any more.
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
 * @category conversions
 * @since 0.1.0
 */
export const scheduleOf = (
  {
    begun = [],
    cancel: gone = [],
    changes,
    events,
    schedule: also = [],
    settled = []
  }: Pick<Decided<unknown>, "begun" | "cancel" | "changes" | "events" | "schedule" | "settled">,
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
  for (const attempt of begun) {
    // Leased by the process that makes it; when the lease ends, any process asks the provider about it.
    schedule.push({
      kind: "resolve attempt",
      companyId: attempt.companyId,
      subject: attempt.id,
      clock: "machine",
      // What is later than a time is one: to run its schema was a third of this function.
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

/** The work of each kind that a state wants, before a change and after it. */
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

/** A worker made a part of the instalments: the rest is due at once, as this part was. */
const isInParts = (change: Change): boolean =>
  change.table === "subscriptions" && change.before?.schedule?.made !== change.next.schedule?.made

/**
 * Whether the next payments of a subscription are sent while it has this status.
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
 * Follows the status of a subscription: see `FollowSubscription`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const followSubscription = ofKind("follow subscription")

/**
 * Ends an open payment of a subscription that was cancelled: see `CancelPayment`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const cancelPayment = ofKind("cancel payment")

/**
 * Withdraws a boleto or a Pix that is registered, to be registered anew with its subscription's value: see `ChangePayment`.
 *
 * @category constructors
 * @since 0.1.0
 */
const changePayment = ofKind("change payment")

/**
 * Brings further open payments of a subscription in line with its terms: see `EditedPayments`.
 *
 * @category constructors
 * @since 0.1.0
 */
const applyTerms = ofKind("apply terms")

/**
 * Gives up what an endpoint does not want any more: see `UnwantedDeliveries`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const giveUpDeliveries = ofKind("give up deliveries")

/**
 * The work that follows changes of a subscription's status, and edits and deletions of endpoints.
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
 * The work that sends a transaction when it is due; none when it is not to be sent.
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
 * The work that gives a payment up when its time is over; none while it is not registered, while an attempt is under way
 * for it, and once it is over.
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
 * The work that makes the next instalments of a subscription; none when there is nothing to be made.
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
 * Whether any of the terms was edited.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isAnyOf = (edited: EditedTerms): boolean => names.some((name) => edited[name])

const maskOf = (edited: EditedTerms): number =>
  names.reduce((mask, name, place) => mask + (edited[name] ? 2 ** place : 0), 0)

/**
 * The terms that such a number stands for.
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
 * Applies the edited terms to the payments after one.
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
 * Changes one payment that its bank or Pix provider knows.
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
 * Gives the card that a subscription waited for to its payments that wait for it too.
 *
 * @category constructors
 * @since 0.1.0
 */
export const giveCard = (subscription: SubscriptionState, now: MachineTime): NewWork =>
  applyEdited(subscription, cardCame, 0, now)

/**
 * How many payments of a subscription a unit looks at; the rest are left to the next part.
 *
 * @category constants
 * @since 0.1.0
 */
export const paymentsOfUnit = 100

/**
 * The entity that the work is about, and the place after which the part begins; the beginning when there is none.
 *
 * @category models
 * @since 0.1.0
 */
export interface Part {
  readonly id: number
  readonly after?: ReadonlyArray<number> | undefined
}

/**
 * The subject of a part: `12`, or `12 after 500` and `12 after 500,77`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const subjectOf = ({ after, id }: Part): string =>
  after === undefined ? `${id}` : `${id} after ${after.join()}`

/**
 * Throws when it is no such subject, so a row that this service did not write.
 *
 * @category parsing
 * @since 0.1.0
 */
export const partOf = (subject: string): Part => {
  const [, id, after] = /^(\d+)(?: after (\d+(?:,\d+)*))?$/.exec(subject) ?? []
  if (id === undefined) throw new Error(`This is no subject of work that is done in parts: ${subject}`)
  return { id: Number(id), after: after?.split(",").map(Number) }
}

/**
 * Where the units of a fiber note what they scheduled; nowhere when none is provided.
 *
 * @category references
 * @since 0.1.0
 */
export const ScheduledWork = Context.Reference<Array<WorkName> | undefined>("@parcela/engine/command/ScheduledWork", {
  defaultValue: () => undefined
})

/**
 * Schedules work that follows from other work and is written by no unit.
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
