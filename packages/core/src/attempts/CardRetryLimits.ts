/**
 * The retry rules of the card brands: one pure function decides if, and from when, a denied charge can be retried.
 *
 * Attempts within the limits are free. Above the limits the brands charge a fee for each attempt: Visa USD 0.10,
 * Mastercard R$ 2.00 or 2.50, Elo R$ 0.80. Source of every rule: the table "Card brands retry program" (2023) of the
 * acquirer Cielo. Not covered: Visa's limit of 10,000 data errors in 30 days per merchant, because it needs the
 * attempts of all cards.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { lookup, type CodedDenial } from "../cards/AbecsCode.ts"
import type { Attempt } from "./Attempt.ts"
import type { CardBrandId } from "../cards/CardBrand.ts"
import type { Cents } from "../money/Cents.ts"
import { BusinessTime, saoPaulo } from "../time/Instant.ts"

/**
 * One attempt to charge the card.
 *
 * **Gotchas**
 *
 * Only `approved: true` resets the counters. An attempt with an unknown outcome counts as a denial.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChargeAttempt {
  readonly at: BusinessTime
  readonly value: Cents
  readonly approved: boolean
  /** Code of the denial, if the provider sent a code. */
  readonly code?: string | undefined
}

/**
 * The input of the decision. All times are business time of the company, because the brands count business days.
 *
 * @category models
 * @since 0.1.0
 */
export interface RetryInput {
  readonly brand: CardBrandId
  /** Code of the last denial. */
  readonly code: string
  /**
   * All attempts with this card (number and expiry) at this merchant, including the first, in any order. If the list is
   * empty, the last denial counts as made at `now`, so that no waiting time is skipped.
   */
  readonly attempts: ReadonlyArray<ChargeAttempt>
  readonly now: BusinessTime
  /** Amount of the next charge, in cents. Defaults to the amount of the last attempt. */
  readonly value?: Cents | undefined
  /** Mastercard's merchant advice code of the last denial, two digits. Ignored for other brands. */
  readonly merchantAdviceCode?: string | undefined
}

/**
 * The charge attempts of a history, and the merchant advice code of the last denied charge. Captures and reversals are
 * left out: the brands do not count them.
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
 * `Allowed` now, allowed from an instant, or never. `reason` is a sentence for users.
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
 * A limit: at most `maxAttempts` within a number of milliseconds, or within a calendar month in Brazil.
 *
 * @category models
 * @since 0.1.0
 */
export interface Limit {
  readonly maxAttempts: number
  readonly within: number | "calendarMonth"
  /** True if attempts of each amount are counted separately. */
  readonly perValue: boolean
  readonly reason: string
}

const hour = 3_600_000
const day = 24 * hour

/**
 * The limits of each brand. The first attempt counts. For brands without an entry only the denial code decides (Cielo:
 * "Other brands").
 *
 * @category tables
 * @since 0.1.0
 */
export const limits: Readonly<Record<CardBrandId, ReadonlyArray<Limit>>> = {
  // "Visa": 15 attempts with the same card, merchant and amount in 30 days.
  visa: [
    { maxAttempts: 15, within: 30 * day, perValue: true, reason: "Visa allows 15 attempts of a value in 30 days" }
  ],
  // "Mastercard", Excessive Attempts: a fee from the 8th attempt in 24 hours, and above 35 denials in 30 days.
  mastercard: [
    { maxAttempts: 7, within: day, perValue: false, reason: "Mastercard allows 7 attempts in 24 hours" },
    { maxAttempts: 35, within: 30 * day, perValue: false, reason: "Mastercard allows 35 attempts in 30 days" }
  ],
  // "Elo": a fee from the 16th attempt in a calendar month.
  elo: [
    {
      maxAttempts: 15,
      within: "calendarMonth",
      perValue: true,
      reason: "Elo allows 15 attempts of a value in a calendar month"
    }
  ],
  amex: [],
  discover: [],
  hipercard: []
}

