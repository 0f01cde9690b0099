/**
 * Port: the company that moves money from cards, and keeps their numbers in its vault.
 *
 * @since 0.1.0
 */
import type { CardData } from "@parcela/core/cards/CardInput"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { VaultToken } from "@parcela/core/cards/CardState"
import type { Cents } from "@parcela/core/money/Cents"
import type { OperatorOutcome, ReversalOutcome } from "@parcela/core/attempts/AttemptOutcome"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ProviderError } from "./ProviderError.ts"
import type { ProviderRequest } from "./ProviderRequest.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Charge extends ProviderRequest {
  readonly card: VaultToken
  readonly value: Cents
  /** Whether the amount is only held, until it is captured or released; it is captured when absent. */
  readonly preAuthorize?: boolean
  /** In how many instalments the holder pays; at once when absent. */
  readonly instalments?: number
}

/**
 * Takes what was authorized before.
 *
 * @category models
 * @since 0.1.0
 */
export interface Capture extends ProviderRequest {
  /** The `tid` of the authorization. */
  readonly authorizedAs: string
  readonly value: Cents
}

/**
 * Gives back a capture or a part of it, or releases an authorization.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reversal extends ProviderRequest {
  /** The `tid` of the capture or of the authorization. */
  readonly tid: string
  readonly value: Cents
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
    readonly tokenize: (companyId: CompanyId, card: CardData) => Effect.Effect<VaultToken, ProviderError>
    /** Authorizes, and captures unless it is to be pre-authorized. After a failure it is unknown whether money moved: ask with `lookup`. */
    readonly charge: (charge: Charge) => Effect.Effect<OperatorOutcome, ProviderError>
    /**
     * Captures what is authorized: a second authorization would hold the amount twice. One that is denied ends the
     * authorization, and nothing is held any more: a retry charges afresh. Failures are as for `charge`.
     */
    readonly capture: (capture: Capture) => Effect.Effect<OperatorOutcome, ProviderError>
    /** Gives money back. After a failure ask for the same attempt again: it is done once, and has the same outcome. */
    readonly reverse: (reversal: Reversal) => Effect.Effect<ReversalOutcome, ProviderError>
    /** What became of a charge or a capture; none when the operator never received it. */
    readonly lookup: (
      attempt: Pick<ProviderRequest, "attemptId" | "companyId" | "restores">
    ) => Effect.Effect<Option.Option<OperatorOutcome>, ProviderError>
  }
>()("@parcela/engine/ports/CardOperator") {}
