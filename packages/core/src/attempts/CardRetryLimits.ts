/**
 * Whether a denied card charge may be tried again, and from when: the card brands' retry programmes as one pure
 * decision.
 *
 * Staying inside the limits costs nothing; beyond them the brands charge a fee for every try (Visa USD 0.10,
 * Mastercard R$ 2.00 or 2.50, Elo R$ 0.80). Source of every rule: the acquirer Cielo's table "Card brands retry
 * program" (2023). Not covered: Visa's 10,000 data errors in 30 days for one merchant, which one card's tries
 * cannot show.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { lookup, type CodedDenial } from "../cards/AbecsCode.ts"
import type { Attempt } from "./Attempt.ts"
import type { CardBrandId } from "../cards/CardBrand.ts"
import type { Cents } from "../money/Cents.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { saoPaulo } from "../time/WallClock.ts"

/**
 * One try to charge the card.
 *
 * **Gotchas**
 *
 * Only `approved: true` sets the counters back to zero. A try whose outcome is unknown counts as a denial.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChargeTry {
  readonly at: BusinessTime
  readonly value: Cents
  readonly approved: boolean
  /** The denial's code, when there is one. */
  readonly code?: string | undefined
}

/**
 * What the decision is made from. All times are by the company's clock: the brands count days of business.
 *
 * @category models
 * @since 0.1.0
 */
export interface RetryInput {
  readonly brand: CardBrandId
  /** The code of the last denial. */
  readonly code: string
  /**
   * All tries of this card (number and expiry) at this merchant, the first one too, in any order. When there are
   * none, the last denial is taken to be of now, so that a wait is never skipped.
   */
  readonly attempts: ReadonlyArray<ChargeTry>
  readonly now: BusinessTime
  /** What is to be charged now; the value of the last try when absent. */
  readonly value?: Cents | undefined
  /** Mastercard's advice beside the last denial, two digits. Other brands have none, and it is ignored there. */
  readonly merchantAdviceCode?: string | undefined
}

/**
 * What an attempt history says: each charge that was tried, and the merchant advice code of the last one that was
 * denied. Captures and reversals are no tries of the brands' programmes.
 *
 * @category getters
 * @since 0.1.0
 */
export const historyOf = (attempts: ReadonlyArray<Attempt>): Pick<RetryInput, "attempts" | "merchantAdviceCode"> => {
  const charges = attempts.filter(({ kind }) => kind === "charge").sort((a, b) => a.businessAt - b.businessAt)
  const denied = charges.findLast(({ result }) => result?.outcome === "denied")
  return {
    attempts: charges.map(({ businessAt: at, result, value }) => ({
      at,
      value,
      approved: result?.outcome === "captured" || result?.outcome === "authorized",
      code: result?.code
    })),
    merchantAdviceCode: denied?.result?.merchantAdviceCode
  }
}

/**
 * `Allowed` now, not before an instant, or never; a `reason` is a sentence for people.
 *
 * @category models
 * @since 0.1.0
 */
export type RetryDecision =
  | { readonly _tag: "Allowed" }
  | { readonly _tag: "NotBefore"; readonly at: BusinessTime; readonly reason: string }
  | {
      readonly _tag: "Never"
      readonly cause: "irreversible" | "unknownCode" | "adviceCode"
      readonly reason: string
    }

/**
 * A limit on tries: at most `tries` within `millis`, or within a calendar month in Brazil.
 *
 * @category models
 * @since 0.1.0
 */
export interface Limit {
  readonly tries: number
  readonly within: number | "calendarMonth"
  /** Whether tries of another value have a counter of their own. */
  readonly perValue: boolean
  readonly reason: string
}

const hour = 3_600_000
const day = 24 * hour

/**
 * The brands' limits; the first try counts as one. Brands that are not here have none beyond the code itself
 * ("Other brands").
 *
 * @category tables
 * @since 0.1.0
 */
export const limits: Readonly<Record<CardBrandId, ReadonlyArray<Limit>>> = {
  // "Visa": 15 tries of the same card, merchant and value in 30 days.
  visa: [{ tries: 15, within: 30 * day, perValue: true, reason: "Visa allows 15 tries of a value in 30 days" }],
  // "Mastercard", Excessive Attempts: a fee from the 8th try in 24 hours, and above 35 denials in 30 days.
  mastercard: [
    { tries: 7, within: day, perValue: false, reason: "Mastercard allows 7 tries in 24 hours" },
    { tries: 35, within: 30 * day, perValue: false, reason: "Mastercard allows 35 tries in 30 days" }
  ],
  // "Elo": a fee from the 16th in a month, counted from its first to its last day.
  elo: [
    { tries: 15, within: "calendarMonth", perValue: true, reason: "Elo allows 15 tries of a value in a calendar month" }
  ],
  amex: [],
  discover: [],
  hipercard: []
}

/**
 * Cielo's own codes, with any brand: four tries in sixteen days; two of them not before the next day.
 *
 * @category tables
 * @since 0.1.0
 */
export const acquirerLimits: Readonly<Record<string, { readonly fromNextDay: boolean }>> = {
  "60": { fromNextDay: false },
  "67": { fromNextDay: true },
  "70": { fromNextDay: true },
  "89": { fromNextDay: false }
}

/**
 * Mastercard's merchant advice codes that decide something: how long to wait after the last try, or never.
 *
 * **Details**
 *
 * 24 to 30 have a meaning only beside code 51. 01 (new card data exist) and 04 (token) give no leave and no ban.
 */
