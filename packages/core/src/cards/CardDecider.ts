/**
 * The stored card and the commands on it: add, update, set as backup, remove. A stored card has a vault token, brand,
 * mask and expiry, never the number or the CVV.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardExpiry } from "./Card.ts"
import { CardBrandId, brandOf } from "./CardBrand.ts"
import { CompanyId } from "../companies/CompanyState.ts"
import { BusinessTime } from "../time/Instant.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { ActiveStatus } from "../values/Fields.ts"
import { nonEmptyString } from "../values/Text.ts"
import * as Result from "effect/Result"
import { refuse } from "../errors/BillingError.ts"
import { changedTo, type Decided, type Decision } from "../values/Decision.ts"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { RefusalOf } from "../errors/BillingRefusal.ts"
import { type CardNumber, RedactedCardNumber } from "./CardNumber.ts"
import type { LocalDate } from "../time/LocalDate.ts"

/**
 * The token of a card in the vault. The same card of a company always has the same token; the number cannot be derived
 * from it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const VaultToken = nonEmptyString(255).pipe(Schema.brand("VaultToken"))

/**
 * @category models
 * @since 0.1.0
 */
export type VaultToken = typeof VaultToken.Type

/**
 * A card of a customer. Times are in milliseconds since 1970.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardState = Schema.Struct({
  id: SvcPayId,
  companyId: CompanyId,
  customerId: SvcPayId,
  myId: Schema.optionalKey(MyId),
  vaultToken: VaultToken,
  brand: CardBrandId,
  mask: Schema.String,
  expiresAt: CardExpiry,
  /** Absent means active. */
  status: Schema.optionalKey(ActiveStatus),
  /** Absent means false. A customer has at most one backup card. */
  isBackup: Schema.optionalKey(Schema.Boolean),
  createdAt: BusinessTime,
  updatedAt: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type CardState = typeof CardState.Type

/**
 * A card in the vault that has no owner yet: its vault token and the fields that may be stored.
 *
 * @category models
 * @since 0.1.0
 */
export type VaultedCard = Pick<CardState, "vaultToken" | "brand" | "mask" | "expiresAt"> & {
  readonly myId: MyId | undefined
}

/**
 * The stored cards that match the request.
 *
 * @category models
 * @since 0.1.0
 */
export interface MatchingCards {
  /** The customer's card with the same vault token. */
  readonly byVaultToken?: CardState | undefined
  /** The company's card with the `myId` of the request. */
  readonly byMyId?: CardState | undefined
}

/**
 * Adds the card of a request, or updates the stored card if the request repeats it.
 *
 * **Details**
 *
 * The vault assigns one token to each card, so a repeated card updates the stored card's expiry. The stored card keeps
 * its `myId`, and gets the `myId` of the request if it has none. If the vault lost the number, a card with the same
 * `myId` counts as the same when mask, brand and expiry match. A `myId` that belongs to another card is refused.
 *
 * @category decisions
 * @since 0.1.0
 */
export const decideCard = (
  sent: VaultedCard,
  known: MatchingCards,
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
      : // `byMyId` was loaded by its myId, so it has a myId.
        Result.fail(refuse({ _tag: "MyIdTaken", entity: "Card", myId: byMyId.myId! }))
  }
  if (byVaultToken !== undefined) return Result.succeed(sentAgain(byVaultToken, sent, context.now))
  const { companyId, customerId, id, now } = context
  const { myId, ...fields } = sent
  return Result.succeed({
    next: {
      id,
      companyId,
      customerId,
      ...(myId === undefined ? {} : { myId }),
      ...fields,
      createdAt: now,
      updatedAt: now
    },
    events: [{ _tag: "CardAdded", cardId: id, customerId }]
  })
}

const isSame = (sent: VaultedCard, card: CardState): boolean =>
  sent.vaultToken === card.vaultToken ||
  (sent.mask === card.mask && sent.brand === card.brand && sent.expiresAt === card.expiresAt)

/** Updates the expiry and reactivates a removed card. */
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
 * Sets or clears the backup mark of a card. The result includes the cards that lose the mark. If `isBackup` is
 * undefined, nothing changes.
 *
 * @category decisions
 * @since 0.1.0
 */
export const markBackup = (
  card: CardState,
  isBackup: boolean | undefined,
  { backups, now }: { readonly backups: ReadonlyArray<CardState>; readonly now: BusinessTime }
): ReadonlyArray<Decision<CardState>> => {
  const mark = (one: CardState, isMarked: boolean) =>
    changedTo(one, (one.isBackup ?? false) === isMarked ? one : { ...one, isBackup: isMarked }, now, {
      _tag: "CardUpdated",
      cardId: one.id,
      customerId: one.customerId
    })
  if (isBackup === undefined) return [{ next: card, events: [] }]
  const others = isBackup ? backups.filter(({ id }) => id !== card.id) : []
  return [mark(card, isBackup), ...others.map((one) => mark(one, false))]
}

/**
 * Deactivates a card and clears its backup mark. The card stays stored for its past payments. A card that a live
 * subscription or charge uses is refused.
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

/**
 * The decoded fields of a card; a field is undefined if it could not be decoded.
 *
 * @category models
 * @since 0.1.0
 */
export interface DecodedCard {
  readonly number: CardNumber | undefined
  readonly expiresAt: CardExpiry | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export type CardRefusal = RefusalOf<"CardBrandUnknown" | "CardExpired">

/**
 * Returns all refusals of a card on a day. A card is valid until the end of its expiry month.
 *
 * @category decisions
 * @since 0.1.0
 */
export const refusalsOf = ({ expiresAt, number }: DecodedCard, today: LocalDate): ReadonlyArray<CardRefusal> => [
  ...(expiresAt !== undefined && expiresAt < today.slice(0, 7) ? [{ _tag: "CardExpired", expiresAt } as const] : []),
  ...(number !== undefined && Option.isNone(brandOf(number)) ? [{ _tag: "CardBrandUnknown" } as const] : [])
]

const number = Schema.decodeUnknownOption(RedactedCardNumber)
const expiry = Schema.decodeUnknownOption(CardExpiry)

/**
 * Returns all refusals of the new card in a request body, as far as its fields decode. The caller reports them together
 * with the other problems of the body.
 *
 * @category decisions
 * @since 0.1.0
 */
export const refusalsIn = (body: unknown, today: LocalDate): ReadonlyArray<CardRefusal> => {
  // The card of a payment method; otherwise the body itself is the card to add.
  const card = at(at(body, "PaymentMethodCreditCard"), "Card") ?? body
  const read = {
    number: Option.getOrUndefined(Option.map(number(at(card, "number")), Redacted.value)),
    expiresAt: Option.getOrUndefined(expiry(at(card, "expiresAt")))
  }
  return refusalsOf(read, today)
}

const at = (value: unknown, key: string): unknown => (Predicate.hasProperty(value, key) ? value[key] : undefined)
