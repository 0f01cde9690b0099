/**
 * Fields that stored transactions of all payment methods share, and the states that boleto and Pix share.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { type AttemptKind, AttemptId } from "../attempts/Attempt.ts"
import { Cents } from "../money/Cents.ts"
import { CompanyId } from "../companies/CompanyState.ts"
import { BusinessTime } from "../time/Instant.ts"
import { InvoiceConfig } from "../invoices/Invoice.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { CardTerms } from "../paymentMethods/CardTerms.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethod.ts"
import { Text, nonEmptyString } from "../values/Text.ts"

/**
 * The owner of a transaction: a subscription or a one-off charge.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionOwner = Schema.TaggedUnion({
  Subscription: { id: SvcPayId },
  Charge: { id: SvcPayId }
})

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionOwner = typeof TransactionOwner.Type

/**
 * @category fields
 * @since 0.1.0
 */
export const common = {
  id: SvcPayId,
  companyId: CompanyId,
  owner: TransactionOwner,
  myId: MyId,
  value: Cents,
  payday: LocalDate,
  additionalInfo: Schema.optionalKey(Text),
  installment: Schema.Int,
  invoiceConfig: Schema.optionalKey(InvoiceConfig),
  statusAt: BusinessTime,
  createdAt: BusinessTime,
  updatedAt: BusinessTime
}

/**
 * The state of a payment after its provider has cancelled the registration, unless the payment itself is cancelled:
 *
 * - `PaidOutside`: it was paid outside the service
 * - `Changed`: it is registered again with another value or payday
 * - `Waived`: it is waived
 * - `Reopened`: it is charged by another payment method
 *
 * @category schemas
 * @since 0.1.0
 */
export const Withdrawn = Schema.TaggedUnion({
  PaidOutside: { value: Cents, payday: LocalDate },
  Changed: { value: Cents, payday: LocalDate },
  Waived: {},
  Reopened: {
    value: Cents,
    payday: LocalDate,
    method: PaymentMethodId,
    cardId: Schema.optionalKey(SvcPayId),
    creditCard: Schema.optionalKey(CardTerms)
  }
})

/**
 * @category models
 * @since 0.1.0
 */
export type Withdrawn = typeof Withdrawn.Type

/**
 * A pending attempt of one of these kinds. Only a cancellation at the provider has `withdrawn`.
 *
 * @category fields
 * @since 0.1.0
 */
export const pendingAttempt = <const Kinds extends ReadonlyArray<AttemptKind>>(kinds: Kinds) =>
  Schema.optionalKey(
    Schema.Struct({
      attemptId: AttemptId,
      kind: Schema.Literals(kinds),
      value: Cents,
      withdrawn: Schema.optionalKey(Withdrawn)
    })
  )

/**
 * Final statuses of a payment of any method.
 *
 * @category fields
 * @since 0.1.0
 */
export const ended = Schema.Literals(["cancel", "cancelByContract", "payExternal", "free"])

/**
 * Fields of a registration at a bank or a Pix provider, besides its code.
 *
 * @category fields
 * @since 0.1.0
 */
export const registered = {
  /** Random part of the payment page's URL. Anyone with the link can open the page. */
  documentKey: Schema.String,
  at: BusinessTime
}

/**
 * The states of a transaction that a provider registers: a boleto or a Pix.
 *
 * @category schemas
 * @since 0.1.0
 */
export const registeredShapes = <
  const Method extends string,
  R extends Schema.Constraint,
  const Open extends string,
  const Paid extends ReadonlyArray<string>,
  const Unpaid extends string
>(options: {
  readonly method: Method
  readonly registration: R
  readonly open: Open
  readonly paid: Paid
  readonly unpaid: Unpaid
}) => {
  const { registration } = options
  const fields = { ...common, method: Schema.Literal(options.method) }
  return {
    /** Not yet registered, or registered and unpaid. */
    open: Schema.Struct({
      ...fields,
      status: Schema.Literal(options.open),
      registration: Schema.optionalKey(registration),
      /** Number of cancelled registrations that were replaced by a new one. */
      withdrawals: Schema.optionalKey(Schema.Int),
      pendingAttempt: pendingAttempt(["register", "cancel"])
    }),
    /**
     * Paid, once or several times, with the exact or another amount. Settlements are in the order in which they were
     * reported.
     */
    paid: Schema.Struct({
      ...fields,
      status: Schema.Literals(options.paid),
      registration,
      /** As above: a pending cancellation at the time of payment is still queried by its number. */
      withdrawals: Schema.optionalKey(Schema.Int),
      settlements: Schema.NonEmptyArray(Settlement)
    }),
    /** No longer payable: expired, or the provider denied the registration. */
    unpaid: Schema.Struct({
      ...fields,
      status: Schema.Literal(options.unpaid),
      registration: Schema.optionalKey(registration),
      registrationDenial: Schema.optionalKey(RegistrationDenial)
    }),
    ended: Schema.Struct({ ...fields, status: ended, registration: Schema.optionalKey(registration) })
  }
}

/**
 * A payment of a boleto or a Pix, as the bank or the Pix provider reported it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Settlement = Schema.Struct({
  /**
   * The bank's identifier of the payment, or a Pix's end-to-end id. A report with the same id is about the same
   * payment.
   */
  id: nonEmptyString(255),
  value: Cents,
  paidOn: LocalDate,
  /** Fee of the bank or the Pix provider. */
  fee: Schema.optionalKey(Cents)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Settlement = typeof Settlement.Type

/**
 * Code and message of a final denial by a boleto bank or a Pix provider.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RegistrationDenial = Schema.Struct({ code: Schema.String, message: Schema.String })

/**
 * @category models
 * @since 0.1.0
 */
export type RegistrationDenial = typeof RegistrationDenial.Type
