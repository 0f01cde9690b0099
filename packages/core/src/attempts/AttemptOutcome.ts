/**
 * What a provider says of an attempt. A response that was lost is not an outcome: the attempt stays under way.
 *
 * @since 0.1.0
 */
import type { Attempt, AttemptKind, AttemptResult } from "./Attempt.ts"
import type { BoletoSlip } from "../transactions/BoletoTransaction.ts"
import type { MachineTime } from "../time/MachineTime.ts"
import type { PixCharge } from "../transactions/PixTransaction.ts"

/**
 * What the card operator says of a charge or a capture. A denial may be followed by another try.
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
      /** Mastercard's advice beside the denial, two digits. */
      readonly merchantAdviceCode?: string | undefined
    }

/**
 * The provider will not do it, however often it is asked: of a reversal, a registration or a cancellation.
 *
 * @category models
 * @since 0.1.0
 */
export interface FinalDenial {
  readonly _tag: "DeniedForGood"
  readonly code: string
  readonly message: string
}

/**
 * What the card operator says of a reversal.
 *
 * @category models
 * @since 0.1.0
 */
export type ReversalOutcome = { readonly _tag: "Reversed" } | FinalDenial

/**
 * What the bank or the Pix provider says of a registration.
 *
 * @category models
 * @since 0.1.0
 */
export type RegistrationOutcome =
  | { readonly _tag: "BoletoRegistered"; readonly slip: BoletoSlip }
  | { readonly _tag: "PixOpened"; readonly charge: PixCharge }
  | FinalDenial

/**
 * What the bank or the Pix provider says of a cancellation.
 *
 * @category models
 * @since 0.1.0
 */
export type CancellationOutcome = { readonly _tag: "Cancelled" } | FinalDenial

/**
 * The service gave a charge up that the card operator never received: no money moved, and none is asked for.
 *
 * @category models
 * @since 0.1.0
 */
export interface GivenUp {
  readonly _tag: "GivenUp"
}

/**
 * The outcomes of each kind of attempt.
 *
 * @category models
 * @since 0.1.0
 */
export interface OutcomeOf {
  readonly charge: OperatorOutcome | GivenUp
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
 * What is kept of an outcome.
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
    case "GivenUp":
      return { outcome: "givenUp", at }
    case "DeniedForGood":
      return { outcome: "denied", code: outcome.code, message: outcome.message, at }
  }
}

/**
 * Whether an outcome is the one that an attempt ended with: a response that came late, or twice.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isKnown = ({ result }: Attempt, outcome: AttemptOutcome): boolean => {
  if (result === undefined) return false
  const { code, outcome: ended, reference } = resultOf(outcome, result.at)
  return ended === result.outcome && reference === result.reference && code === result.code
}
