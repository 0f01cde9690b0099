/**
 * The due work that brings open payments in line with their subscription's terms: which terms were edited stands in its
 * subject, as a number.
 *
 * @since 0.1.0
 */
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { EditedTerms } from "@parcela/core/transactions/TransactionTerms"
import type { NewWork } from "../ports/DueWork.ts"
import { applyTerms, changePayment } from "./FollowingWork.ts"
import { subjectOf } from "./WorkInParts.ts"

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
