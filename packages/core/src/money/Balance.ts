/**
 * What an account holds, and what moved it (scope `balance.read`). Source: public use names `Balances`,
 * `friendlyDescription`, `transactionGalaxPayId` and `totals`; two public clients of `GET /company/balance/movements`
 * agree on the other fields. That values are whole cents, below zero where money leaves, and the limits are inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { SvcPayId } from "../values/Identifier.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { string } from "../values/Text.ts"

const maximum = 99_999_999_999

/**
 * Cents in an account: below zero when money leaves it or is owed, at most 99,999,999,999 either way.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SignedCents = Schema.Int.check(
  Schema.isBetween({ minimum: -maximum, maximum }, { expected: "an amount in cents from -99999999999 to 99999999999" })
).pipe(Schema.brand("SignedCents"))

/**
 * @category models
 * @since 0.1.0
 */
export type SignedCents = typeof SignedCents.Type

/**
 * One movement of the account. The values of `paymentType` and `groupPaymentType` are listed nowhere.
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
 * The movements of a period and the balance around them: the response of `GET /company/balance/movements`.
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
 * What the account holds now. Nothing public shows the response of `GET /company/balance`. Parcela decides: `enabled` is
 * what can be taken out, `blocked` what is held back, in cents.
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