/**
 * Denial codes that Cielo adds for every brand: four attempts in 16 days. `fromNextDay` forbids a retry on the same
 * day.
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
 * Mastercard's merchant advice codes: the waiting time after the last attempt, or `never`.
 *
 * **Details**
 *
 * Codes 24 to 30 apply only to denial code 51. Codes 01 (new card data exist) and 04 (token) neither allow nor forbid a
 * retry.
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
 * Decides if the charge can be retried at `now`.
 *
 * **Details**
 *
 * - An irreversible denial since the last approval forbids every retry, even if a later denial is reversible. For
 *   corrected card data (another card or expiry), pass a new list of attempts.
 * - An unknown denial code forbids every retry.
 * - An approval resets the counters. Only Visa documents this rule; it is applied to all brands.
 * - If several limits apply, the latest instant is returned. At that instant the decision is `Allowed`.
 *
 * **Gotchas**
 *
 * Cielo also counts a Visa attempt more than 30 days after the first one as excessive. Here the 30 days are a rolling
 * window.
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
    return never("unknownCode", `The denial code "${input.code}" of ${input.brand} is unknown`)
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
      : [{ at: lastAt + advice.wait, reason: `Merchant advice code ${input.merchantAdviceCode} requires a delay` }]),
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

const sinceApproval = (inOrder: ReadonlyArray<ChargeAttempt>): ReadonlyArray<ChargeAttempt> =>
  inOrder.slice(inOrder.findLastIndex(({ approved }) => approved) + 1)

const earlierDenials = (brand: CardBrandId, denied: ReadonlyArray<ChargeAttempt>): ReadonlyArray<CodedDenial> =>
  denied.flatMap(({ code }) => (code === undefined ? [] : Option.toArray(lookup(brand, code))))

const adviceOf = (input: RetryInput): "never" | { readonly wait: number } | undefined => {
  const code = input.merchantAdviceCode
  if (input.brand !== "mastercard" || code === undefined || !Object.hasOwn(merchantAdvice, code)) return undefined
  const advice = merchantAdvice[code]
  if (advice === undefined || advice === "never") return advice
  return advice.onlyWith === undefined || advice.onlyWith === input.code ? advice : undefined
}

const waitFor = (
  { maxAttempts, reason, within }: Pick<Limit, "maxAttempts" | "reason" | "within">,
  denied: ReadonlyArray<ChargeAttempt>,
  now: BusinessTime
): ReadonlyArray<Wait> => {
  if (within === "calendarMonth") {
    const month = DateTime.startOf(inBrazil(now), "month")
    const inMonth = denied.filter(({ at }) => at >= month.epochMilliseconds)
    return inMonth.length < maxAttempts
      ? []
      : [{ at: DateTime.toEpochMillis(DateTime.add(month, { months: 1 })), reason }]
  }
  // The oldest attempt that still counts. The next attempt is allowed when this one leaves the window.
  const leaving = denied[denied.length - maxAttempts]
  return leaving === undefined ? [] : [{ at: leaving.at + within, reason }]
}

const acquirerWaits = (
  input: RetryInput,
  denied: ReadonlyArray<ChargeAttempt>,
  lastAt: number
): ReadonlyArray<Wait> => {
  if (!Object.hasOwn(acquirerLimits, input.code)) return []
  const waits = waitFor(
    { maxAttempts: 4, within: 16 * day, reason: "The acquirer allows 4 attempts in 16 days after this denial" },
    denied,
    input.now
  )
  const nextDay = DateTime.add(DateTime.startOf(inBrazil(lastAt), "day"), { days: 1 })
  return acquirerLimits[input.code]?.fromNextDay === true
    ? [
        ...waits,
        { at: DateTime.toEpochMillis(nextDay), reason: "The acquirer allows another attempt from the next day" }
      ]
    : waits
}

const inBrazil = (epochMillis: number): DateTime.Zoned => DateTime.setZone(DateTime.makeUnsafe(epochMillis), saoPaulo)
