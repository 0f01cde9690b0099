/**
 * The card that a request names: an existing card of the customer, or a new card in the vault.
 *
 * @since 0.1.0
 */
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import { decideCard, type VaultedCard } from "@parcela/core/cards/CardDecider"
import type { CardState } from "@parcela/core/cards/CardState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import * as Result from "effect/Result"
import type { RefusalsOf } from "../command/Command.ts"
import type { Change } from "../command/Decided.ts"
import type { CardQuery, FoundCards } from "../command/LoadedPayments.ts"

/**
 * A card before it is assigned to a customer: a reference to an existing card, or a vaulted card with its token.
 *
 * @category models
 * @since 0.1.0
 */
export type RequestedCard =
  | { readonly _tag: "Known"; readonly svcPayId: SvcPayId }
  | { readonly _tag: "KnownAs"; readonly myId: MyId }
  | {
      readonly _tag: "Kept"
      readonly card: VaultedCard
      /** The identifier for a new card. */
      readonly newId: SvcPayId
    }

/**
 * Returns the search terms of the cards that the request may mean.
 *
 * @category conversions
 * @since 0.1.0
 */
export const queryOf = (requested: RequestedCard | undefined): CardQuery | undefined => {
  switch (requested?._tag) {
    case undefined:
      return undefined
    case "Known":
      return { svcPayId: requested.svcPayId }
    case "KnownAs":
      return { myId: requested.myId }
    case "Kept":
      return { myId: requested.card.myId, vaultToken: requested.card.vaultToken }
  }
}

/**
 * A card of a customer, with its changes and events.
 *
 * @category models
 * @since 0.1.0
 */
export interface OwnedCard {
  readonly card: CardState
  readonly changes: ReadonlyArray<Change>
  readonly events: ReadonlyArray<BillingEvent>
}

/**
 * Assigns the requested card to a customer. The customer may already have it.
 *
 * @category decisions
 * @since 0.1.0
 */
export const own = (
  requested: RequestedCard,
  found: FoundCards,
  owner: {
    readonly companyId: CompanyId
    readonly customerId: SvcPayId
    readonly now: BusinessTime
  }
): Result.Result<OwnedCard, RefusedBy<"CardNotFound"> | RefusalsOf<typeof decideCard>> => {
  if (requested._tag !== "Kept") {
    const card = requested._tag === "Known" ? found.bySvcPayId : found.byMyId
    return card === undefined || card.customerId !== owner.customerId || card.status === "inactive"
      ? Result.fail(refuse({ _tag: "CardNotFound" }))
      : Result.succeed({ card, changes: [], events: [] })
  }
  const { myId, vaultToken } = requested.card
  const known = {
    byMyId: myId === undefined ? undefined : found.byMyId,
    byVaultToken: found.byVaultToken.find(
      (card) => card.customerId === owner.customerId && card.vaultToken === vaultToken
    )
  }
  return Result.map(decideCard(requested.card, known, { ...owner, id: requested.newId }), ({ events, next }) => {
    // A card with the new identifier exists if an earlier run wrote it and the reply to its COMMIT was lost.
    const before = [known.byMyId, known.byVaultToken].find((card) => card?.id === next.id)
    const isChanged = before === undefined || events.length > 0
    return { card: next, changes: isChanged ? [{ table: "cards", before, next }] : [], events }
  })
}
