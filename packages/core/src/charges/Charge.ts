/**
 * A one-off charge (scopes `charges.read` and `charges.write`). Source: public use (which
 * fields it has, which a request must have, which statuses); limits are inferred from the same fields of interface section 2.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ofContract } from "../internal/contractFields.ts"
import { Cents } from "../money/Cents.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { FullTransaction } from "../transactions/FullTransaction.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { Text } from "../values/Text.ts"
import { ChargeStatus } from "./ChargeStatus.ts"

const fields = {
  svcPayId: SvcPayId,
  myId: Schema.optionalKey(MyId),
  mainPaymentMethodId: PaymentMethodId,
  additionalInfo: Schema.optionalKey(Text),
  value: Cents,
  status: ChargeStatus,
  payedOutsideSvcPay: Schema.optionalKey(Schema.Boolean),
  ...ofContract
}

/**
 * A charge with its payments. `value` is cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Charge = Schema.Struct({ ...fields, Transactions: Schema.Array(FullTransaction) })

/**
 * @category models
 * @since 0.1.0
 */
export type Charge = typeof Charge.Type

/**
 * A charge beside one of its payments: what an event or a transaction of a list holds.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ChargeOfTransaction = Schema.Struct(fields)

/**
 * @category models
 * @since 0.1.0
 */
export type ChargeOfTransaction = typeof ChargeOfTransaction.Type
