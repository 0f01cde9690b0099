/**
 * Denial codes of cards by brand (ABECS Normativo 21, version 3, 2023), and if a retry makes sense.
 *
 * Sources: the norm, and the tables "ABECS return codes" and "Card brands retry program" (2023) of the acquirer Cielo.
 * The messages are our own wording.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { CardBrandId } from "./CardBrand.ts"
import { string } from "../values/Text.ts"

/**
 * A denial code as the interface defines it (section 2.5): text of at most four characters.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AbecsCode = string(4)

/**
 * @category models
 * @since 0.1.0
 */
export type AbecsCode = typeof AbecsCode.Type

/**
 * The effect of a denial on retries.
 *
 * - `reversible`: the issuer may approve a later attempt.
 * - `irreversible`: the issuer will never approve this charge; a retry can cost a fee.
 * - `byAdvice`: Mastercard's codes 79, 82 and 83: the merchant advice code decides.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DenialKind = Schema.Literals(["reversible", "irreversible", "byAdvice"])

/**
 * @category models
 * @since 0.1.0
 */
export type DenialKind = typeof DenialKind.Type

/**
 * @category models
 * @since 0.1.0
 */
export interface CodedDenial {
  readonly kind: DenialKind
  readonly message: string
}

/**
 * The meaning of a code for a brand; none if the code is unknown.
 *
 * **Details**
 *
 * Some systems drop the leading zero or use lower case: `5` is read as `05`, `n7` as `N7`.
 *
 * **Gotchas**
 *
 * An unknown code does not mean that a retry is allowed.
 *
 * @category getters
 * @since 0.1.0
 */
export const lookup = (brand: CardBrandId, code: string): Option.Option<CodedDenial> => {
  const key = code.trim().toUpperCase().padStart(2, "0")
  // The key is upper case, so it cannot match an inherited property such as "constructor".
  return Option.fromNullishOr(denials[brand][key] ?? acquirerDenials[key])
}

const reversible = (message: string): CodedDenial => ({ kind: "reversible", message })
const irreversible = (message: string): CodedDenial => ({ kind: "irreversible", message })
const byAdvice = (message: string): CodedDenial => ({ kind: "byAdvice", message })

const generic = reversible("Denied by the issuer without a reason given")
const noFunds = reversible("Not enough balance or limit")
const wrongPassword = reversible("Wrong password")
const tooManyPasswords = reversible("Too many wrong passwords")
const suspectedFraud = reversible("Suspected fraud or no travel notice: the cardholder must talk to the issuer")
const valueTooHigh = reversible("The value is above the card's limit for one purchase")
const withdrawals = reversible("Too many withdrawals")
const notUnlocked = reversible("The card is new and not unlocked, or locked by the cardholder")
const issuerDown = reversible("The issuer cannot be reached")
const systemFailure = reversible("System failure at the brand or the issuer")

const debitOnCredit = irreversible("Sent as debit, which the card does not have")
const creditOnDebit = irreversible("Sent as credit, which the card does not have")
const notAllowed = irreversible("Not allowed for this card")
const invalidNumber = irreversible("The card number does not exist at the issuer")
const invalidMerchant = irreversible("The merchant is not valid")
const acquirerProblem = irreversible("The message is wrong at the acquirer")
const formatError = irreversible("The message has a wrong format")
const cardError = irreversible("The card's data or token failed a check")
const invalidValue = irreversible("The value is not valid")
const lost = irreversible("The card was reported lost")
const stolen = irreversible("The card was reported stolen")
const expired = irreversible("The card is expired or its expiry date is wrong")
const terminal = irreversible("The terminal may not do this transaction")
const invalidCryptogram = irreversible("The card's cryptogram is wrong")
const passwordCryptography = irreversible("The password expired or could not be decrypted")
const closedAccount = irreversible("The account is closed")
const noIssuer = irreversible("No issuer has this card's number range")
const noRoute = irreversible("The transaction could not be routed to an issuer")
const duplicate = irreversible("A transaction with the same trace data exists")
const recurringStopped = irreversible("The cardholder stopped this recurring payment")

// ABECS has one column for both Mastercard and Hipercard.
const mastercardColumn: Readonly<Record<string, CodedDenial>> = {
  "01": invalidNumber,
  "03": invalidMerchant,
  "04": irreversible("The card is to be collected, or fraud is confirmed"),
  "05": generic,
  "12": irreversible("The instalment value is not valid"),
  "13": irreversible("The value is not valid or below the minimum"),
  "14": invalidNumber,
  "15": noIssuer,
  "25": irreversible("The record is not in the issuer's file"),
  "28": irreversible("The issuer's file cannot be updated"),
  "30": irreversible("The message has a wrong format, or is wrong at the acquirer"),
  "41": lost,
  "43": stolen,
  "51": noFunds,
  "54": expired,
  "55": reversible("Wrong password, or the new password was not accepted"),
  "57": reversible("Not allowed for this card, blocked for a time or not yet unlocked"),
  "58": terminal,
  "61": valueTooHigh,
  "62": irreversible("The card is for domestic use only, or its account is closed"),
  "63": reversible("Security violation or suspected fraud"),
  "65": withdrawals,
  "75": tooManyPasswords,
  "88": irreversible("The card's or the password's cryptogram is wrong"),
  "91": issuerDown,
  "92": noRoute,
  "94": duplicate,
  "96": systemFailure
}

