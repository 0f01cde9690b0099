/**
 * The simulated payment providers: failures, and recorded requests.
 *
 * @since 0.1.0
 */

/**
 * A request to a provider. Card vault: `tokenize`. Card operator: `charge`, `capture`, `reverse`. Boleto bank: `register`. Pix
 * provider: `open`. All of them: `lookup`, `cancel`.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderCall = "tokenize" | "charge" | "capture" | "reverse" | "lookup" | "register" | "open" | "cancel"

/**
 * A failure of a provider:
 *
 * - `Denied`: the provider refuses, with the code of the denial
 * - `Unavailable`: the response is a 5xx, and nothing is executed
 * - `RequestLost`: nothing is executed, and there is no response
 * - `ResponseLost`: the request is executed, and the response is lost
 * - `Duplicated`: the request arrives twice
 * - `Hang`: there is no response, whether the request is executed or not
 * - `Slow`: the request is executed, and the response is late
 *
 * @category models
 * @since 0.1.0
 */
export type Fault =
  | {
      readonly type: "Denied"
      readonly code: string
      readonly message?: string
      /** Mastercard's advice for a denied charge: two digits. */
      readonly merchantAdviceCode?: string
    }
  | { readonly type: "Unavailable" | "RequestLost" | "ResponseLost" | "Duplicated" }
  | { readonly type: "Hang"; readonly isDone: boolean }
  | { readonly type: "Slow"; readonly milliseconds: number }

/**
 * A failure of the next requests to a provider, or of all requests within a span of the company's time.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlannedFault {
  readonly fault: Fault
  /** Kind of the requests. By default every kind. */
  readonly call?: ProviderCall
  /** Number of requests. The default is 1, or all requests if `from` or `until` is given. */
  readonly times?: number
  /** Only requests for this transaction, by the service's identifier. */
  readonly transactionId?: number
  /** Only requests of this attempt. */
  readonly attemptId?: string
  /** Only requests at or after this time of the company's clock: `2027-03-01T10:00:00-03:00`. */
  readonly from?: string
  /** Only requests before this time of the company's clock. */
  readonly until?: string
}

/**
 * A failure to plan.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewFault extends PlannedFault {
  /** Only charges of this card, by the service's identifier. */
  readonly cardId?: number
}

/**
 * A request that a provider received, without any card data.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderRequest {
  readonly id: number
  /** `card operator`, `boleto bank` or `Pix provider`. */
  readonly provider: string
  /** The name of the request in a planned failure. */
  readonly call: ProviderCall
  readonly attemptId: string | null
  readonly transactionId: number | null
  /** The identifier that your program gave that transaction. */
  readonly transactionMyId?: string
  /** Cents. */
  readonly value: number | null
  /** `Captured`, `Denied`, `Registered` ..; null without a decision. */
  readonly outcome: string | null
  /** The code of a denial. */
  readonly code: string | null
  /** The provider's own reference: tid, barcode or txid. */
  readonly reference: string | null
  /** `none`, `kept`, `captured`, `reversed`, `registered` or `canceled`: money moved only where it says `captured` or `reversed`. */
  readonly effect: string
  /** True if the same attempt was requested before. */
  readonly isRepeat: boolean
  /** The type of the failure that was applied. */
  readonly fault: string | null
  /** Time of the company's clock. */
  readonly at: string | null
  /** Time of the sandbox's clock. */
  readonly receivedAt: string
}

/**
 * A card number with a defined result of its charges.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestCard {
  readonly number: string
  readonly name: string
  readonly brand: string
  readonly group: string
  /** The result of a charge, as text. */
  readonly result: string
  /** The code of the denial, if the card is denied. */
  readonly code?: string
}

/**
 * Filter of the table of test cards.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestCardFilter {
  readonly brand?: string | undefined
  readonly code?: string | undefined
  readonly group?: string | undefined
}
