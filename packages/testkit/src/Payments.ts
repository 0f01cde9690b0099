/**
 * Payments of boletos and Pix charges.
 *
 * @since 0.1.0
 */

/**
 * A simulated payment: exactly one of `myId` and `transactionId`.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentOrder {
  /** The `myId` of the transaction or of its charge. */
  readonly myId?: string | undefined
  /** The service's identifier of the transaction: `Charge.Transactions[0].svcPayId` of a charge. */
  readonly transactionId?: number | undefined
  /** In cents. The default is the amount due. A Pix accepts no other amount. */
  readonly value?: number | undefined
  /** Number of payments. The default is 1. A Pix is paid once. */
  readonly times?: number | undefined
  /** Idempotency key: a repeated order with the same name pays nothing more. */
  readonly name?: string | undefined
}

/**
 * A payment at its provider. Times are those of the company's clock.
 *
 * @category models
 * @since 0.1.0
 */
export interface MadePayment {
  /** The provider's reference: the end-to-end id of a Pix. */
  readonly id: string
  readonly method: "boleto" | "pix"
  readonly transactionId: number
  /** The identifier that your program gave that transaction. */
  readonly transactionMyId?: string
  /** Cents. */
  readonly value: number
  readonly paidAt: string
  /** Time of the report: a Pix at once, a boleto at the start of the next business day. */
  readonly reportAt: string
  readonly isAcknowledged: boolean
}

/**
 * The result of a simulated payment.
 *
 * @category models
 * @since 0.1.0
 */
export interface Paid {
  readonly payments: ReadonlyArray<MadePayment>
  /** Number of payments of the transaction before this order. */
  readonly earlierPayments: number
  /** Current status of the transaction, such as `payedPix`. */
  readonly status: string
}

/**
 * A payment or a dispute that a provider reported, and its result.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReportedPayment {
  readonly number: number
  readonly id: string
  /** A dispute of a card payment is `creditcard`. */
  readonly method: "boleto" | "pix" | "creditcard"
  /** The provider's reference of the transaction: txid, barcode or tid. */
  readonly reference: string
  /** In cents. Absent for a dispute. */
  readonly value?: number
  /** Absent for a dispute. */
  readonly paidAt?: string
  readonly standing: "waiting" | "applied" | "unmatched"
  readonly transactionId?: number
  /** The identifier that your program gave that transaction. */
  readonly transactionMyId?: string
  readonly problem?: string
  readonly receivedAt: string
}
