/**
 * What a disputed payment was for: it stands beside a Chargeback in the event `chargeback.update` (interface section
 * 6), which says "some data" and shows none.
 *
 * **Details**
 *
 * Nothing public shows its fields. Parcela decides: the identifiers that every entity has (interface section 2) and,
 * where known, the value. Whatever else a deployment sends stays in the raw response.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Cents } from "../money/Cents.ts"
import { described } from "../values/Described.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"

/**
 * `value` is cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentBill = Schema.Struct({
  svcPayId: described(SvcPayId, "Identifier of the bill, assigned by the service."),
  myId: described(Schema.optionalKey(MyId), "Identifier of the bill in the client system."),
  value: described(Schema.optionalKey(Cents), "Value, in cents.")
}).annotate({ identifier: "PaymentBill", description: "Transaction of a disputed payment." })

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentBill = typeof PaymentBill.Type
