/**
 * Payments in responses (interface section 2.4 and further fields from public use). The interface marks fields that
 * only the response to a retry has (R), and fields that only a transaction inside a subscription has (S). Each of the
 * three forms has its own schema.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardOperatorId, Antifraud } from "../paymentMethods/CardTerms.ts"
import { Invoice } from "../invoices/Invoice.ts"
import { described, ofOwner, valueOrNull } from "../values/Fields.ts"
import { CardOfTransaction } from "../cards/Card.ts"
import { Cents } from "../money/Cents.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDate, LocalDateTime } from "../time/LocalDate.ts"
import { int, string, Text } from "../values/Text.ts"
import { TransactionStatus } from "./TransactionStatus.ts"
import { Percentage } from "../money/Percentage.ts"

/**
 * The Pix code of a transaction (interface section 2.6).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Pix = Schema.Struct({
  qrCode: described(string(255), "Content of the QR code, to be copied and pasted."),
  reference: described(string(255), "Identifier of the QR code that the payer's banking app shows."),
  image: described(string(255), "Link to the image of the QR code."),
  page: described(string(255), "Link to the page with the QR code."),
  // Not in interface 2.6; public use.
  endToEnd: valueOrNull(string(255), "The bank system's identifier of the payment, once it is paid.")
}).annotate({ identifier: "Pix", description: "The Pix code of a transaction." })

/**
 * @category models
 * @since 0.1.0
 */
export type Pix = typeof Pix.Type

/**
 * The bank slip of a transaction (interface section 2.6).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Boleto = Schema.Struct({
  pdf: described(string(255), "Link to the PDF."),
  bankLine: described(string(255), "The line to type (linha digitável), digits only."),
  bankAgency: described(string(255), "Agency of the issuing bank."),
  bankAccount: described(string(255), "Account at the issuing bank."),
  // Not in interface 2.6. Source: public use, where this field is a number.
  bankNumber: valueOrNull(int(11), "Number of the issuing bank."),
  bankEmissor: valueOrNull(string(255), "Name of the issuing bank."),
  barCode: valueOrNull(string(255), "The 44 digits of the barcode.")
}).annotate({ identifier: "Boleto", description: "The boleto of a transaction." })

/**
 * @category models
 * @since 0.1.0
 */
export type Boleto = typeof Boleto.Type

/**
 * The denial code and its message. The code has at most 4 characters, usually 2.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AbecsReasonDenied = Schema.Struct({
  code: described(string(4), "Code of the denial, usually two characters."),
  message: described(string(255), "Meaning of the code.")
}).annotate({
  identifier: "AbecsReasonDenied",
  description: "Reason of a card denial: code and message of the Brazilian card association (ABECS)."
})

/**
 * @category models
 * @since 0.1.0
 */
export type AbecsReasonDenied = typeof AbecsReasonDenied.Type

const common = {
  myId: described(Schema.optionalKey(MyId), "Identifier of the transaction in the client system."),
  svcPayId: described(SvcPayId, "Identifier of the transaction, assigned by the service."),
  value: described(Cents, "Price, in cents."),
  payday: described(LocalDate, "Due date: YYYY-MM-DD."),
  payedOutsideSvcPay: described(
    Schema.Boolean,
    "True if it is paid outside the service, for example in cash or by transfer."
  ),
  additionalInfo: described(
    Schema.optionalKey(Text),
    "Additional text about the transaction; it is printed on the boleto."
  ),
  installment: described(int(11), "Number of the installment."),
  status: described(TransactionStatus, "Status of the transaction."),
  statusDescription: described(string(255), "More about the status."),
  reasonDenied: described(
    Schema.optionalKey(string(255)),
    "Reason of the latest denial. It remains after a later attempt is captured: use status to decide."
  ),
  tid: described(Schema.optionalKey(string(255)), "Identifier of the transaction at the operator."),
  authorizationCode: described(Schema.optionalKey(string(255)), "Authorization code of the operator."),
  AbecsReasonDenied: described(
    Schema.optionalKey(AbecsReasonDenied),
    "Code and message of the denial; of the latest denial, and they stay when a later try is captured: decide on status."
  ),
  CreditCard: described(
    Schema.optionalKey(
      Schema.Struct({ Card: described(CardOfTransaction, "The card that is charged.") }).annotate({
        identifier: "CreditCard",
        description: "The card of a transaction."
      })
    ),
    "The card of a card payment."
  )
}

const onlyInRetry = {
  subscriptionMyId: ofOwner(
    described(Schema.optionalKey(MyId), "Identifier of its subscription in the client system.")
  ),
  subscriptionSvcPayId: ofOwner(
    described(
      Schema.optionalKey(SvcPayId),
      "Identifier of its subscription, assigned by the service; absent where it belongs to a charge."
    )
  ),
  datetimeLastSentToOperator: described(
    Schema.optionalKey(LocalDateTime),
    "Time at which it was last sent to the card operator: YYYY-MM-DD HH:MM:SS, Brazil time."
  ),
  // `int 30` in the interface. No fee exceeds the range of a JavaScript integer.
  fee: described(Schema.optionalKey(int(30)), "Fee of a paid boleto or Pix, in cents."),
  statusDate: described(LocalDateTime, "Since when it has its status: YYYY-MM-DD HH:MM:SS, Brazil time.")
}

