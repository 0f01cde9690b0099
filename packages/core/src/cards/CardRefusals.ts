/**
 * Why the data of a new card are refused although each field has its form: the card has expired, or no operator takes its brand.
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
 * What is known of a card; a field that could not be read is undefined.
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
 * All refusals of a card on a day: a card is good to the end of its last month.
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
 * All refusals of the new card in a request's body, as far as the card can be read: a body that has other faults too gets
 * one list of all of them.
 *
 * @category decisions
 * @since 0.1.0
 */
export const refusalsIn = (body: unknown, today: LocalDate): ReadonlyArray<CardRefusal> => {
  // The card of a payment method, or the body that adds one.
  const card = at(at(body, "PaymentMethodCreditCard"), "Card") ?? body
  const read = {
    number: Option.getOrUndefined(Option.map(number(at(card, "number")), Redacted.value)),
    expiresAt: Option.getOrUndefined(expiry(at(card, "expiresAt")))
  }
  return refusalsOf(read, today)
}

const at = (value: unknown, key: string): unknown => (Predicate.hasProperty(value, key) ? value[key] : undefined)
