/**
 * A provider request and its result. Attempts are retained, because retry policies are computed from their history.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { BusinessTime, MachineTime } from "../time/Instant.ts"
import { Cents } from "../money/Cents.ts"
import { CompanyId } from "../companies/CompanyState.ts"
import { SvcPayId } from "../values/Identifier.ts"

/**
 * The operation that the provider performs.
 *
 * - `charge`: authorize and capture a card payment
 * - `capture`: capture an authorized amount
 * - `reverse`: refund captured money, or release an authorized amount
 * - `register`: register a boleto or a Pix charge, so that it can be paid
 * - `cancel`: cancel a boleto or a Pix charge that has not been paid
 *
 * @category schemas
 * @since 0.1.0
 */
export const AttemptKind = Schema.Literals(["charge", "capture", "reverse", "register", "cancel"])

/**
 * @category models
 * @since 0.1.0
 */
export type AttemptKind = typeof AttemptKind.Type

/**
 * The provider that receives the request.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AttemptProvider = Schema.Literals(["cardOperator", "boletoBank", "pixProvider"])

/**
 * @category models
 * @since 0.1.0
 */
export type AttemptProvider = typeof AttemptProvider.Type

/**
 * The result of an attempt.
 *
 * **Details**
 *
 * A denied `charge` or `capture` can be retried; a denial of any other kind is final. `reference` is the provider's
 * identifier of the operation: `tid`, `txid` or barcode.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AttemptResult = Schema.Struct({
  outcome: Schema.Literals(["authorized", "captured", "denied", "reversed", "registered", "cancelled", "abandoned"]),
  /** Code of a denial, as the provider sent it. */
  code: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
  merchantAdviceCode: Schema.optionalKey(Schema.String),
  reference: Schema.optionalKey(Schema.String),
  /** Machine time at which the service received the outcome. */
  at: MachineTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type AttemptResult = typeof AttemptResult.Type

/**
 * The identifier of one attempt to move money, or to register a boleto or a Pix. The service assigns it before it calls
 * the provider, and sends it as the idempotency key.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AttemptId = Schema.NonEmptyString.pipe(Schema.brand("AttemptId"))

/**
 * @category models
 * @since 0.1.0
 */
export type AttemptId = typeof AttemptId.Type

/**
 * An attempt of one company, with its amount in cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Attempt = Schema.Struct({
  id: AttemptId,
  companyId: CompanyId,
  transactionId: SvcPayId,
  kind: AttemptKind,
  /** Identifier of the card, if the attempt uses a card. */
  cardId: Schema.optionalKey(SvcPayId),
  value: Cents,
  provider: AttemptProvider,
  startedAt: MachineTime,
  /** Start in the company's business time, in which the limits of the card brands are counted. */
  businessAt: BusinessTime,
  /** Absent until the outcome is known. */
  result: Schema.optionalKey(AttemptResult)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Attempt = typeof Attempt.Type
