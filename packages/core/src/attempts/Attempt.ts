/**
 * One request to a provider, and what became of it. Attempts are kept: their history is what retry policies are asked
 * with.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AttemptId } from "./AttemptId.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { Cents } from "../money/Cents.ts"
import { CompanyId } from "../companies/CompanyState.ts"
import { MachineTime } from "../time/MachineTime.ts"
import { SvcPayId } from "../values/Identifier.ts"

/**
 * What is asked of the provider.
 *
 * - `charge`: authorize and capture a card payment
 * - `capture`: take an amount that is authorized
 * - `reverse`: give captured money back, or release what is authorized
 * - `register`: make a boleto or a Pix charge that can be paid
 * - `cancel`: take back a boleto or a Pix charge that has not been paid
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
 * Who is asked.
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
 * What became of an attempt.
 *
 * **Details**
 *
 * A charge or a capture that was `denied` may be tried again; every other kind was denied for good. `reference` is the provider's own name
 * for what it did: `tid`, `txid` or barcode.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AttemptResult = Schema.Struct({
  outcome: Schema.Literals(["authorized", "captured", "denied", "reversed", "registered", "cancelled", "givenUp"]),
  /** The provider's code and words of a denial. */
  code: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
  merchantAdviceCode: Schema.optionalKey(Schema.String),
  reference: Schema.optionalKey(Schema.String),
  /** When the outcome came in, in machine time. */
  at: MachineTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type AttemptResult = typeof AttemptResult.Type

/**
 * An attempt of one company; an amount in cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Attempt = Schema.Struct({
  id: AttemptId,
  companyId: CompanyId,
  transactionId: SvcPayId,
  kind: AttemptKind,
  /** The card that it is about, if it is about one. */
  cardId: Schema.optionalKey(SvcPayId),
  value: Cents,
  provider: AttemptProvider,
  /** By the machine's clock. */
  startedAt: MachineTime,
  /** The same by the company's clock, which the card brands' limits are counted in. */
  businessAt: BusinessTime,
  /** Absent while the outcome is not known. */
  result: Schema.optionalKey(AttemptResult)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Attempt = typeof Attempt.Type
