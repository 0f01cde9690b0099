/**
 * The stored transaction: one schema for all payment methods, its getters, and the references that providers know the
 * transaction by.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { AttemptKind, AttemptId, AttemptProvider } from "../attempts/Attempt.ts"
import { type BoletoSlip, BoletoTransaction, type PixCharge, PixTransaction } from "./RegisteredTransaction.ts"
import { CardTransaction } from "./CardTransaction.ts"
import { type Cents, zero } from "../money/Cents.ts"
import type { SvcPayId } from "../values/Identifier.ts"
import { type Withdrawn, type Settlement, common } from "./TransactionFields.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import { dateAt } from "../time/Instant.ts"

/**
 * A payment that was already paid outside the service when it was added. It has no card and no provider. A payment that
 * is paid outside later keeps its method.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OutsideTransaction = Schema.Struct({
  ...common,
  method: Schema.Literal("outside"),
  status: Schema.Literal("payExternal")
})

/**
 * @category models
 * @since 0.1.0
 */
export type OutsideTransaction = typeof OutsideTransaction.Type

/**
 * A transaction of one company. Amounts are in cents, times in milliseconds since 1970. `method` and `status` define
 * its other fields.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionState = Schema.Union([CardTransaction, BoletoTransaction, PixTransaction, OutsideTransaction])

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionState = typeof TransactionState.Type

/**
 * The pending attempt: started, without an outcome.
 *
 * @category models
 * @since 0.1.0
 */
export interface PendingAttempt {
  readonly attemptId: AttemptId
  readonly kind: AttemptKind
  /** Amount of the attempt, in cents. A partial reversal has less than the transaction's value. */
  readonly value: Cents
  /** The state after a cancellation at the provider; absent if the payment itself is cancelled. */
  readonly withdrawn?: Withdrawn
}

/**
 * The pending attempt, if there is one.
 *
 * @category getters
 * @since 0.1.0
 */
export const pendingAttemptOf = (state: TransactionState): PendingAttempt | undefined =>
  "pendingAttempt" in state ? state.pendingAttempt : undefined

/**
 * The subscription of the transaction; undefined for a payment of a charge.
 *
 * @category getters
 * @since 0.1.0
 */
export const subscriptionOf = ({ owner }: Pick<TransactionState, "owner">): SvcPayId | undefined =>
  owner._tag === "Subscription" ? owner.id : undefined

/**
 * The card of the transaction; undefined for another method.
 *
 * @category getters
 * @since 0.1.0
 */
export const cardOf = (state: TransactionState): SvcPayId | undefined =>
  state.method === "creditcard" ? state.cardId : undefined

/**
 * The key in the URL of the payment page; undefined before the registration.
 *
 * @category getters
 * @since 0.1.0
 */
export const documentKeyOf = (state: TransactionState): string | undefined =>
  "registration" in state ? state.registration?.documentKey : undefined

/**
 * True if the registration was cancelled at the provider and the transaction must be registered again with edited
 * terms.
 *
 * @category predicates
 * @since 0.1.0
 */
export const mustRegisterAgain = (state: TransactionState): boolean =>
  (state.status === "pendingBoleto" || state.status === "pendingPix") &&
  state.registration === undefined &&
  state.pendingAttempt === undefined &&
  state.withdrawals !== undefined

/**
 * The registered boleto; undefined before the registration.
 *
 * @category getters
 * @since 0.1.0
 */
export const slipOf = (state: TransactionState): BoletoSlip | undefined =>
  state.method === "boleto" ? state.registration?.slip : undefined

/**
 * The registered Pix charge; undefined before the registration.
 *
 * @category getters
 * @since 0.1.0
 */
export const pixChargeOf = (state: TransactionState): PixCharge | undefined =>
  state.method === "pix" ? state.registration?.charge : undefined

/**
 * The reported payments by boleto or Pix, in the order of the reports.
 *
 * @category getters
 * @since 0.1.0
 */
export const settlementsOf = (state: TransactionState): ReadonlyArray<Settlement> =>
  "settlements" in state ? state.settlements : []