/**
 * All known codes of each brand.
 *
 * **Details**
 *
 * ABECS gives some codes several meanings, and lists four of them as both reversible and irreversible. Mastercard and
 * Hipercard 57 (also: against the law), Elo 62 (also: domestic card) and Amex 116 (also: terminal) count as reversible
 * here; the brand's limits still apply. Discover is not in the norm: all its codes are unknown.
 *
 * Where published tables differ, the kind that two independent tables agree on is used. Elo AB and AC and Visa 39, 52
 * and 53 are therefore irreversible: a charge with the wrong function (debit or credit) fails again. Elo's own list,
 * Cielo's table after the change of 2022, and the lists of PagBank and other gateways say so; only Cielo's table of
 * 2023 calls them reversible. Visa 57 is irreversible and Visa 78 reversible; only Cielo's Portuguese table differs.
 * Visa 63 is unknown, because only one edition of that table has the code.
 *
 * @category tables
 * @since 0.1.0
 */
export const denials: Readonly<Record<CardBrandId, Readonly<Record<string, CodedDenial>>>> = {
  elo: {
    "04": reversible("The issuer asks to send the transaction again"),
    "05": generic,
    "06": reversible("Ask the acquirer"),
    "12": cardError,
    "13": invalidValue,
    "14": invalidNumber,
    "19": acquirerProblem,
    "23": irreversible("The instalment value is not valid"),
    "30": formatError,
    "38": tooManyPasswords,
    "41": lost,
    "43": stolen,
    "46": closedAccount,
    "51": noFunds,
    "54": expired,
    "55": wrongPassword,
    "56": invalidNumber,
    "57": irreversible("Not allowed for this card or terminal, confirmed fraud, or against the law"),
    "58": invalidMerchant,
    "59": suspectedFraud,
    "61": valueTooHigh,
    "62": reversible("The card is blocked for a time, or for domestic use only"),
    "63": irreversible("The security code is wrong"),
    "64": irreversible("The value is below the minimum"),
    "65": withdrawals,
    "75": tooManyPasswords,
    "76": irreversible("The destination account is not valid"),
    "77": irreversible("The source account is not valid"),
    "78": notUnlocked,
    "82": invalidCryptogram,
    "83": passwordCryptography,
    "91": issuerDown,
    "96": systemFailure,
    AB: debitOnCredit,
    AC: creditOnDebit,
    FM: irreversible("The chip must be used"),
    P5: irreversible("The password could not be changed or unlocked"),
    P6: reversible("The new password was not accepted")
  },
  visa: {
    "03": invalidMerchant,
    "04": irreversible("The card is to be collected"),
    "05": generic,
    "06": cardError,
    "07": irreversible("Fraud is confirmed"),
    "12": formatError,
    "13": invalidValue,
    "14": invalidNumber,
    "15": noIssuer,
    "19": acquirerProblem,
    "39": creditOnDebit,
    "41": lost,
    "43": stolen,
    "46": closedAccount,
    "51": noFunds,
    "52": debitOnCredit,
    "53": debitOnCredit,
    "54": expired,
    "55": wrongPassword,
    "57": notAllowed,
    "58": terminal,
    "59": suspectedFraud,
    "61": valueTooHigh,
    "62": reversible("The card is blocked for a time, or for domestic use only"),
    "64": irreversible("Against the rules on money laundering"),
    "65": withdrawals,
    "74": passwordCryptography,
    "75": tooManyPasswords,
    "76": irreversible("The reversal is not valid"),
    "78": notUnlocked,
    "81": passwordCryptography,
    "82": invalidCryptogram,
    "86": wrongPassword,
    "91": issuerDown,
    "92": noRoute,
    "93": irreversible("Against the law"),
    "94": duplicate,
    "96": systemFailure,
    "6P": irreversible("The cardholder's identity could not be checked"),
    B1: reversible("A surcharge is not supported"),
    B2: reversible("A surcharge is not supported by the debit network"),
    N0: reversible("The issuer asks for stand-in processing"),
    N3: irreversible("Withdrawals are not available"),
    N4: valueTooHigh,
    N7: irreversible("The security code is wrong"),
    N8: irreversible("The value differs from the one authorized before"),
    R0: recurringStopped,
    R1: irreversible("The cardholder stopped all recurring payments"),
    R2: irreversible("Not qualified for the Visa PIN"),
    R3: irreversible("The cardholder stopped all authorizations")
  },
  mastercard: {
    ...mastercardColumn,
    "79": byAdvice("Life cycle: the merchant advice code says what to do"),
    "82": byAdvice("Issuer's rules: the merchant advice code says what to do"),
    "83": byAdvice("Fraud or security: the merchant advice code says what to do")
  },
  hipercard: mastercardColumn,
  amex: {
    "100": reversible("Denied by the issuer without a reason given, or suspected fraud"),
    "101": expired,
    "106": tooManyPasswords,
    "109": invalidMerchant,
    "110": invalidValue,
    "115": irreversible("The card's data or the instalment value is not valid"),
    "116": reversible("Not enough balance or limit, or the terminal may not do this transaction"),
    "117": wrongPassword,
    "121": noFunds,
    "122": irreversible("The card number does not exist at the issuer, or the security code is wrong"),
    "180": irreversible("The card's or the password's cryptogram is wrong"),
    "181": formatError,
    "200": irreversible("Not allowed for this card: lost, stolen or confirmed fraud"),
    "911": systemFailure,
    "912": issuerDown
  },
  discover: {}
}

/**
 * Codes that the acquirer Cielo adds to those of every brand. Cielo allows four attempts in 16 days for each.
 *
 * @category tables
 * @since 0.1.0
 */
export const acquirerDenials: Readonly<Record<string, CodedDenial>> = {
  "60": reversible("Not authorized"),
  "67": reversible("The card is blocked for purchases today"),
  "70": reversible("Not enough balance or limit"),
  "89": reversible("Error in the transaction")
}
