/**
 * A test card for each denial code of each brand, made from the tables of ABECS codes.
 *
 * @since 0.1.0
 */
import { acquirerDenials, denials } from "@parcela/core/cards/AbecsCode"
import { CardBehaviour } from "../CardBehaviour.ts"
import { fieldOf, numberOf, type TestBrand } from "./TestCardNumber.ts"

const brands: ReadonlyArray<TestBrand> = ["visa", "mastercard", "elo", "hipercard", "amex"]

const { Denied } = CardBehaviour

/** Denials of Mastercard beside which an advice code says whether, and when, another try makes sense. */
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

export const denialCards = [
  ...brands.flatMap((brand) =>
    Object.keys(denials[brand]).map((code) => ({
      name: `${brand} ${code}`,
      number: numberOf(brand, "0", fieldOf(code)),
      behaviour: Denied({ code })
    }))
  ),
  ...advised.map(([code, advice]) => ({
    name: `mastercard ${code}, advice ${advice}`,
    number: numberOf("mastercard", "0", fieldOf(code), advice),
    behaviour: Denied({ code, merchantAdviceCode: advice })
  })),
  ...Object.keys(acquirerDenials).map((code) => ({
    name: `acquirer ${code}`,
    number: numberOf("visa", "1", fieldOf(code)),
    behaviour: Denied({ code })
  }))
]
