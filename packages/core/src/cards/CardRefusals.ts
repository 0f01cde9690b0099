/**
 * Refusals of well-formed card data: the card has expired, or no operator accepts its brand.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { RefusalOf } from "../errors/BillingRefusal.ts"
import { CardExpiry } from "./Card.ts"
import { brandOf } from "./CardBrand.ts"
import { type CardNumber, RedactedCardNumber } from "./CardNumber.ts"
import type { LocalDate } from "../time/LocalDate.ts"

/**
 * The decoded fields of a card; a field is undefined if it could not be decoded.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReadCard {
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
export const refusalsOf = ({ expiresAt, number }: ReadCard, today: LocalDate): ReadonlyArray<CardRefusal> => [
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
