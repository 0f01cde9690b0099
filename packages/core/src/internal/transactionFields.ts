/**
 * What transactions of all methods have.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { AttemptKind } from "../attempts/Attempt.ts"
import { AttemptId } from "../attempts/AttemptId.ts"
import { Cents } from "../money/Cents.ts"
import { CompanyId } from "../companies/CompanyState.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { InvoiceConfig } from "../invoices/InvoiceConfig.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { CardTerms } from "../paymentMethods/CardTerms.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { RegistrationDenial } from "../attempts/RegistrationDenial.ts"
import { Settlement } from "../transactions/Settlement.ts"
import { Text } from "../values/Text.ts"
import { TransactionOwner } from "../transactions/TransactionOwner.ts"

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
 * What a payment becomes once its provider has withdrawn it, where it is not cancelled: it was paid outside the service, it
 * is waived, it is registered anew with another value or payday, or it is asked for by another method.
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
 * The attempt that is under way and has no outcome yet, where it can be of these kinds. `withdrawn` stands in a
 * withdrawal alone.
 *
 * @category fields
 * @since 0.1.0
 */
export const underWay = <const Kinds extends ReadonlyArray<AttemptKind>>(kinds: Kinds) =>
  Schema.optionalKey(
    Schema.Struct({
      attemptId: AttemptId,
      kind: Schema.Literals(kinds),
      value: Cents,
      withdrawn: Schema.optionalKey(Withdrawn)
    })
  )

/**
 * The statuses that end a payment of any method.
 *
 * @category fields
 * @since 0.1.0
 */
export const ended = Schema.Literals(["cancel", "cancelByContract", "payExternal", "free"])

/**
 * What a bank or a Pix provider registered has beside its code.
 *
 * @category fields
 * @since 0.1.0
 */
export const registered = {
  /** Makes the address of what the payer sees unguessable: anyone with the link may see it. */
  documentKey: Schema.String,
  at: BusinessTime
}

/**
 * The shapes of a transaction that is paid by what a provider registered.
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
    /** To be registered, or registered and to be paid. */
    open: Schema.Struct({
      ...fields,
      status: Schema.Literal(options.open),
      registration: Schema.optionalKey(registration),
      /** How many registrations were withdrawn to be made anew. */
      withdrawals: Schema.optionalKey(Schema.Int),
      underWay: underWay(["register", "cancel"])
    }),
    /** Paid, exactly or not, once or more often; the payments in the order of their reports. */
    paid: Schema.Struct({
      ...fields,
      status: Schema.Literals(options.paid),
      registration,
      /** As above: a withdrawal that was under way when it was paid is still asked about by its number. */
      withdrawals: Schema.optionalKey(Schema.Int),
      settlements: Schema.NonEmptyArray(Settlement)
    }),
    /** It cannot be paid any more: its time is over, or the provider denied its registration. */
    unpaid: Schema.Struct({
      ...fields,
      status: Schema.Literal(options.unpaid),
      registration: Schema.optionalKey(registration),
      registrationDenial: Schema.optionalKey(RegistrationDenial)
    }),
    ended: Schema.Struct({ ...fields, status: ended, registration: Schema.optionalKey(registration) })
  }
}
