/**
 * Outcomes that providers report for an attempt. A lost response is not an outcome: the attempt stays pending.
 *
 * @since 0.1.0
 */
import type { Attempt, AttemptKind, AttemptResult } from "./Attempt.ts"
import type { BoletoSlip, PixCharge } from "../transactions/RegisteredTransaction.ts"
import type { MachineTime } from "../time/Instant.ts"

/**
 * The card operator's outcome of a charge or a capture. A denied request can be retried.
 *
 * @category models
 * @since 0.1.0
 */
export type OperatorOutcome =
  | { readonly _tag: "Captured"; readonly tid: string; readonly authorizationCode: string }
  | { readonly _tag: "Authorized"; readonly tid: string; readonly authorizationCode: string }
  | {
      readonly _tag: "Denied"
      readonly tid: string
      readonly code: string
      readonly message: string
      /** Mastercard's merchant advice code, two digits. Sent only with a denial. */
      readonly merchantAdviceCode?: string | undefined
    }

/**
 * A final denial of a reversal, a registration or a cancellation: the provider would deny every retry too.
 *
 * @category models
 * @since 0.1.0
 */
export interface FinalDenial {
  readonly _tag: "FinallyDenied"
  readonly code: string
  readonly message: string
}

/**
 * The card operator's outcome of a reversal.
 *
 * @category models
 * @since 0.1.0
 */
export type ReversalOutcome = { readonly _tag: "Reversed" } | FinalDenial

/**
 * The outcome of a registration at the boleto bank or the Pix provider.
 *
 * @category models
 * @since 0.1.0
 */
export type RegistrationOutcome =
  | { readonly _tag: "BoletoRegistered"; readonly slip: BoletoSlip }
  | { readonly _tag: "PixOpened"; readonly charge: PixCharge }
  | FinalDenial

/**
 * The outcome of a cancellation at the boleto bank or the Pix provider.
 *
 * @category models
 * @since 0.1.0
 */
export type CancellationOutcome = { readonly _tag: "Cancelled" } | FinalDenial

/**
 * A charge that the service abandoned because the card operator never received the request. No money moved.
 *
 * @category models
 * @since 0.1.0
 */
export interface Abandoned {
  readonly _tag: "Abandoned"
}

/**
 * The outcomes of each kind of attempt.
 *
 * @category models
 * @since 0.1.0
 */
export interface OutcomeOf {
  readonly charge: OperatorOutcome | Abandoned
  readonly capture: OperatorOutcome
  readonly reverse: ReversalOutcome
  readonly register: RegistrationOutcome
  readonly cancel: CancellationOutcome
}

/**
 * @category models
 * @since 0.1.0
 */
export type AttemptOutcome = OutcomeOf[AttemptKind]

/**
 * Converts an outcome to the result that is stored with the attempt.
 *
 * @category getters
 * @since 0.1.0
 */
export const resultOf = (outcome: AttemptOutcome, at: MachineTime): AttemptResult => {
  switch (outcome._tag) {
    case "Captured":
      return { outcome: "captured", reference: outcome.tid, at }
    case "Authorized":
      return { outcome: "authorized", reference: outcome.tid, at }
    case "Denied": {
      const { code, merchantAdviceCode, message, tid } = outcome
      return {
        outcome: "denied",
        code,
        message,
        ...(merchantAdviceCode === undefined ? {} : { merchantAdviceCode }),
        reference: tid,
        at
      }
    }
    case "Reversed":
      return { outcome: "reversed", at }
    case "BoletoRegistered":
      return { outcome: "registered", reference: outcome.slip.barcode, at }
    case "PixOpened":
      return { outcome: "registered", reference: outcome.charge.txid, at }
    case "Cancelled":
      return { outcome: "cancelled", at }
    case "Abandoned":
      return { outcome: "abandoned", at }
    case "FinallyDenied":
      return { outcome: "denied", code: outcome.code, message: outcome.message, at }
  }
}

/**
 * True if the attempt already has this outcome, for example when a response arrives twice.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isKnown = ({ result }: Attempt, outcome: AttemptOutcome): boolean => {
  if (result === undefined) return false
  const { code, outcome: ended, reference } = resultOf(outcome, result.at)
  return ended === result.outcome && reference === result.reference && code === result.code
}
