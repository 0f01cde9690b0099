/**
 * Denials of a card by the simulated operator: the denial that its test card stands for, and denials of any card.
 *
 * @since 0.1.0
 */
import { mayRetry } from "@parcela/core/attempts/CardRetryLimits"
import type { CardBrandId } from "@parcela/core/cards/CardBrand"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/Instant"
import type { Charge } from "@parcela/engine/ports/CardOperator"
import * as Schema from "effect/Schema"
import * as Transaction from "../StoreTransactions.ts"
import { type CardBehaviour, meaningOf } from "../TestCards.ts"

/** Codes for an unknown card and an expired card. All brands but American Express use these numbers. */
type Code = "14" | "54"

// American Express has numbers of its own (ABECS Normativo 21).
const amexCodes: Readonly<Record<Code, string>> = { "14": "122", "54": "101" }

/**
 * Returns code and message of a denial, in the words of the brand or of Visa.
 *
 * @category getters
 * @since 0.1.0
 */
export const denialOf = (
  code: Code,
  brand: CardBrandId | null
): { readonly code: string; readonly message: string } => {
  const ofBrand = brand === "amex" ? amexCodes[code] : code
  return { code: ofBrand, message: meaningOf(brand, ofBrand) }
}

/** True if a denial depends on the earlier charges of the card. */
export const countsCharges = (behaviour: CardBehaviour): boolean =>
  behaviour._tag === "Denied" && (behaviour.tries !== undefined || behaviour.isCounted === true)

interface CardDenial {
  readonly code: string
  readonly message: string
  readonly merchantAdviceCode: Extract<CardBehaviour, { readonly _tag: "Denied" }>["merchantAdviceCode"]
}

/** Returns the denial of a test card, or undefined once a card that is denied at first was denied often enough. */
export function* testDenialOf(
  charge: Charge,
  brand: CardBrandId | null,
  behaviour: Extract<CardBehaviour, { readonly _tag: "Denied" }>
): Transaction.Body<CardDenial | undefined> {
  const { code, isCounted = false, merchantAdviceCode, tries } = behaviour
  if (tries !== undefined && (yield* wasDenied(charge, tries))) return undefined
  const limit = isCounted && brand !== null ? yield* passedLimit(charge, brand, code) : undefined
  const message = [meaningOf(brand, code), ...(limit === undefined ? [] : [limit])].join(". ")
  return { code, message, merchantAdviceCode }
}

/** True if the transaction has at least this number of earlier charges by the card. */
function* wasDenied({ card, transactionId }: Charge, times: number): Transaction.Body<boolean> {
  const earlier = yield* Transaction.read(
    "SELECT attempt_id FROM attempts WHERE card = ? AND transaction_id = ? AND is_counted = 1 LIMIT ?",
    card,
    transactionId,
    times
  )
  return earlier.length >= times
}

const decodeCharges = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ at: BusinessTime, value: Cents, outcome: Schema.String }))
)

/** Returns the brand's retry limit that this charge exceeds, for a fee, or undefined. Counts all charges of the card. */
function* passedLimit(
  { at, card, value }: Charge,
  brand: CardBrandId,
  code: string
): Transaction.Body<string | undefined> {
  const rows = yield* Transaction.read(
    `SELECT business_at AS at, value, outcome FROM attempts
     WHERE card = ? AND is_counted = 1 AND kind = 'charge' AND business_at IS NOT NULL`,
    card
  )
  const charges = decodeCharges(rows)
  const attempts = charges.map(({ outcome, ...charge }) => {
    const approved = !outcome.startsWith('{"_tag":"Denied"')
    return { ...charge, approved, code: approved ? undefined : code }
  })
  // The first charge is within every limit.
  const allowed = charges.length === 0 ? undefined : mayRetry({ brand, code, attempts, now: at, value })
  return allowed?._tag === "NotBefore" ? `${allowed.reason}: this one costs a fee` : undefined
}
