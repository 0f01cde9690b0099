/**
 * Which card a request's card data mean: one that the customer has already, or a new one.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse } from "../errors/BillingError.ts"
import type { CardState } from "./CardState.ts"
import type { CompanyId } from "../companies/CompanyState.ts"
import type { Decided } from "../values/Decision.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import type { MyId, SvcPayId } from "../values/Identifier.ts"

/**
 * A card that the vault has, before it has an owner: its key there, and what may be kept of it.
 *
 * @category models
 * @since 0.1.0
 */
export type VaultedCard = Pick<CardState, "vaultToken" | "brand" | "mask" | "expiresAt"> & {
  readonly myId: MyId | undefined
}

/**
 * The cards that the request may mean, each if there is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface KnownCards {
  /** The customer's card with the same key in the vault. */
  readonly byVaultToken?: CardState | undefined
  /** The company's card with the request's `myId`. */
  readonly byMyId?: CardState | undefined
}

/**
 * Decides which card is meant.
 *
 * **Details**
 *
 * The vault gives the same card the same key, so a card that is sent again is the one that the customer has, with the
 * expiry that was sent last. It keeps its `myId`, and gets one when it had none. A card under its own `myId` is that
 * card also when mask, brand and expiry are all that can be compared (a vault may have forgotten the number); a `myId`
 * that belongs to another card is taken.
 *
 * @category decisions
 * @since 0.1.0
 */
export const decideCard = (
  sent: VaultedCard,
  known: KnownCards,
  context: {
    readonly companyId: CompanyId
    readonly customerId: SvcPayId
    readonly id: SvcPayId
    readonly now: BusinessTime
  }
): Decided<CardState> => {
  const { byMyId, byVaultToken } = known
  if (byMyId !== undefined) {
    return byMyId.customerId === context.customerId && isSame(sent, byMyId)
      ? Result.succeed(sentAgain(byMyId, sent, context.now))
      : // It was found by that myId.
        Result.fail(refuse({ _tag: "MyIdTaken", entity: "Card", myId: byMyId.myId! }))
  }
  if (byVaultToken !== undefined) return Result.succeed(sentAgain(byVaultToken, sent, context.now))
  const { companyId, customerId, id, now } = context
  const { myId, ...kept } = sent
  return Result.succeed({
    next: {
      id,
      companyId,
      customerId,
      ...(myId === undefined ? {} : { myId }),
      ...kept,
      createdAt: now,
      updatedAt: now
    },
    events: [{ _tag: "CardKept", cardId: id, customerId }]
  })
}

const isSame = (sent: VaultedCard, card: CardState): boolean =>
  sent.vaultToken === card.vaultToken ||
  (sent.mask === card.mask && sent.brand === card.brand && sent.expiresAt === card.expiresAt)

const sentAgain = (card: CardState, { expiresAt, myId }: VaultedCard, now: BusinessTime) =>
  expiresAt === card.expiresAt && (myId === undefined || card.myId !== undefined)
    ? { next: card, events: [] }
    : {
        next: {
          ...card,
          ...(card.myId === undefined && myId !== undefined ? { myId } : {}),
          expiresAt,
          updatedAt: now
        },
        events: [{ _tag: "CardUpdated", cardId: card.id, customerId: card.customerId } as const]
      }
