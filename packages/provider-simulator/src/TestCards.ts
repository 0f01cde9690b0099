/**
 * The test cards: card numbers that decide the simulated operator's response. Any holder, any CVV and any expiry in the future
 * is accepted. All numbers pass the Luhn check.
 *
 * @since 0.1.0
 */
import * as AbecsCode from "@parcela/core/cards/AbecsCode"
import { type CardBrandId, brandOf } from "@parcela/core/cards/CardBrand"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { Fault } from "./InjectedFailures.ts"
import type { CardNumber } from "@parcela/core/cards/CardNumber"

/** Leading digits of a brand's test cards, before the digit of their kind. */
const prefixes = {
  visa: "4000000",
  mastercard: "5100000",
  elo: "5067000",
  hipercard: "6062820",
  amex: "340000"
} as const

/** A brand with test cards. */
type TestBrand = keyof typeof prefixes

/** Returns the check digit of the Luhn algorithm. */
const checkDigit = (digits: string): number => {
  const doubled = [...digits].toReversed().map((digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return value > 9 ? value - 9 : value
  })
  return (10 - (doubled.reduce((sum, value) => sum + value, 0) % 10)) % 10
}

/**
 * Returns a card number: the brand's prefix, a digit for the kind, a zero-padded field of four digits, two more digits, and the
 * check digit. The field is at digits 9 to 12, with American Express at digits 8 to 11.
 */
const numberOf = (brand: TestBrand, kind: string, field: string, more = "00"): string => {
  const digits = `${prefixes[brand]}${kind}${field}0${more}`
  return `${digits}${checkDigit(digits)}`
}

/** Returns the field of a denial code: its digits, or two digits for each character of a code with letters (A is 01). */
const fieldOf = (code: string): string =>
  /^\d+$/.test(code)
    ? code.padStart(4, "0")
    : [...code]
        .map((one) => (/\d/.test(one) ? one : String(one.charCodeAt(0) - "A".charCodeAt(0) + 1)).padStart(2, "0"))
        .join("")

/**
 * The outcome of charges of a card:
 *
 * - `Captured`: captured, or authorized if the request is an authorization.
 * - `Denied`: denied always, or the first `tries` times for each transaction. With `isCounted` the message names the brand's
 *   retry limit that the charges of this card at this company exceed.
 * - `AuthorizedOnly`: authorized, even if the request is a capture.
 * - `CaptureDenied`: charged or authorized, but the capture of an authorization is denied.
 * - `Disputed`: captured, and disputed a number of days after the capture, unless it was reversed completely.
 * - `Faulty`: a failure is injected into the first request of each attempt.
 *
 * @category models
 * @since 0.1.0
 */
export type CardBehaviour = Data.TaggedEnum<{
  Captured: {}
  Denied: {
    readonly code: string
    readonly merchantAdviceCode?: string | undefined
    readonly tries?: number | undefined
    readonly isCounted?: boolean | undefined
  }
  AuthorizedOnly: {}
  CaptureDenied: { readonly code: string }
  Disputed: { readonly days: number }
  Faulty: { readonly fault: Fault }
}>

/**
 * @category constructors
 * @since 0.1.0
 */
export const CardBehaviour = Data.taggedEnum<CardBehaviour>()

/**
 * Returns the meaning of a denial code in the list of the brand, or else in the list of Visa.
 *
 * @category getters
 * @since 0.1.0
 */
export const meaningOf = (brand: CardBrandId | null, code: string): string =>
  Option.match(
    Option.orElse(AbecsCode.lookup(brand ?? "visa", code), () => AbecsCode.lookup("visa", code)),
    { onNone: () => "Denied", onSome: ({ message }) => message }
  )

const faultDescription = (fault: Fault): string => {
  switch (fault._tag) {
    case "Denied":
      return `denied, ${fault.code}`
    case "Unavailable":
      return "answered with a 5xx, and nothing is charged"
    case "RequestLost":
      return "lost, and nothing is charged"
    case "ResponseLost":
      return "carried out, and the response is lost"
    case "Hang":
      return fault.isDone ? "carried out, and never answered" : "never answered, and nothing is charged"
    case "Slow":
      return `carried out, and answered after ${Duration.toSeconds(fault.delay)} s`
    case "Duplicated":
      return "received twice, and carried out once"
  }
}