const merchantAdvice: Readonly<Record<string, "never" | { readonly wait: number; readonly onlyWith?: string }>> = {
  "02": { wait: 72 * hour },
  "03": "never",
  "21": "never",
  "24": { wait: hour, onlyWith: "51" },
  "25": { wait: 24 * hour, onlyWith: "51" },
  "26": { wait: 2 * day, onlyWith: "51" },
  "27": { wait: 4 * day, onlyWith: "51" },
  "28": { wait: 6 * day, onlyWith: "51" },
  "29": { wait: 8 * day, onlyWith: "51" },
  "30": { wait: 10 * day, onlyWith: "51" },
  "40": "never",
  "41": "never"
}

/**
 * Whether the charge may be tried again now.
 *
 * **Details**
 *
 * - An irreversible denial since the last approval forbids every further try, as the brands do not forgive it
 *   when a later denial is milder. Corrected data (another card or expiry) are a new list of attempts.
 * - A code that is not known is never tried again.
 * - An approval sets the counters back to zero. Visa says so; it is taken for all, as nothing is left to retry.
 * - Several waits become the longest of them, and the decision at that instant is `Allowed`.
 *
 * **Gotchas**
 *
 * Cielo's page also counts as excessive a Visa try more than 30 days after the first one. Here the 30 days roll.
 *
 * @category decisions
 * @since 0.1.0
 */
export const mayRetry = (input: RetryInput): RetryDecision => {
  const inOrder = [...input.attempts].sort((a, b) => a.at - b.at)
  const denied = sinceApproval(inOrder)
  const advice = adviceOf(input)
  if (advice === "never") {
    return never("adviceCode", `Mastercard's merchant advice code ${input.merchantAdviceCode} forbids another try`)
  }
  const denial = Option.getOrUndefined(lookup(input.brand, input.code))
  if (denial === undefined) {
    return never("unknownCode", `Nothing is known about the denial code "${input.code}" of ${input.brand}`)
  }
  const final = [denial, ...earlierDenials(input.brand, denied)].find(({ kind }) => kind === "irreversible")
  if (final !== undefined) return never("irreversible", final.message)
  if (denial.kind === "byAdvice" && advice === undefined) {
    return never("adviceCode", "Without a merchant advice code that allows it, this denial is not tried again")
  }

  const value = input.value ?? inOrder.at(-1)?.value
  const sameValue = sinceApproval(inOrder.filter((attempt) => attempt.value === value))
  const lastAt = inOrder.at(-1)?.at ?? input.now
  const waits = [
    ...(advice === undefined
      ? []
      : [{ at: lastAt + advice.wait, reason: `Merchant advice code ${input.merchantAdviceCode} asks to wait` }]),
    ...limits[input.brand].flatMap((limit) => waitFor(limit, limit.perValue ? sameValue : denied, input.now)),
    ...acquirerWaits(input, denied, lastAt)
  ].filter(({ at }) => at > input.now)
  const longest = waits.sort((a, b) => b.at - a.at)[0]
  return longest === undefined
    ? { _tag: "Allowed" }
    : { _tag: "NotBefore", at: BusinessTime.make(longest.at), reason: longest.reason }
}

interface Wait {
  readonly at: number
  readonly reason: string
}

const never = (cause: Extract<RetryDecision, { _tag: "Never" }>["cause"], reason: string): RetryDecision => ({
  _tag: "Never",
  cause,
  reason
})

const sinceApproval = (inOrder: ReadonlyArray<ChargeTry>): ReadonlyArray<ChargeTry> =>
  inOrder.slice(inOrder.findLastIndex(({ approved }) => approved) + 1)

const earlierDenials = (brand: CardBrandId, denied: ReadonlyArray<ChargeTry>): ReadonlyArray<CodedDenial> =>
  denied.flatMap(({ code }) => (code === undefined ? [] : Option.toArray(lookup(brand, code))))

const adviceOf = (input: RetryInput): "never" | { readonly wait: number } | undefined => {
  const code = input.merchantAdviceCode
  if (input.brand !== "mastercard" || code === undefined || !Object.hasOwn(merchantAdvice, code)) return undefined
  const advice = merchantAdvice[code]
  if (advice === undefined || advice === "never") return advice
  return advice.onlyWith === undefined || advice.onlyWith === input.code ? advice : undefined
}

const waitFor = (
  { reason, tries, within }: Pick<Limit, "reason" | "tries" | "within">,
  denied: ReadonlyArray<ChargeTry>,
  now: BusinessTime
): ReadonlyArray<Wait> => {
  if (within === "calendarMonth") {
    const month = DateTime.startOf(inBrazil(now), "month")
    const inMonth = denied.filter(({ at }) => at >= month.epochMilliseconds)
    return inMonth.length < tries ? [] : [{ at: DateTime.toEpochMillis(DateTime.add(month, { months: 1 })), reason }]
  }
  // The try that must be too old to count before there is room for another.
  const leaving = denied[denied.length - tries]
  return leaving === undefined ? [] : [{ at: leaving.at + within, reason }]
}

const acquirerWaits = (input: RetryInput, denied: ReadonlyArray<ChargeTry>, lastAt: number): ReadonlyArray<Wait> => {
  if (!Object.hasOwn(acquirerLimits, input.code)) return []
  const waits = waitFor(
    { tries: 4, within: 16 * day, reason: "The acquirer allows 4 tries in 16 days after this denial" },
    denied,
    input.now
  )
  const nextDay = DateTime.add(DateTime.startOf(inBrazil(lastAt), "day"), { days: 1 })
  return acquirerLimits[input.code]?.fromNextDay === true
    ? [...waits, { at: DateTime.toEpochMillis(nextDay), reason: "The acquirer allows another try from the next day" }]
    : waits
}

const inBrazil = (epochMillis: number): DateTime.Zoned => DateTime.setZone(DateTime.makeUnsafe(epochMillis), saoPaulo)
