/**
 * Payments of boletos and Pix charges.
 *
 * @since 0.1.0
 */

/**
 * Who pays what: exactly one of `myId` and `transactionId`.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentOrder {
  /** The transaction, by the identifier that your program gave it, or by that of its charge. */
  readonly myId?: string | undefined
  /** The transaction, by the service's own identifier: `Charge.Transactions[0].svcPayId` of a charge. */
  readonly transactionId?: number | undefined
  /** Cents: less or more than what is to be paid. A Pix takes no other amount. */
  readonly value?: number | undefined
  /** How often it is paid, once when absent. A Pix is paid once. */
  readonly times?: number | undefined
  /** The same name again is the same order, and pays nothing more. */
  readonly name?: string | undefined
}

/**
 * A payment as its provider keeps it. Times are the company's.
 *
 * @category models
 * @since 0.1.0
 */
export interface MadePayment {
  /** The provider's own name of it: the end-to-end id of a Pix. */
  readonly id: string
  readonly method: "boleto" | "pix"
  readonly transactionId: number
  /** The identifier that your program gave that transaction. */
  readonly transactionMyId?: string
  /** Cents. */
  readonly value: number
  readonly paidAt: string
  /** When it is reported: a Pix at once, a boleto when the next business day begins. */
  readonly reportAt: string
  readonly isAcknowledged: boolean
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Paid {
  readonly payments: ReadonlyArray<MadePayment>
  /** How often the transaction was paid before this order. */
  readonly earlierPayments: number
  /** Status of the transaction now, such as `payedPix`. */
  readonly status: string
}

/**
 * A payment or a dispute that a provider reported, and what became of it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReportedPayment {
  readonly number: number
  readonly id: string
  /** A dispute of a card payment is `creditcard`. */
  readonly method: "boleto" | "pix" | "creditcard"
  /** What its provider calls the thing that was paid: txid, barcode or tid. */
  readonly reference: string
  /** Cents; of a payment. */
  readonly value?: number
  /** Of a payment. */
  readonly paidAt?: string
  readonly standing: "waiting" | "applied" | "unmatched"
  readonly transactionId?: number
  /** The identifier that your program gave that transaction. */
  readonly transactionMyId?: string
  readonly problem?: string
  readonly receivedAt: string
}
