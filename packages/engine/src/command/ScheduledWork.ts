/**
 * Jobs that a decision schedules by name, the encoding of their subjects, and the record of the jobs that a fiber
 * schedules. Jobs that follow from a changed state are in `WriteSet`.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type SubscriptionState, openPaymentsOfSubscription } from "@parcela/core/subscriptions/SubscriptionState"
import type { MachineTime } from "@parcela/core/time/Instant"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { EditedTerms } from "@parcela/core/transactions/TransactionEdit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { atOnce, type DueWork, type NewWork, type WorkName } from "../ports/DueWork.ts"

/**
 * True if payments of a subscription in this status are sent.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isSentWhile = (status: keyof typeof openPaymentsOfSubscription): boolean =>
  openPaymentsOfSubscription[status] === "sent"

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
 * Returns a job that cancels an open payment of a cancelled subscription: see `SubscriptionChanges.cancelPayment`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const cancelPayment = ofKind("cancel payment")

/**
 * Returns a job that withdraws a registered boleto or Pix, to register it again with the new terms: see
 * `ChangePayment`.
 */
const changePayment = ofKind("change payment")

/** Returns a job that applies the terms of a subscription to its remaining open payments: see `ApplyTerms`. */
const applyTerms = ofKind("apply terms")

/**
 * Returns a job that abandons deliveries for events that an endpoint does not subscribe to: see `UnwantedDeliveries`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const abandonDeliveries = ofKind("abandon deliveries")

const names = ["value", "method", "card", "cardAdded"] as const

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
  cardAdded: (mask & 8) !== 0
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

const cardAdded: EditedTerms = { value: false, method: false, card: false, cardAdded: true }

/**
 * Returns a job that assigns the new card of a subscription to its payments that have no card.
 *
 * @category constructors
 * @since 0.1.0
 */
export const giveCard = (subscription: SubscriptionState, now: MachineTime): NewWork =>
  applyEdited(subscription, cardAdded, 0, now)

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