/** Describes the outcome of charges for the page of test cards. */
const description = (behaviour: CardBehaviour, brand: CardBrandId): string => {
  switch (behaviour._tag) {
    case "Captured":
      return "captured"
    case "Denied": {
      const { code, isCounted = false, merchantAdviceCode, tries } = behaviour
      const denied = `denied, ${code}`
      if (tries !== undefined) return `each transaction: ${denied} at first, then captured`
      const advice = merchantAdviceCode === undefined ? "" : `, with merchant advice code ${merchantAdviceCode}`
      const counted = isCounted ? "; the message says when the brand's retry limit is exceeded" : ""
      return `${denied}${advice} (${meaningOf(brand, code)})${counted}`
    }
    case "AuthorizedOnly":
      return "authorized, even if a capture was requested"
    case "CaptureDenied":
      return `captured; with a pre-authorization, authorized, and its capture is denied, ${behaviour.code}`
    case "Disputed": {
      const after = behaviour.days === 1 ? "1 day" : `${behaviour.days} days`
      return `captured; a chargeback follows after ${after} of the company's clock`
    }
    case "Faulty":
      return `the first request of each attempt is ${faultDescription(behaviour.fault)}`
  }
}

const brands: ReadonlyArray<TestBrand> = ["visa", "mastercard", "elo", "hipercard", "amex"]

/** Denials of Mastercard with a merchant advice code about retries. */
const advised: ReadonlyArray<readonly [code: string, advice: string]> = [
  ["51", "24"],
  ["51", "27"],
  ["51", "30"],
  ["79", "02"],
  ["79", "03"],
  ["82", "02"],
  ["82", "21"],
  ["83", "03"]
]

const denialCards = [
  ...brands.flatMap((brand) =>
    Object.keys(AbecsCode.denials[brand]).map((code) => ({
      name: `${brand} ${code}`,
      number: numberOf(brand, "0", fieldOf(code)),
      behaviour: CardBehaviour.Denied({ code })
    }))
  ),
  ...advised.map(([code, advice]) => ({
    name: `mastercard ${code}, advice ${advice}`,
    number: numberOf("mastercard", "0", fieldOf(code), advice),
    behaviour: CardBehaviour.Denied({ code, merchantAdviceCode: advice })
  })),
  ...Object.keys(AbecsCode.acquirerDenials).map((code) => ({
    name: `acquirer ${code}`,
    number: numberOf("visa", "1", fieldOf(code)),
    behaviour: CardBehaviour.Denied({ code })
  }))
]

/**
 * The groups of test cards.
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
  /** The name that the vault stores in place of the number. */
  readonly name: string
  readonly number: string
  readonly brand: CardBrandId
  readonly group: TestCardGroup
  readonly behaviour: CardBehaviour
  /** Describes the outcome of charges. */
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
    // Every number of the table belongs to a brand.
    const brand = Option.getOrThrow(brandOf(card.number))
    return { ...card, brand, group, result: description(card.behaviour, brand) }
  })

/**
 * All test cards.
 *
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
 * Returns the test card of a number. Undefined for other numbers, whose charges are captured.
 *
 * @category getters
 * @since 0.1.0
 */
export const testCardOf = (number: CardNumber): TestCard | undefined => byNumber.get(number)

/**
 * The name that the vault stores for a card that is no test card.
 *
 * @category constants
 * @since 0.1.0
 */
export const unlisted = "captured"

const byName: ReadonlyMap<string, CardBehaviour> = new Map(testCards.map(({ behaviour, name }) => [name, behaviour]))

/**
 * Returns the behaviour of the card with this stored name. `unlisted`, and names of other versions, are `Captured`.
 *
 * @category getters
 * @since 0.1.0
 */
export const behaviourOf = (name: string): CardBehaviour => byName.get(name) ?? Captured()