const onlyInSubscription = {
  Pix: described(Schema.optionalKey(Pix), "The Pix code of a Pix payment."),
  Boleto: described(Schema.optionalKey(Boleto), "The boleto of a boleto payment."),
  Transaction3DS: described(
    Schema.optionalKey(
      Schema.Struct({
        urlAuthentication: described(Text, "Address at which the holder authenticates."),
        message: valueOrNull(Text, "Amount requested of the holder.")
      }).annotate({
        identifier: "Transaction3DS",
        description: "The holder's authentication by 3-D Secure."
      })
    ),
    "The holder's authentication by 3-D Secure."
  )
}

/**
 * A payout of the card operator for a transaction, or its return. Source: public use (Transaction); limits and optional
 * fields are inferred. `liquidValue` and `taxValue` are in cents, `taxPercent` is in hundredths of a percent.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ConciliationOccurrence = Schema.Struct({
  type: described(Schema.Literals(["payment", "canceled"]), "Direction: paid out or taken back."),
  liquidValue: described(Cents, "Amount paid out, in cents."),
  depositDate: described(Schema.optionalKey(LocalDate), "Day of the deposit: YYYY-MM-DD."),
  taxValue: described(Schema.optionalKey(Cents), "Fee, in cents."),
  taxPercent: described(Schema.optionalKey(Percentage), "Fee, in hundredths of a percent."),
  bankName: described(Schema.optionalKey(string(255)), "Name of the bank."),
  // A number, as in a boleto.
  bankNumber: described(Schema.optionalKey(int(11)), "Number of the bank."),
  agency: described(Schema.optionalKey(string(255)), "Agency of the account."),
  account: described(Schema.optionalKey(string(255)), "The account.")
}).annotate({
  identifier: "ConciliationOccurrence",
  description: "Amount that the card operator paid out for a payment or took back."
})

/**
 * @category models
 * @since 0.1.0
 */
export type ConciliationOccurrence = typeof ConciliationOccurrence.Type

/** Not in interface 2.4; public use. */
const ofPublicUse = {
  createdAt: described(LocalDateTime, "Time at which it was added: YYYY-MM-DD HH:MM:SS, Brazil time."),
  paydayDate: valueOrNull(LocalDate, "The day on which it was paid: YYYY-MM-DD."),
  chargeMyId: ofOwner(valueOrNull(MyId, "Identifier of its charge in the client system.")),
  chargeSvcPayId: ofOwner(valueOrNull(SvcPayId, "Identifier of its charge, assigned by the service.")),
  cardOperatorId: valueOrNull(CardOperatorId, "The card operator that was requested."),
  Antifraud: valueOrNull(Antifraud, "Input and result of a fraud check."),
  Invoice: valueOrNull(Invoice, "Its tax invoice (nota fiscal)."),
  ConciliationOccurrences: described(
    Schema.Array(ConciliationOccurrence),
    "Amounts that the card operator paid out for it or took back."
  )
}

/** Fields of our own: neither the interface nor public use shows the amounts that were paid and reversed. */
const amounts = {
  paidValue: described(
    Schema.optionalKey(int(30)),
    "Amount paid of a boleto or a Pix, in cents: the sum of its payments, with fine and interest or less the discount."
  ),
  reversedValue: described(
    Schema.optionalKey(Cents),
    "Amount of a card payment returned so far, in cents; for a payment that was only authorized, the amount released."
  )
}

/**
 * A transaction inside a subscription: the common fields and those marked (S).
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionOfSubscription = Schema.Struct({
  ...common,
  ...onlyInSubscription,
  ...ofPublicUse,
  ...amounts
}).annotate({
  identifier: "TransactionOfSubscription",
  description: "A payment inside its subscription."
})

/**
 * The transaction in the response to a retry: the common fields and those marked (R).
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionOfRetry = Schema.Struct({ ...common, ...onlyInRetry, ...ofPublicUse, ...amounts }).annotate({
  identifier: "TransactionOfRetry",
  description: "A card payment after a retry."
})

/**
 * A transaction with all its fields, as in the response to "add", in lists and in events (section 6).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Transaction = Schema.Struct({
  ...common,
  ...onlyInRetry,
  ...onlyInSubscription,
  ...ofPublicUse,
  ...amounts
}).annotate({
  identifier: "Transaction",
  description: "A payment of a subscription, with all its data."
})

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionOfSubscription = typeof TransactionOfSubscription.Type

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionOfRetry = typeof TransactionOfRetry.Type

/**
 * @category models
 * @since 0.1.0
 */
export type Transaction = typeof Transaction.Type
