import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { acquirerDenials, denials } from "../../src/cards/AbecsCode.ts"
import { CardBrandId } from "../../src/cards/CardBrand.ts"
import { Cents } from "../../src/money/Cents.ts"
import { BusinessTime } from "../../src/time/Instant.ts"
import {
  acquirerLimits,
  type ChargeAttempt,
  limits,
  mayRetry,
  type RetryInput
} from "../../src/attempts/CardRetryLimits.ts"

const hour = 3_600_000
const day = 24 * hour
const start = Date.parse("2026-11-10T12:00:00-03:00")

const at = (millis: number) => BusinessTime.make(start + millis)
const deniedAt = (millis: number, code = "51", value = 10_000): ChargeAttempt => ({
  at: at(millis),
  value: Cents.make(value),
  approved: false,
  code
})
const approvedAt = (millis: number, value = 10_000): ChargeAttempt => ({
  at: at(millis),
  value: Cents.make(value),
  approved: true
})
const every = (step: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, place) => deniedAt(from + place * step))

const decide = (
  brand: CardBrandId,
  attempts: ReadonlyArray<ChargeAttempt>,
  now: number,
  more?: Partial<Pick<RetryInput, "code" | "value" | "merchantAdviceCode">>
) => {
  const decision = mayRetry({ brand, code: "51", attempts, now: at(now), ...more })
  if (decision._tag === "NotBefore") return `NotBefore ${decision.at - start}`
  return decision._tag === "Never" ? `Never ${decision.cause}` : decision._tag
}
const notBefore = (millis: number) => `NotBefore ${millis}`

describe("the code of the denial", () => {
  it.each([
    ["visa", "51", "Allowed"],
    ["visa", "54", "Never irreversible"],
    ["visa", "ZZ", "Never unknownCode"],
    ["visa", "", "Never unknownCode"],
    ["mastercard", "57", "Allowed"],
    ["elo", "57", "Never irreversible"],
    ["hipercard", "51", "Allowed"],
    ["hipercard", "79", "Never unknownCode"],
    ["amex", "116", "Allowed"],
    ["amex", "200", "Never irreversible"],
    ["discover", "51", "Never unknownCode"]
  ] as const)("%s %s: %s", (brand, code, expected) => {
    assert.strictEqual(decide(brand, [deniedAt(0, code)], 1, { code }), expected)
  })

  it("allows a retry without a history only for a code that may be retried", () => {
    assert.strictEqual(decide("visa", [], 0), "Allowed")
    assert.strictEqual(decide("visa", [], 0, { code: "14" }), "Never irreversible")
  })

  it("stays irreversible after a later reversible denial, but not after an approval", () => {
    const attempts = [deniedAt(0, "54"), deniedAt(day)]
    assert.strictEqual(decide("visa", attempts, 2 * day), "Never irreversible")
    assert.strictEqual(decide("visa", [deniedAt(0, "54"), approvedAt(1), deniedAt(day)], 2 * day), "Allowed")
  })

  it("counts the advised waiting time from now if there is no history", () => {
    assert.strictEqual(decide("mastercard", [], 5, { merchantAdviceCode: "24" }), notBefore(hour + 5))
  })

  it("gives the reason why there is no retry", () => {
    const decision = mayRetry({ brand: "visa", code: "ZZ", attempts: [], now: at(0) })
    assert.deepStrictEqual(decision, {
      _tag: "Never",
      cause: "unknownCode",
      reason: 'The denial code "ZZ" of visa is unknown'
    })
  })
})

describe("Visa", () => {
  it("allows the 15th attempt in 30 days and delays the 16th until the first is 30 days old", () => {
    assert.strictEqual(decide("visa", every(day, 14), 14 * day), "Allowed")
    assert.strictEqual(decide("visa", every(day, 15), 15 * day), notBefore(30 * day))
    assert.strictEqual(decide("visa", every(day, 15), 30 * day - 1), notBefore(30 * day))
    assert.strictEqual(decide("visa", every(day, 15), 30 * day), "Allowed")
  })

  it("counts attempts of each value separately", () => {
    assert.strictEqual(decide("visa", every(day, 15), 15 * day, { value: Cents.make(9_999) }), "Allowed")
    const attempts = [...every(day, 15), deniedAt(15 * day, "51", 9_999)]
    assert.strictEqual(decide("visa", attempts, 16 * day), "Allowed")
    assert.strictEqual(decide("visa", attempts, 16 * day, { value: Cents.make(10_000) }), notBefore(30 * day))
  })

  it("resets its counter after an approval of the same value, but not of another value", () => {
    assert.strictEqual(decide("visa", [...every(day, 15), approvedAt(15 * day)], 16 * day), "Allowed")
    const other = [...every(day, 15), approvedAt(15 * day, 500)]
    assert.strictEqual(decide("visa", other, 16 * day, { value: Cents.make(10_000) }), notBefore(30 * day))
  })

  it("accepts attempts in any order", () => {
    assert.strictEqual(decide("visa", every(day, 15).reverse(), 15 * day), notBefore(30 * day))
  })

  it("counts an attempt without a known outcome", () => {
    const unknown = every(day, 15).map(({ at, value }): ChargeAttempt => ({ at, value, approved: false }))
    assert.strictEqual(decide("visa", unknown, 15 * day), notBefore(30 * day))
  })

  it("ignores a merchant advice code, which only Mastercard has", () => {
    assert.strictEqual(decide("visa", [deniedAt(0)], 1, { merchantAdviceCode: "03" }), "Allowed")
  })
})

