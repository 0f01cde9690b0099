/**
 * What a provider received, and what became of it.
 *
 * @since 0.1.0
 */
import type { Cents } from "@parcela/core/money/Cents"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { LedgerEffect } from "../ProviderLedger.ts"
import type { Call, Fault, Subject } from "../SimulatorFaults.ts"

/** A request as the ledger shows it. */
export interface Received extends Subject {
  readonly kind: Call
  readonly value?: Cents
  readonly at?: BusinessTime
  readonly restores?: number
}

/** What a provider decided, and what the ledger records of it. */
export interface Decision<A> {
  readonly _tag: "Decision"
  readonly response: A
  readonly outcome: string
  readonly code?: string | undefined
  readonly reference?: string | undefined
  readonly effect: LedgerEffect
  readonly isRepeat: boolean
  /** What befalls the response, where nothing was planned. */
  readonly fault?: Fault | undefined
}

/** Nothing is done, and the fault says what the caller gets. */
export interface Unheeded {
  readonly _tag: "Unheeded"
  readonly fault: Fault
}
