/**
 * Port: the company that moves money from cards, and keeps their numbers in its vault.
 *
 * @since 0.1.0
 */
import type { CardData } from "@parcela/core/CardInput"
import type { CompanyId } from "@parcela/core/CompanyState"
import type { VaultToken } from "@parcela/core/CardState"
import type { Cents } from "@parcela/core/Cents"
import type { SvcPayId } from "@parcela/core/Identifier"
import type { OperatorOutcome } from "@parcela/core/AttemptOutcome"
import type { AttemptId } from "@parcela/core/AttemptId"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OutsideError } from "./OutsideError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Charge {
  /** The operator's idempotency key too: the same attempt asked twice moves money once. */
  readonly attemptId: AttemptId
  /** The transaction that is being paid: the same for its every attempt. */
  readonly reference: SvcPayId
  readonly card: VaultToken
  readonly value: Cents
  /** The `tid` of an authorization to capture; without it, the amount is authorized and captured anew. */
  readonly authorizedAs?: string | undefined
}

/**
 * @category ports
 * @since 0.1.0
 */
export class CardOperator extends Context.Service<
  CardOperator,
  {
    /**
     * Stores a card in the vault and returns its key. Number and CVV go no further than this call. A number that the
     * company sent before has the key that it got then, as long as the vault knows it; the expiry sent last counts.
     */
    readonly keep: (companyId: CompanyId, card: CardData) => Effect.Effect<VaultToken, OutsideError>
    /** Authorizes and captures. A failure says nothing about the money: ask with `lookup`. */
    readonly charge: (charge: Charge) => Effect.Effect<OperatorOutcome, OutsideError>
    /** What became of an attempt; none when the operator never heard of it. */
    readonly lookup: (attemptId: AttemptId) => Effect.Effect<Option.Option<OperatorOutcome>, OutsideError>
  }
>()("@parcela/engine/CardOperator") {}