describe("Mastercard", () => {
  it("allows 7 attempts in 24 hours and delays the 8th, for any value", () => {
    assert.strictEqual(decide("mastercard", every(hour, 6), 6 * hour), "Allowed")
    assert.strictEqual(decide("mastercard", every(hour, 7), 7 * hour), notBefore(day))
    assert.strictEqual(decide("mastercard", every(hour, 7), 7 * hour, { value: Cents.make(1) }), notBefore(day))
    assert.strictEqual(decide("mastercard", every(hour, 7), day), "Allowed")
  })

  it("allows 35 attempts in 30 days and delays the 36th", () => {
    const step = day / 2
    assert.strictEqual(decide("mastercard", every(step, 34), 34 * step), "Allowed")
    assert.strictEqual(decide("mastercard", every(step, 35), 35 * step), notBefore(30 * day))
  })

  it("applies the longer of two waiting times", () => {
    const attempts = [...every(day / 2, 28), ...every(hour, 7, 14 * day)]
    assert.strictEqual(decide("mastercard", attempts, 14 * day + 7 * hour), notBefore(30 * day))
  })

  it.each([
    ["01", "51", "Allowed"],
    ["02", "51", notBefore(72 * hour)],
    ["02", "05", notBefore(72 * hour)],
    ["03", "51", "Never adviceCode"],
    ["04", "51", "Allowed"],
    ["21", "51", "Never adviceCode"],
    ["24", "51", notBefore(hour)],
    ["25", "51", notBefore(24 * hour)],
    ["26", "51", notBefore(2 * day)],
    ["27", "51", notBefore(4 * day)],
    ["28", "51", notBefore(6 * day)],
    ["29", "51", notBefore(8 * day)],
    ["30", "51", notBefore(10 * day)],
    ["40", "51", "Never adviceCode"],
    ["41", "51", "Never adviceCode"],
    ["99", "51", "Allowed"],
    ["__proto__", "51", "Allowed"],
    // 24 to 30 apply only to code 51.
    ["30", "05", "Allowed"],
    // 79, 82 and 83 depend on the advice; a retry needs an advice code that allows it.
    ["02", "79", notBefore(72 * hour)],
    ["03", "82", "Never adviceCode"],
    ["24", "83", "Never adviceCode"],
    ["01", "79", "Never adviceCode"],
    ["__proto__", "79", "Never adviceCode"],
    [undefined, "83", "Never adviceCode"],
    // Advice to wait does not change an irreversible or an unknown code.
    ["02", "54", "Never irreversible"],
    ["02", "ZZ", "Never unknownCode"]
  ] as const)("advice %s with code %s: %s", (advice, code, expected) => {
    const more = advice === undefined ? { code } : { code, merchantAdviceCode: advice }
    assert.strictEqual(decide("mastercard", [deniedAt(-day), deniedAt(0, code)], 1, more), expected)
  })

  it("allows the attempt after the advised waiting time", () => {
    const advice = { merchantAdviceCode: "24" }
    assert.strictEqual(decide("mastercard", [deniedAt(0)], hour - 1, advice), notBefore(hour))
    assert.strictEqual(decide("mastercard", [deniedAt(0)], hour, advice), "Allowed")
  })
})

describe("Elo", () => {
  const december = Date.parse("2026-12-01T00:00:00-03:00") - start

  it("allows 15 attempts in a Brazilian calendar month and delays the 16th to the next month", () => {
    assert.strictEqual(decide("elo", every(day, 14), 14 * day), "Allowed")
    assert.strictEqual(decide("elo", every(day, 15), 15 * day), notBefore(december))
    assert.strictEqual(decide("elo", every(day, 15), december - 1), notBefore(december))
    assert.strictEqual(decide("elo", every(day, 15), december), "Allowed")
  })

  it("counts only attempts of this month and this value", () => {
    assert.strictEqual(decide("elo", every(hour, 15, -20 * day), 0), "Allowed")
    assert.strictEqual(decide("elo", every(day, 15), 15 * day, { value: Cents.make(1) }), "Allowed")
  })
})

