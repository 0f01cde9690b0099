/**
 * The card numbers that decide the simulated operator's response, in one table.
 *
 * Any holder, any CVV and any expiry that is not past will do; the numbers pass the Luhn check.
 *
 * @since 0.1.0
 */
import type { CardNumber } from "@parcela/core/cards/CardNumber"
import * as Schema from "effect/Schema"

/**
 * What a number stands for: all that the operator keeps of it beside mask, brand and expiry.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Scenario = Schema.Literals(["captured", "noFunds", "noFundsAtFirst", "expired", "lost"])

/**
 * @category models
 * @since 0.1.0
 */
export type Scenario = typeof Scenario.Type

/**
 * @category models
 * @since 0.1.0
 */
export interface TestCard {
  /** What the vault knows the card by: a name of ours, as the vault stores no number. */
  readonly name: string
  readonly number: string
  readonly scenario: Scenario
  /** What becomes of its charges, in words. */
  readonly behaviour: string
}

/**
 * @category tables
 * @since 0.1.0
 */
export const testCards: ReadonlyArray<TestCard> = [
  { name: "captured, Visa", number: "4111111111111111", scenario: "captured", behaviour: "captured" },
  { name: "captured, Mastercard", number: "5555555555554444", scenario: "captured", behaviour: "captured" },
  { name: "no funds", number: "4000000000000002", scenario: "noFunds", behaviour: "denied, 51" },
  {
    name: "no funds at first",
    number: "4000000000000341",
    scenario: "noFundsAtFirst",
    behaviour: "each transaction: denied, 51 at first; captured after that"
  },
  { name: "expired", number: "4000000000000069", scenario: "expired", behaviour: "denied, 54" },
  { name: "lost", number: "4000000000009987", scenario: "lost", behaviour: "denied, 41" }
]

/**
 * The test card of a number; none for a number that is not in the table, which is captured.
 *
 * @category getters
 * @since 0.1.0
 */
export const testCardOf = (number: CardNumber): TestCard | undefined => testCards.find((card) => card.number === number)

/**
 * What a number stands for; `captured` for every number that is not in the table.
 *
 * @category getters
 * @since 0.1.0
 */
export const scenarioOf = (number: CardNumber): Scenario => testCardOf(number)?.scenario ?? "captured"

/**
 * The ABECS code that a charge is denied with; undefined when it is captured. `isFirst` says that the card was never
 * charged for the same transaction before.
 *
 * @category getters
 * @since 0.1.0
 */
export const denialOf = (scenario: Scenario, isFirst: boolean): "41" | "51" | "54" | undefined => {
  switch (scenario) {
    case "captured":
      return undefined
    case "noFunds":
      return "51"
    case "noFundsAtFirst":
      return isFirst ? "51" : undefined
    case "expired":
      return "54"
    case "lost":
      return "41"
  }
}
