/**
 * A cardholder's dispute of a payment: the content of the event `chargeback.update` (interface section 6).
 *
 * **Details**
 *
 * No deployment shows a sample. The five statuses, and that `svcPayId` names a chargeback in a path, are documented
 * (public use). Every other field is inferred from the filter of its name in `GET /chargebacks`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { MyId, SvcPayId } from "./Identifier.ts"
import { LocalDate } from "./LocalDate.ts"
import { LocalDateTime } from "./LocalDateTime.ts"
import { string } from "./Text.ts"

/**
 * - `awaitingDocumentation`: the company must send its proof.
 * - `inAnalysis`: the proof is being looked at.
 * - `winsDispute`, `lostDispute`: decided for or against the company.
 * - `canceledDispute`: taken back.
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
])

/**
 * @category models
 * @since 0.1.0
 */
export type ChargebackStatus = typeof ChargebackStatus.Type

/**
 * `process` is the number of the dispute; proof is taken until `expiryDate` and was sent on `sendDocument`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Chargeback = Schema.Struct({
  svcPayId: SvcPayId,
  status: ChargebackStatus,
  process: Schema.optionalKey(string(255)),
  chargeSvcPayId: Schema.optionalKey(SvcPayId),
  chargeMyId: Schema.optionalKey(MyId),
  transactionSvcPayId: Schema.optionalKey(SvcPayId),
  createdAt: Schema.optionalKey(LocalDateTime),
  expiryDate: Schema.optionalKey(LocalDate),
  sendDocument: Schema.optionalKey(LocalDate)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Chargeback = typeof Chargeback.Type
