/**
 * The nineteen statuses of a transaction, their transitions and their groups (interface section 3).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { PaymentMethodId } from "../paymentMethods/PaymentMethod.ts"

/**
 * Statuses in the order of the interface: card, boleto, Pix, any.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionStatus = Schema.Literals([
  "notSend",
  "authorized",
  "captured",
  "denied",
  "reversed",
  "chargeback",
  "pendingBoleto",
  "payedBoleto",
  "notCompensated",
  "lessValueBoleto",
  "moreValueBoleto",
  "paidDuplicityBoleto",
  "pendingPix",
  "payedPix",
  "unavailablePix",
  "cancel",
  "payExternal",
  "cancelByContract",
  "free"
]).annotate({
  identifier: "TransactionStatus",
  description:
    "By card: notSend, authorized, captured, denied, reversed, chargeback. By boleto: pendingBoleto, payedBoleto, " +
    "notCompensated (written off after the deadline), lessValueBoleto and moreValueBoleto (paid less or more than the " +
    "value), paidDuplicityBoleto (paid twice). By Pix: pendingPix, payedPix, unavailablePix. Any: cancel, payExternal " +
    "(paid outside the service), cancelByContract (cancelled with its subscription), free (exempt: the company waived it)."
})

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionStatus = typeof TransactionStatus.Type

/**
 * The causes of status changes, as descriptions that follow "because".
 *
 * @category tables
 * @since 0.1.0
 */
export const transactionCauses = {
  operator: "the card operator responded to an attempt",
  capture: "an authorized amount was captured",
  reverse: "the amount, or a part of it, was refunded or released",
  dispute: "the holder disputed the charge",
  settle: "the bank or the Pix provider reported a payment; a boleto that is paid twice has two events",
  deny: "the bank or the Pix provider denied its registration, so there is no boleto or code (`denied` is for cards)",
  expire:
    "the time to pay is over: for a boleto two business days after the end of `deadlineDays`, for a Pix at the end of `Deadline`; without either, after 30 days",
  cancel: "this payment was cancelled",
  cancelContract: "its subscription or its charge was cancelled",
  payOutside: "it was paid outside the service",
  waive: "the company waived it, and nothing is owed (the interface says exempt)"
} as const

/**
 * @category schemas
 * @since 0.1.0
 */
export const TransactionCause = Schema.Literals(Struct.keys(transactionCauses))

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionCause = typeof TransactionCause.Type

const endings = {
  cancel: ["cancel"],
  cancelContract: ["cancelByContract"],
  payOutside: ["payExternal"],
  waive: ["free"]
} as const

/**
 * The next statuses of each status, by cause. A cause that is not listed is refused. A status without causes is final.
 * The interface lists the statuses but not the transitions; these are decided in `docs/interface-decisions.md`.
 *
 * @category tables
 * @since 0.1.0
 */
export const transactionTransitions = {
  notSend: { operator: ["authorized", "captured", "denied"], ...endings },
  authorized: { operator: ["captured", "denied"], capture: ["captured"], reverse: ["reversed"] },
  // After a partial reversal the rest stays captured.
  captured: { reverse: ["captured", "reversed"], dispute: ["chargeback"] },
  denied: { operator: ["authorized", "captured", "denied"], ...endings },
  reversed: {},
  chargeback: {},
  pendingBoleto: {
    settle: ["payedBoleto", "lessValueBoleto", "moreValueBoleto"],
    deny: ["notCompensated"],
    expire: ["notCompensated"],
    ...endings
  },
  payedBoleto: { settle: ["paidDuplicityBoleto"] },
  notCompensated: {},
  lessValueBoleto: { settle: ["paidDuplicityBoleto"] },
  moreValueBoleto: { settle: ["paidDuplicityBoleto"] },
  // A bank accepts a boleto more than once. Each payment is stored.
  paidDuplicityBoleto: { settle: ["paidDuplicityBoleto"] },
  pendingPix: { settle: ["payedPix"], deny: ["unavailablePix"], expire: ["unavailablePix"], ...endings },
  payedPix: {},
  unavailablePix: {},
  cancel: {},
  payExternal: {},
  cancelByContract: {},
  free: {}
} as const satisfies Record<TransactionStatus, { readonly [C in TransactionCause]?: ReadonlyArray<TransactionStatus> }>

