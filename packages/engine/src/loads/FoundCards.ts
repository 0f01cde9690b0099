/**
 * The cards that a request may mean, as they are looked for and found.
 *
 * @since 0.1.0
 */
import type { CardState, VaultToken } from "@parcela/core/cards/CardState"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { Guard } from "./Guard.ts"

/**
 * The card that a request means, as it is looked for.
 *
 * @category models
 * @since 0.1.0
 */
export interface CardQuery {
  readonly svcPayId?: SvcPayId | undefined
  readonly myId?: MyId | undefined
  readonly vaultToken?: VaultToken | undefined
}

/**
 * Of the customer, who is the root of their cards: what names a card rests on it, as the card may be removed meanwhile.
 *
 * @category models
 * @since 0.1.0
 */
export interface OnCards {
  readonly customerGuard: Guard
  readonly cards: FoundCards
}

/**
 * The company's cards that a `CardQuery` may mean. `byVaultToken` has those of all customers that were loaded.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoundCards {
  readonly bySvcPayId: CardState | undefined
  readonly byMyId: CardState | undefined
  readonly byVaultToken: ReadonlyArray<CardState>
}
