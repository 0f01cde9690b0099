/**
 * The card numbers that decide the simulated operator's response, in one table.
 *
 * Any holder, any CVV and any expiry that is not past will do; the numbers pass the Luhn check.
 *
 * @since 0.1.0
 */
import { type CardBrandId, brandOf } from "@parcela/core/cards/CardBrand"
import type { CardNumber } from "@parcela/core/cards/CardNumber"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { CardBehaviour, wordsOf } from "./CardBehaviour.ts"
import { denialCards } from "./internal/DenialCards.ts"
import { numberOf } from "./internal/TestCardNumber.ts"
import { Fault } from "./SimulatorFaults.ts"

/**
 * What the cards of a group are for.
 *
 * @category models
 * @since 0.1.0
 */
export type TestCardGroup =
  | "often used"
  | "authorization"
  | "chargebacks"
  | "limits of a brand"
  | "faults"
  | "denial codes"

/**
 * @category models
 * @since 0.1.0
 */
export interface TestCard {
  /** What the vault knows the card by: a name of ours, as the vault stores no number. */
  readonly name: string
  readonly number: string
  readonly brand: CardBrandId
  readonly group: TestCardGroup
  readonly behaviour: CardBehaviour
  /** What becomes of its charges, in words. */
  readonly result: string
}

type NewCard = Pick<TestCard, "name" | "number" | "behaviour">

const { AuthorizedOnly, CaptureDenied, Captured, Denied, Disputed, Faulty } = CardBehaviour

const oftenUsed: ReadonlyArray<NewCard> = [
  { name: "captured, Visa", number: "4111111111111111", behaviour: Captured() },
  { name: "captured, Mastercard", number: "5555555555554444", behaviour: Captured() },
  { name: "captured, Elo", number: numberOf("elo", "0", "0000"), behaviour: Captured() },
  { name: "captured, American Express", number: "378282246310005", behaviour: Captured() },
  { name: "captured, Hipercard", number: numberOf("hipercard", "0", "0000"), behaviour: Captured() },
  { name: "no funds", number: "4000000000000002", behaviour: Denied({ code: "51" }) },
  { name: "no funds at first", number: "4000000000000341", behaviour: Denied({ code: "51", tries: 1 }) },
  { name: "expired", number: "4000000000000069", behaviour: Denied({ code: "54" }) },
  { name: "lost", number: "4000000000009987", behaviour: Denied({ code: "41" }) }
]

const authorization: ReadonlyArray<NewCard> = [
  { name: "authorized only", number: numberOf("visa", "2", "0001"), behaviour: AuthorizedOnly() },
  { name: "capture denied", number: numberOf("visa", "2", "0002"), behaviour: CaptureDenied({ code: "05" }) }
]

const chargebacks: ReadonlyArray<NewCard> = [1, 10, 30, 90].map((days) => ({
  name: `disputed after ${days === 1 ? "1 day" : `${days} days`}`,
  number: numberOf("visa", "4", String(days).padStart(4, "0")),
  behaviour: Disputed({ days })
}))

const limits: ReadonlyArray<NewCard> = (["visa", "mastercard", "elo"] as const).map((brand) => ({
  name: `limit of ${brand}`,
  number: numberOf(brand, "3", "0051"),
  behaviour: Denied({ code: "51", isCounted: true })
}))

const slow = Duration.seconds(5)

const faults: ReadonlyArray<NewCard> = [
  Fault.Unavailable(),
  Fault.ResponseLost(),
  Fault.Hang({ isDone: false }),
  Fault.Hang({ isDone: true }),
  Fault.Slow({ delay: slow }),
  Fault.Duplicated()
].map((fault, index) => ({
  name: `fault ${index + 1}`,
  number: numberOf("visa", "5", String(index + 1).padStart(4, "0")),
  behaviour: Faulty({ fault })
}))

const inGroup = (group: TestCardGroup, cards: ReadonlyArray<NewCard>): ReadonlyArray<TestCard> =>
  cards.map((card) => {
    // Each number of the table is one of a brand that the service takes.
    const brand = Option.getOrThrow(brandOf(card.number))
    return { ...card, brand, group, result: wordsOf(card.behaviour, brand) }
  })

/**
 * @category tables
 * @since 0.1.0
 */
export const testCards: ReadonlyArray<TestCard> = [
  ...inGroup("often used", oftenUsed),
  ...inGroup("authorization", authorization),
  ...inGroup("chargebacks", chargebacks),
  ...inGroup("limits of a brand", limits),
  ...inGroup("faults", faults),
  ...inGroup("denial codes", denialCards)
]

const byNumber: ReadonlyMap<string, TestCard> = new Map(testCards.map((card) => [card.number, card]))

/**
 * The test card of a number; none for a number that is not in the table, which is captured.
 *
 * @category getters
 * @since 0.1.0
 */
export const testCardOf = (number: CardNumber): TestCard | undefined => byNumber.get(number)

/**
 * What the vault keeps for a card that is not in the table.
 *
 * @category constants
 * @since 0.1.0
 */
export const unlisted = "captured"

const byName: ReadonlyMap<string, CardBehaviour> = new Map(testCards.map(({ behaviour, name }) => [name, behaviour]))

/**
 * What becomes of a card that the vault keeps by that name: `unlisted`, and a name of another version, is captured.
 *
 * @category getters
 * @since 0.1.0
 */
export const behaviourOf = (name: string): CardBehaviour => byName.get(name) ?? Captured()
