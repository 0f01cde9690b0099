/**
 * The balance of an account, its movements and their release (scope `balance.read`). Source: public use names `Balances`,
 * `friendlyDescription`, `transactionGalaxPayId` and `totals`; two public clients of `GET /company/balance/movements`
 * agree on the other fields. Inferred: the limits, and that values are whole cents, negative for money that leaves.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { SvcPayId } from "../values/Identifier.ts"
import { LocalDateTime, LocalDate } from "../time/LocalDate.ts"
import { string, int } from "../values/Text.ts"
import { Cents } from "./Cents.ts"

const max = 99_999_999_999

/**
 * Cents of an account: negative for money that leaves or is owed, at most 99,999,999,999 in either direction.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SignedCents = Schema.Int.check(
  Schema.isBetween({ minimum: -max, maximum: max }, { expected: "an amount in cents from -99999999999 to 99999999999" })
).pipe(Schema.brand("SignedCents"))

/**
 * @category models
 * @since 0.1.0
 */
export type SignedCents = typeof SignedCents.Type

/**
 * A movement of the account. The values of `paymentType` and `groupPaymentType` are not documented.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BalanceMovement = Schema.Struct({
  svcPayId: SvcPayId,
  value: SignedCents,
  friendlyDescription: string(255),
  createdAt: LocalDateTime,
  groupPaymentType: Schema.optionalKey(string(255)),
  paymentType: Schema.optionalKey(string(255)),
  transactionSvcPayId: Schema.optionalKey(SvcPayId)
})

/**
 * @category models
 * @since 0.1.0
 */
export type BalanceMovement = typeof BalanceMovement.Type

/**
 * The balance before and after the movements of a period.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BalanceTotals = Schema.Struct({ initial: SignedCents, final: SignedCents })

/**
 * @category models
 * @since 0.1.0
 */
export type BalanceTotals = typeof BalanceTotals.Type

/**
 * The movements of a period with the balances before and after: the response of `GET /company/balance/movements`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BalanceStatement = Schema.Struct({
  totals: BalanceTotals,
  Balances: Schema.Array(BalanceMovement)
})

/**
 * @category models
 * @since 0.1.0
 */
export type BalanceStatement = typeof BalanceStatement.Type

/**
 * The current balance, in cents. No public source shows the response of `GET /company/balance`, so Parcela defines it:
 * `enabled` can be withdrawn, `blocked` cannot.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Balance = Schema.Struct({
  enabled: SignedCents,
  blocked: Schema.optionalKey(SignedCents)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Balance = typeof Balance.Type

/**
 * A release, in cents: `grossValue` before fees, `netValue` after fees. The `..Antecipation` fields (the deployment's
 * spelling) give the cost of receiving the money `daysAntecipation` days earlier.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Release = Schema.Struct({
  svcPayId: SvcPayId,
  transactionSvcPayId: SvcPayId,
  createdAt: Schema.optionalKey(LocalDateTime),
  installment: int(11),
  netValue: Cents,
  grossValue: Cents,
  expectedDate: LocalDate,
  daysAntecipation: Schema.optionalKey(int(11)),
  netValueAfterAntecipation: Schema.optionalKey(Cents),
  taxValueAntecipation: Schema.optionalKey(Cents)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Release = typeof Release.Type