/**
 * The sum of all reported payments by boleto or Pix, in cents; undefined before the first.
 *
 * @category getters
 * @since 0.1.0
 */
export const paidOf = (state: TransactionState): number | undefined => {
  const settlements = settlementsOf(state)
  return settlements.length === 0 ? undefined : settlements.reduce((sum, { value }) => sum + value, 0)
}

/**
 * The first fee that the provider reported, in cents.
 *
 * @category getters
 * @since 0.1.0
 */
export const feeOf = (state: TransactionState): Cents | undefined =>
  settlementsOf(state).find(({ fee }) => fee !== undefined)?.fee

/**
 * The day of the payment, in the zone of the service: that of the first settlement, of the capture, or of the payment
 * outside the service. Undefined if the transaction is unpaid or was reversed.
 *
 * @category getters
 * @since 0.1.0
 */
export const paidOn = (state: TransactionState, zone: DateTime.TimeZone): LocalDate | undefined => {
  const [settled] = settlementsOf(state)
  if (settled !== undefined) return settled.paidOn
  return state.status === "captured" || state.status === "payExternal" ? dateAt(state.statusAt, zone) : undefined
}

/**
 * The amount that has been reversed, in cents.
 *
 * @category getters
 * @since 0.1.0
 */
export const reversedOf = (state: TransactionState): Cents => {
  if (state.status === "reversed") return state.value
  return "reversed" in state ? (state.reversed ?? zero) : zero
}

/**
 * Kinds of references:
 *
 * - `tid`: authorization or denial of the card operator
 * - `txid`: Pix charge
 * - `endToEndId`: payment of a Pix charge
 * - `barcode`: boleto
 * - `ourNumber`: boleto at its bank (nosso número)
 *
 * The issuer's authorization code is not a reference: six digits identify many payments, and no provider reports a
 * payment by this code alone.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReferenceKind = Schema.Literals(["tid", "txid", "endToEndId", "barcode", "ourNumber"])

/**
 * @category models
 * @since 0.1.0
 */
export type ReferenceKind = typeof ReferenceKind.Type

/**
 * The kind of the `reference` in the results of each provider's attempts.
 *
 * @category constants
 * @since 0.1.0
 */
export const kindOfAttempts = {
  cardOperator: "tid",
  boletoBank: "barcode",
  pixProvider: "txid"
} as const satisfies Readonly<Record<AttemptProvider, ReferenceKind>>

/**
 * @category models
 * @since 0.1.0
 */
export interface TransactionReference {
  readonly kind: ReferenceKind
  readonly value: string
}

/**
 * The current references of a transaction: values of 1 to 255 visible ASCII characters.
 *
 * @category getters
 * @since 0.1.0
 */
export const referencesOf = (state: TransactionState): ReadonlyArray<TransactionReference> => {
  switch (state.method) {
    case "outside":
      return []
    case "creditcard":
      return ofCard(state)
    case "boleto": {
      const { barcode, ourNumber } = state.registration?.slip ?? {}
      return validReferences([
        ["barcode", barcode],
        ["ourNumber", ourNumber]
      ])
    }
    case "pix":
      return validReferences([
        ["txid", state.registration?.charge.txid],
        ...settlementsOf(state).map(({ id }) => ["endToEndId", id] as const)
      ])
  }
}

const ofCard = (state: Extract<TransactionState, { method: "creditcard" }>) => {
  const authorization = "authorization" in state ? state.authorization : undefined
  const denied = "denial" in state ? state.denial?.tid : undefined
  return validReferences([
    ["tid", denied],
    ["tid", authorization?.tid === denied ? undefined : authorization?.tid]
  ])
}

const validReferences = (
  references: ReadonlyArray<readonly [kind: ReferenceKind, value: string | undefined]>
): ReadonlyArray<TransactionReference> => {
  const valid: Array<TransactionReference> = []
  for (const [kind, value] of references)
    if (value !== undefined && isReference.test(value)) valid.push({ kind, value })
  return valid
}

// Other values are dropped, so that they cannot prevent an outcome from being stored. No provider sends such values,
// and some databases cannot store them.
const isReference = /^[!-~]{1,255}$/u
