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
 * Paid in cash or by transfer before it was entered: it has no card, and no provider ever heard of it. One that was
 * open before it was paid outside keeps its method.
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
 * A transaction of one company; amounts in cents, times in milliseconds since 1970. `method` and `status` together say
 * which other parts it has.
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
 * The attempt that is under way and has no outcome yet.
 *
 * @category models
 * @since 0.1.0
 */
export interface UnderWay {
  readonly attemptId: AttemptId
  readonly kind: AttemptKind
  /** What it moves: less than the transaction's value where a part is given back. */
  readonly value: Cents
  /** What a withdrawal leads to, where that is not a cancellation. */
  readonly withdrawn?: Withdrawn
}

/**
 * The attempt under way, if there is one.
 *
 * @category getters
 * @since 0.1.0
 */
export const underWayOf = (state: TransactionState): UnderWay | undefined =>
  "underWay" in state ? state.underWay : undefined

/**
 * The subscription that it belongs to, if it belongs to one.
 *
 * @category getters
 * @since 0.1.0
 */
export const subscriptionOf = ({ owner }: Pick<TransactionState, "owner">): SvcPayId | undefined =>
  owner._tag === "Subscription" ? owner.id : undefined

/**
 * The card that it is paid with, if it is paid with one.
 *
 * @category getters
 * @since 0.1.0
 */
export const cardOf = (state: TransactionState): SvcPayId | undefined =>
  state.method === "creditcard" ? state.cardId : undefined

/**
 * The key in the address of its slip or its code, once it has one.
 *
 * @category getters
 * @since 0.1.0
 */
export const documentKeyOf = (state: TransactionState): string | undefined =>
  "registration" in state ? state.registration?.documentKey : undefined

/**
 * Whether it was withdrawn at its provider and is to be registered anew, with what was edited of it.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isToBeRegisteredAnew = (state: TransactionState): boolean =>
  (state.status === "pendingBoleto" || state.status === "pendingPix") &&
  state.registration === undefined &&
  state.underWay === undefined &&
  state.withdrawals !== undefined

/**
 * Its slip, once its bank has registered it.
 *
 * @category getters
 * @since 0.1.0
 */
export const slipOf = (state: TransactionState): BoletoSlip | undefined =>
  state.method === "boleto" ? state.registration?.slip : undefined

/**
 * Its Pix charge, once its provider has opened it.
 *
 * @category getters
 * @since 0.1.0
 */
export const pixChargeOf = (state: TransactionState): PixCharge | undefined =>
  state.method === "pix" ? state.registration?.charge : undefined

/**
 * Its payments by boleto or Pix, in the order of their reports.
 *
 * @category getters
 * @since 0.1.0
 */
export const settlementsOf = (state: TransactionState): ReadonlyArray<Settlement> =>
  "settlements" in state ? state.settlements : []

/**
 * What came in by boleto or Pix, of all its payments together, in cents; undefined before the first.
 *
 * @category getters
 * @since 0.1.0
 */
export const paidOf = (state: TransactionState): number | undefined => {
  const settlements = settlementsOf(state)
  return settlements.length === 0 ? undefined : settlements.reduce((sum, { value }) => sum + value, 0)
}

/**
 * What the provider kept of the first payment that it named a fee for.
 *
 * @category getters
 * @since 0.1.0
 */
export const feeOf = (state: TransactionState): Cents | undefined =>
  settlementsOf(state).find(({ fee }) => fee !== undefined)?.fee

/**
 * The day on which it was paid, by the zone of the service: that of the first settlement, else that on which it was captured or
 * entered as paid outside. Undefined while it is not paid, and where the money went back.
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
 * What has been given back so far.
 *
 * @category getters
 * @since 0.1.0
 */
export const reversedOf = (state: TransactionState): Cents => {
  if (state.status === "reversed") return state.value
  return "reversed" in state ? (state.reversed ?? zero) : zero
}

/**
 * - `tid`: what the card operator calls an authorization or a denial
 * - `txid`: a Pix charge
 * - `endToEndId`: one payment of it
 * - `barcode`: a boleto
 * - `ourNumber`: a boleto at its bank (nosso número)
 *
 * The issuer's code of an authorization is none: six digits name many payments, and no report comes by them alone.
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
 * What each provider's attempts are called by: the kind of the `reference` of their results.
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
 * The references that a transaction has by now: names of 1 to 255 visible ASCII characters.
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
      return present([
        ["barcode", barcode],
        ["ourNumber", ourNumber]
      ])
    }
    case "pix":
      return present([
        ["txid", state.registration?.charge.txid],
        ...settlementsOf(state).map(({ id }) => ["endToEndId", id] as const)
      ])
  }
}

const ofCard = (state: Extract<TransactionState, { method: "creditcard" }>) => {
  const authorization = "authorization" in state ? state.authorization : undefined
  const denied = "denial" in state ? state.denial?.tid : undefined
  return present([
    ["tid", denied],
    ["tid", authorization?.tid === denied ? undefined : authorization?.tid]
  ])
}

const present = (
  references: ReadonlyArray<readonly [kind: ReferenceKind, value: string | undefined]>
): ReadonlyArray<TransactionReference> => {
  const found: Array<TransactionReference> = []
  for (const [kind, value] of references) if (value !== undefined && isName.test(value)) found.push({ kind, value })
  return found
}

// An odd name must not keep an outcome from being recorded: no provider sends one, and not every database stores it.
const isName = /^[!-~]{1,255}$/u
