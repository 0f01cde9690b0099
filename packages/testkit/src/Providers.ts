/**
 * The simulated payment providers: what goes wrong with them, and what they were asked.
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
 * What goes wrong:
 *
 * - `Denied`: the provider's no, with the code of a denial
 * - `Unavailable`: a 5xx; nothing is done
 * - `RequestLost`: nothing is done, and there is no response
 * - `ResponseLost`: it is done, and the response is lost
 * - `Duplicated`: the request arrives twice
 * - `Hang`: no response ever, whether it is done or not
 * - `Slow`: it is done, and the response is late
 *
 * @category models
 * @since 0.1.0
 */
export type Fault =
  | {
      readonly type: "Denied"
      readonly code: string
      readonly message?: string
      /** Mastercard's advice beside a denied charge: two digits. */
      readonly merchantAdviceCode?: string
    }
  | { readonly type: "Unavailable" | "RequestLost" | "ResponseLost" | "Duplicated" }
  | { readonly type: "Hang"; readonly isDone: boolean }
  | { readonly type: "Slow"; readonly milliseconds: number }

/**
 * A fault for the next requests to a provider, or for all within a span of the company's time.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlannedFault {
  readonly fault: Fault
  /** Requests of this kind; of every kind when absent. */
  readonly call?: ProviderCall
  /** How many requests it applies to. When absent: 1, or all of them where `from` or `until` is there. */
  readonly times?: number
  /** Of this transaction alone, by the service's own identifier. */
  readonly transactionId?: number
  /** Of this attempt alone. */
  readonly attemptId?: string
  /** Requests from this time of the company's clock on: `2027-03-01T10:00:00-03:00`. */
  readonly from?: string
  /** Requests before this time of the company's clock. */
  readonly until?: string
}

/**
 * A fault to plan.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewFault extends PlannedFault {
  /** Charges of this card alone, by the service's own identifier. */
  readonly cardId?: number
}

/**
 * One request that a provider received. No part of a card is in it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderRequest {
  readonly id: number
  /** `card operator`, `boleto bank` or `Pix provider`. */
  readonly provider: string
  /** As a planned fault names it. */
  readonly call: ProviderCall
  readonly attemptId: string | null
  readonly transactionId: number | null
  /** The identifier that your program gave that transaction. */
  readonly transactionMyId?: string
  /** Cents. */
  readonly value: number | null
  /** `Captured`, `Denied`, `Registered` ..; null where nothing was decided. */
  readonly outcome: string | null
  /** The code of a denial. */
  readonly code: string | null
  /** The provider's own reference: tid, barcode or txid. */
  readonly reference: string | null
  /** `none`, `kept`, `captured`, `reversed`, `registered` or `canceled`: money moved only where it says `captured` or `reversed`. */
  readonly effect: string
  /** Whether the same attempt was requested before. */
  readonly isRepeat: boolean
  /** The fault that was applied, by its type. */
  readonly fault: string | null
  /** The company's time. */
  readonly at: string | null
  /** The sandbox's time. */
  readonly receivedAt: string
}

/**
 * A card number that decides what becomes of its charges.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestCard {
  readonly number: string
  readonly name: string
  readonly brand: string
  readonly group: string
  /** What becomes of a charge, in words. */
  readonly result: string
  /** Of the denial, where the card is denied. */
  readonly code?: string
}

/**
 * @category models
 * @since 0.1.0
 */
export interface TestCardFilter {
  readonly brand?: string | undefined
  readonly code?: string | undefined
  readonly group?: string | undefined
}
