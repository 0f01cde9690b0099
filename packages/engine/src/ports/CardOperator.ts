/**
 * Port: the card operator, which charges cards and stores their numbers in its vault.
 *
 * @since 0.1.0
 */
import type { CardData } from "@parcela/core/cards/Card"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { VaultToken } from "@parcela/core/cards/CardDecider"
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
  /** True: the amount is only authorized, and is captured or released later. Default: it is captured at once. */
  readonly preAuthorize?: boolean
  /** The number of instalments that the card holder pays. Default: 1. */
  readonly instalments?: number
}

/**
 * Captures an authorized amount.
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
 * Refunds a captured amount or a part of it, or releases an authorization.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reversal extends ProviderRequest {
  /** The `tid` of the capture or authorization. */
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
     * Stores a card in the vault and returns its token. The number and CVV are not stored elsewhere. A number that the
     * same company stored before has the same token, with the latest expiry date.
     */
    readonly tokenize: (companyId: CompanyId, card: CardData) => Effect.Effect<VaultToken, ProviderError>
    /**
     * Authorizes a payment, and captures it unless `preAuthorize` is set. After a failure, read the outcome with
     * `lookup`.
     */
    readonly charge: (charge: Charge) => Effect.Effect<OperatorOutcome, ProviderError>
    /**
     * Captures an authorized amount. A denial ends the authorization, so a retry charges again. After a failure, read
     * the outcome with `lookup`.
     */
    readonly capture: (capture: Capture) => Effect.Effect<OperatorOutcome, ProviderError>
    /**
     * Refunds an amount. Idempotent by attempt: after a failure the request may be repeated and has the same outcome.
     */
    readonly reverse: (reversal: Reversal) => Effect.Effect<ReversalOutcome, ProviderError>
    /** Returns the outcome of a charge or capture, or none if the operator never received it. */
    readonly lookup: (
      attempt: Pick<ProviderRequest, "attemptId" | "companyId" | "restores">
    ) => Effect.Effect<Option.Option<OperatorOutcome>, ProviderError>
  }
>()("@parcela/engine/ports/CardOperator") {}
