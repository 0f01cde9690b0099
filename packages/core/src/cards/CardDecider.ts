/**
 * Which card a request's card data mean: one that the customer has already, or a new one.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse } from "../errors/BillingError.ts"
import type { CardState } from "./CardState.ts"
import type { CompanyId } from "../companies/CompanyState.ts"
import { changedTo, type Decided, type Decision } from "../values/Decision.ts"
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
): Decided<CardState, "MyIdTaken"> => {
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

/** It is active again, if it was removed. */
const sentAgain = (card: CardState, { expiresAt, myId }: VaultedCard, now: BusinessTime): Decision<CardState> =>
  changedTo(
    card,
    {
      ...card,
      ...(card.myId === undefined && myId !== undefined ? { myId } : {}),
      ...(card.status === undefined ? {} : { status: "active" as const }),
      expiresAt
    },
    now,
    { _tag: "CardUpdated", cardId: card.id, customerId: card.customerId }
  )

/**
 * Makes a card the backup card of its customer, or makes it none; the cards that stop being it come with it. Without a
 * wish nothing changes.
 *
 * @category decisions
 * @since 0.1.0
 */
export const markBackup = (
  card: CardState,
  isBackup: boolean | undefined,
  { backups, now }: { readonly backups: ReadonlyArray<CardState>; readonly now: BusinessTime }
): ReadonlyArray<Decision<CardState>> => {
  const mark = (one: CardState, isIt: boolean) =>
    changedTo(one, (one.isBackup ?? false) === isIt ? one : { ...one, isBackup: isIt }, now, {
      _tag: "CardUpdated",
      cardId: one.id,
      customerId: one.customerId
    })
  if (isBackup === undefined) return [{ next: card, events: [] }]
  const others = isBackup ? backups.filter(({ id }) => id !== card.id) : []
  return [mark(card, isBackup), ...others.map((one) => mark(one, false))]
}

/**
 * Removes a card: it is kept for the payments that it made, and charged no more. One that a live contract is paid with
 * is refused. It is the backup card no more.
 *
 * @category decisions
 * @since 0.1.0
 */
export const removeCard = (
  card: CardState,
  { isInUse, now }: { readonly isInUse: boolean; readonly now: BusinessTime }
): Decided<CardState, "CardInUse"> => {
  if (card.status === "inactive") return Result.succeed({ next: card, events: [] })
  if (isInUse) return Result.fail(refuse({ _tag: "CardInUse" }))
  const removed = { ...card, status: "inactive" as const, ...(card.isBackup === true ? { isBackup: false } : {}) }
  return Result.succeed(
    changedTo(card, removed, now, { _tag: "CardRemoved", cardId: card.id, customerId: card.customerId })
  )
}
