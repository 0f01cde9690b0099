/**
 * The names that providers know a transaction by.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { AttemptProvider } from "../attempts/Attempt.ts"
import { settlementsOf, type TransactionState } from "./TransactionState.ts"

/**
 * - `tid`: what the card operator calls an authorization or a denial
 * - `txid`: a Pix charge
 * - `endToEndId`: one payment of it
 * - `barcode`: a boleto
 * - `ourNumber`: a boleto at its bank (nosso número)
 *
 * The issuer's code of an authorization is none: six digits name many payments, and no report comes by them alone.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReferenceKind = Schema.Literals(["tid", "txid", "endToEndId", "barcode", "ourNumber"])

/**
 * @category models
 * @since 0.1.0
 */
export type ReferenceKind = typeof ReferenceKind.Type

/**
 * What each provider's attempts are called by: the kind of the `reference` of their results.
 *
 * @category constants
 * @since 0.1.0
 */
export const kindOfAttempts = {
  cardOperator: "tid",
  boletoBank: "barcode",
  pixProvider: "txid"
} as const satisfies Readonly<Record<AttemptProvider, ReferenceKind>>

/**
 * @category models
 * @since 0.1.0
 */
export interface TransactionReference {
  readonly kind: ReferenceKind
  readonly value: string
}

/**
 * The references that a transaction has by now: names of 1 to 255 visible ASCII characters.
 *
 * @category getters
 * @since 0.1.0
 */
export const referencesOf = (state: TransactionState): ReadonlyArray<TransactionReference> => {
  switch (state.method) {
    case "outside":
      return []
    case "creditcard":
      return ofCard(state)
    case "boleto": {
      const { barcode, ourNumber } = state.registration?.slip ?? {}
      return present([
        ["barcode", barcode],
        ["ourNumber", ourNumber]
      ])
    }
    case "pix":
      return present([
        ["txid", state.registration?.charge.txid],
        ...settlementsOf(state).map(({ id }) => ["endToEndId", id] as const)
      ])
  }
}

const ofCard = (state: Extract<TransactionState, { method: "creditcard" }>) => {
  const authorization = "authorization" in state ? state.authorization : undefined
  const denied = "denial" in state ? state.denial?.tid : undefined
  return present([
    ["tid", denied],
    ["tid", authorization?.tid === denied ? undefined : authorization?.tid]
  ])
}

const present = (
  references: ReadonlyArray<readonly [kind: ReferenceKind, value: string | undefined]>
): ReadonlyArray<TransactionReference> => {
  const found: Array<TransactionReference> = []
  for (const [kind, value] of references) if (value !== undefined && isName.test(value)) found.push({ kind, value })
  return found
}

// An odd name must not keep an outcome from being recorded: no provider sends one, and not every database stores it.
const isName = /^[!-~]{1,255}$/u