/**
 * The statuses that allow a cause.
 *
 * @category models
 * @since 0.1.0
 */
export type StatusBefore<C extends TransactionCause> = {
  [S in TransactionStatus]: C extends keyof (typeof transactionTransitions)[S] ? S : never
}[TransactionStatus]

/**
 * The next statuses of `status` for `cause`; empty if the status does not allow the cause.
 *
 * @category getters
 * @since 0.1.0
 */
export const nextStatuses = (status: TransactionStatus, cause: TransactionCause): ReadonlyArray<TransactionStatus> => {
  const causes: { readonly [C in TransactionCause]?: ReadonlyArray<TransactionStatus> } = transactionTransitions[status]
  return causes[cause] ?? []
}

/**
 * True if `status` has no next status.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isFinal = (status: TransactionStatus): boolean => Object.keys(transactionTransitions[status]).length === 0

/**
 * The meaning of a status for the company that receives the money.
 *
 * @category models
 * @since 0.1.0
 */
export type TransactionGroup = "open" | "authorized" | "paid" | "denied" | "reversed" | "disputed" | "void"

/**
 * The group of each status. No public client groups all nineteen statuses.
 *
 * @category tables
 * @since 0.1.0
 */
export const transactionGroups = {
  notSend: "open",
  authorized: "authorized",
  captured: "paid",
  denied: "denied",
  reversed: "reversed",
  chargeback: "disputed",
  pendingBoleto: "open",
  payedBoleto: "paid",
  notCompensated: "void",
  // An amount other than the requested one was paid. The company settles the difference.
  lessValueBoleto: "paid",
  moreValueBoleto: "paid",
  paidDuplicityBoleto: "paid",
  pendingPix: "open",
  payedPix: "paid",
  unavailablePix: "void",
  cancel: "void",
  payExternal: "paid",
  cancelByContract: "void",
  // Nothing was received, and nothing is owed.
  free: "void"
} as const satisfies Record<TransactionStatus, TransactionGroup>

/**
 * The opening status of each payment method.
 *
 * @category tables
 * @since 0.1.0
 */
export const openingStatus = {
  creditcard: "notSend",
  boleto: "pendingBoleto",
  pix: "pendingPix"
} as const satisfies Record<PaymentMethodId, TransactionStatus>

/**
 * The text of each status (`statusDescription`, interface section 2.4).
 *
 * @category tables
 * @since 0.1.0
 */
export const statusDescriptions: Record<TransactionStatus, string> = {
  notSend: "Not yet sent to the card operator",
  authorized: "Authorized",
  captured: "Captured at the card operator",
  denied: "Denied at the card operator",
  reversed: "Reversed at the card operator",
  chargeback: "Reversed by chargeback",
  pendingBoleto: "Boleto open",
  payedBoleto: "Boleto settled",
  notCompensated: "Boleto written off after the deadline",
  lessValueBoleto: "Paid less than the original value",
  moreValueBoleto: "Paid more than the original value",
  paidDuplicityBoleto: "Paid twice",
  pendingPix: "Pix open",
  payedPix: "Pix paid",
  unavailablePix: "Pix unavailable for payment",
  cancel: "Cancelled manually",
  payExternal: "Paid outside the system",
  cancelByContract: "Cancelled when the subscription was cancelled",
  free: "Exempt"
}

/**
 * The treatment of the open payments of a subscription or a charge:
 *
 * - `sent`: due payments are sent to the operator, the bank or the Pix provider
 * - `paused`: nothing new is sent; existing boletos and Pix codes can still be paid
 * - `cancelled`: open payments become `cancelByContract`
 *
 * @category models
 * @since 0.1.0
 */
export type OpenPayments = "sent" | "paused" | "cancelled"
