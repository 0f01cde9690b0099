/**
 * A cardholder's dispute of a payment: the content of the event `chargeback.update` (interface section 6).
 *
 * **Details**
 *
 * No deployment shows an example. The five statuses, and `svcPayId` as the identifier of a chargeback in a path, are
 * documented (public use). Every other field is inferred from the filter with its name in `GET /chargebacks`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described, ofOwner } from "../values/Fields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDate, LocalDateTime } from "../time/LocalDate.ts"
import { string } from "../values/Text.ts"
import { Cents } from "../money/Cents.ts"

/**
 * - `awaitingDocumentation`: the company must send evidence.
 * - `inAnalysis`: the evidence is under review.
 * - `winsDispute`, `lostDispute`: decided for or against the company.
 * - `canceledDispute`: withdrawn.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ChargebackStatus = Schema.Literals([
  "awaitingDocumentation",
  "inAnalysis",
  "winsDispute",
  "lostDispute",
  "canceledDispute"
]).annotate({
  identifier: "ChargebackStatus",
  description:
    "awaitingDocumentation: the company must send its proof; inAnalysis; winsDispute, lostDispute: decided for or " +
    "against the company; canceledDispute."
})

/**
 * @category models
 * @since 0.1.0
 */
export type ChargebackStatus = typeof ChargebackStatus.Type

/**
 * `process` is the number of the dispute. Evidence is accepted until `expiryDate` and was sent on `sendDocument`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Chargeback = Schema.Struct({
  svcPayId: described(SvcPayId, "Identifier of the dispute, assigned by the service."),
  status: described(ChargebackStatus, "Status of the dispute."),
  process: described(Schema.optionalKey(string(255)), "Number of the dispute."),
  chargeSvcPayId: described(Schema.optionalKey(SvcPayId), "Identifier of its charge, assigned by the service."),
  chargeMyId: ofOwner(described(Schema.optionalKey(MyId), "Identifier of its charge in the client system.")),
  transactionSvcPayId: described(
    Schema.optionalKey(SvcPayId),
    "Identifier of its transaction, assigned by the service."
  ),
  createdAt: described(Schema.optionalKey(LocalDateTime), "Time of opening: YYYY-MM-DD HH:MM:SS, Brazil time."),
  expiryDate: described(Schema.optionalKey(LocalDate), "Last day on which proof is taken: YYYY-MM-DD."),
  sendDocument: described(Schema.optionalKey(LocalDate), "Day on which proof was sent: YYYY-MM-DD.")
}).annotate({ identifier: "Chargeback", description: "A cardholder's dispute of a payment." })

/**
 * @category models
 * @since 0.1.0
 */
export type Chargeback = typeof Chargeback.Type

/**
 * The disputed payment, next to the `Chargeback` in the event. The interface says only "some data". Parcela includes
 * the identifiers that every entity has (interface section 2) and, if known, the value in cents.
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