describe("other brands", () => {
  it("have no limit except the denial code", () => {
    for (const brand of ["hipercard", "amex"] as const) {
      const code = brand === "amex" ? "116" : "51"
      const attempts = every(1_000, 100).map((attempt) => ({ ...attempt, code }))
      assert.strictEqual(decide(brand, attempts, day, { code }), "Allowed")
    }
  })
})

describe("the acquirer's own codes", () => {
  it("allow 4 attempts in 16 days with any brand", () => {
    const tries = (count: number) => every(day, count).map((attempt) => ({ ...attempt, code: "60" }))
    assert.strictEqual(decide("discover", tries(3), 3 * day, { code: "60" }), "Allowed")
    assert.strictEqual(decide("discover", tries(4), 4 * day, { code: "60" }), notBefore(16 * day))
  })

  it("delay 67 and 70 until midnight in Brazil", () => {
    // The attempts start at noon in São Paulo.
    for (const code of ["67", "70"]) {
      assert.strictEqual(decide("visa", [deniedAt(0, code)], 1, { code }), notBefore(12 * hour))
      assert.strictEqual(decide("visa", [deniedAt(0, code)], 12 * hour, { code }), "Allowed")
    }
  })

  it("are the same in both tables", () => {
    assert.deepStrictEqual(Object.keys(acquirerLimits), Object.keys(acquirerDenials))
  })
})

describe("any history", () => {
  const reversible = (brand: CardBrandId) =>
    [...Object.entries(denials[brand]), ...Object.entries(acquirerDenials)]
      .filter(([, { kind }]) => kind === "reversible")
      .map(([code]) => code)

  const history = fc.constantFrom(...CardBrandId.literals).chain((brand) =>
    fc.record({
      brand: fc.constant(brand),
      code: fc.constantFrom(...reversible(brand)),
      attempts: fc.array(
        fc.record({
          hours: fc.integer({ min: -1_000, max: 0 }),
          value: fc.constantFrom(100, 200),
          approved: fc.integer({ min: 0, max: 40 }).map((chance) => chance === 0)
        }),
        { minLength: 1, maxLength: 60 }
      ),
      advice: fc.constantFrom("01", "02", "24", "30")
    })
  )

  const inputOf = ({ advice, attempts, brand, code }: typeof history extends fc.Arbitrary<infer A> ? A : never) => ({
    brand,
    code,
    attempts: attempts.map(({ approved, hours, value }): ChargeAttempt => ({
      at: at(hours * hour),
      value: Cents.make(value),
      approved,
      ...(approved ? {} : { code })
    })),
    now: at(0),
    value: Cents.make(100),
    merchantAdviceCode: advice
  })

  it("is allowed exactly at the returned instant, and not a millisecond before", () => {
    fc.assert(
      fc.property(history, (sample) => {
        const input = inputOf(sample)
        const decision = mayRetry(input)
        assert.notStrictEqual(decision._tag, "Never")
        if (decision._tag !== "NotBefore") return
        assert.isAbove(decision.at, input.now)
        assert.strictEqual(mayRetry({ ...input, now: decision.at })._tag, "Allowed")
        assert.strictEqual(mayRetry({ ...input, now: BusinessTime.make(decision.at - 1) })._tag, "NotBefore")
      }),
      { numRuns: 300 }
    )
  })

  it("stays within the brand's limits if the caller follows every decision", () => {
    for (const brand of ["visa", "mastercard", "elo"] as const) {
      let now = at(0)
      const attempts: Array<ChargeAttempt> = []
      for (let steps = 0; steps < 300; steps++) {
        const decision = mayRetry({ brand, code: "51", attempts, now })
        if (decision._tag === "Allowed") attempts.push(deniedAt(now - start))
        now = decision._tag === "NotBefore" ? decision.at : BusinessTime.make(now + hour)
      }
      assert.isAbove(attempts.length, 100)
      for (const { maxAttempts, within } of limits[brand]) {
        if (within === "calendarMonth") continue
        for (const last of attempts) {
          const inWindow = attempts.filter((other) => other.at > last.at - within && other.at <= last.at)
          assert.isAtMost(inWindow.length, maxAttempts)
        }
      }
    }
  })
})
