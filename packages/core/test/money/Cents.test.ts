import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import * as Cents from "../../src/money/Cents.ts"
import { Percentage } from "../../src/money/Percentage.ts"

const cents = (value: number) => Cents.Cents.make(value)
const largest = cents(99_999_999_999)
const tooLarge = (operation: Cents.CentsOutOfRange["operation"]) =>
  new Cents.CentsOutOfRange({ operation, limit: "maximum" })

describe("Cents", () => {
  it.each([-1, 0.5, 100_000_000_000, NaN, Infinity, "1", null])("refuses %s as an amount", (value) => {
    assert.isFalse(Schema.is(Cents.Cents)(value))
  })

  describe("add, subtract, sum", () => {
    it("accept both ends of the range and refuse one cent more", () => {
      assert.deepStrictEqual(Cents.add(cents(99_999_999_998), cents(1)), Result.succeed(largest))
      assert.deepStrictEqual(Cents.add(largest, cents(1)), Result.fail(tooLarge("add")))
      assert.deepStrictEqual(Cents.subtract(cents(1), cents(1)), Result.succeed(Cents.zero))
      assert.deepStrictEqual(
        Cents.subtract(cents(1), cents(2)),
        Result.fail(new Cents.CentsOutOfRange({ operation: "subtract", limit: "minimum" }))
      )
      assert.deepStrictEqual(Cents.sum([]), Result.succeed(Cents.zero))
      assert.deepStrictEqual(Cents.sum([largest, cents(1)]), Result.fail(tooLarge("sum")))
    })

    it("name the exceeded limit in reais", () => {
      assert.strictEqual(tooLarge("sum").message, "The amount (sum) would be above R$ 999.999.999,99")
      assert.strictEqual(
        new Cents.CentsOutOfRange({ operation: "subtract", limit: "minimum" }).message,
        "The amount (subtract) would be below R$ 0,00"
      )
    })

    it.prop("subtract returns what add added", [Cents.Cents, Cents.Cents], ([a, b]) => {
      const back = Result.flatMap(Cents.add(a, b), (both) => Cents.subtract(both, b))
      assert.deepStrictEqual(back, a + b > largest ? Result.fail(tooLarge("add")) : Result.succeed(a))
    })

    it.prop("sum agrees with exact arithmetic", [Schema.Array(Cents.Cents)], ([amounts]) => {
      const exact = amounts.reduce((total, amount) => total + BigInt(amount), 0n)
      const expected = exact > BigInt(largest) ? Result.fail(tooLarge("sum")) : Result.succeed(cents(Number(exact)))
      assert.deepStrictEqual(Cents.sum(amounts), expected)
    })
  })

  describe("percentage", () => {
    it.each([
      // value, percent x 100, down, halfUp
      [10_000, 200, 200, 200],
      [9_999, 100, 99, 100],
      [50, 100, 0, 1],
      [49, 100, 0, 0],
      [12_345, 0, 0, 0],
      [99_999_999_999, 10_000, 99_999_999_999, 99_999_999_999],
      // Intermediate results exceed 2^53: 99,999,999,999 x 9,999 is not exact as a number.
      [99_999_999_999, 9_999, 99_989_999_999, 99_989_999_999]
    ])("of %i at %i is %i rounded down and %i rounded half up", (value, percent, down, halfUp) => {
      const of = (rounding: Cents.Rounding) => Cents.percentage(cents(value), Percentage.make(percent), rounding)
      assert.deepStrictEqual(of("down"), Result.succeed(cents(down)))
      assert.deepStrictEqual(of("halfUp"), Result.succeed(cents(halfUp)))
    })

    it("fails if the result exceeds the largest amount, by any factor", () => {
      const all = Cents.percentage(largest, Percentage.make(99_999_999_999), "down")
      assert.deepStrictEqual(all, Result.fail(tooLarge("proportion")))
    })

    it.prop(
      "differs from the exact share by less than a cent (down) or at most half a cent (halfUp)",
      [Cents.Cents],
      ([value]) => {
        fc.assert(
          fc.property(fc.integer({ min: 0, max: 10_000 }), (percent) => {
            const exact = BigInt(value) * BigInt(percent)
            const of = (rounding: Cents.Rounding) =>
              BigInt(Result.getOrThrow(Cents.percentage(value, Percentage.make(percent), rounding))) * 10_000n
            assert.isTrue(of("down") <= exact && exact - of("down") < 10_000n)
            assert.isTrue(of("halfUp") - exact <= 5_000n && exact - of("halfUp") < 5_000n)
          }),
          { numRuns: 10 }
        )
      }
    )
  })

  describe("split", () => {
    it.each([
      [1_000, 3, [334, 333, 333]],
      [1_001, 3, [334, 334, 333]],
      [2, 3, [1, 1, 0]],
      [0, 2, [0, 0]],
      [7, 1, [7]],
      // By weight: exact shares 33.33, 16.67 and 50.
      [100, [2, 1, 3], [33, 17, 50]],
      // Equal fractions: the earlier part gets the cent.
      [101, [1, 1], [51, 50]],
      [101, [0, 1, 1], [0, 51, 50]],
      [99_999_999_999, [9_007_199_254_740_991, 9_007_199_254_740_991], [50_000_000_000, 49_999_999_999]]
    ])("of %j into %j returns %j", (total, parts, expected) => {
      const split = Result.getOrThrow(Cents.split(cents(total), parts))
      assert.deepStrictEqual<ReadonlyArray<number>>(split, expected)
    })

    it.each([[0], [-1], [1.5], [10_001], [NaN], [[]], [[0, 0]], [[-1, 2]], [[0.5, 0.5]]])(
      "refuses %j as parts",
      (parts) => {
        const refused = Result.flip(Cents.split(cents(100), parts))
        assert.instanceOf(Result.getOrThrow(refused), Cents.InvalidSplit)
      }
    )

    it("reports the problem of the parts", () => {
      const refused = Result.getOrThrow(Result.flip(Cents.split(cents(100), 0)))
      assert.strictEqual(refused.message, "The amount cannot be split: the number of parts must be from 1 to 10000")
    })

    it.prop(
      "adds up to the total, and each part differs by less than a cent from its exact share",
      [Cents.Cents, Schema.NonEmptyArray(Schema.Natural)],
      ([total, weights]) => {
        const weight = weights.reduce((all, own) => all + BigInt(own), 0n)
        const result = Cents.split(total, weights)
        if (weight === 0n) return assert.isTrue(Result.isFailure(result))
        const parts = Result.getOrThrow(result)
        assert.strictEqual(
          parts.reduce((all, part) => all + BigInt(part), 0n),
          BigInt(total)
        )
        for (const [place, part] of parts.entries()) {
          const distance = BigInt(part) * weight - BigInt(total) * BigInt(weights[place] ?? 0)
          assert.isTrue(distance < weight && -distance < weight)
        }
      }
    )

    it("returns equal parts in descending order that differ by at most one cent", () => {
      fc.assert(
        fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 100 }), (total, count) => {
          const parts = Result.getOrThrow(Cents.split(cents(total), count))
          assert.strictEqual(parts.length, count)
          assert.deepStrictEqual(
            parts,
            [...parts].sort((a, b) => b - a)
          )
          assert.isAtMost((parts[0] ?? 0) - (parts.at(-1) ?? 0), 1)
        })
      )
    })
  })

  describe("format", () => {
    it.each([
      [0, "R$ 0,00"],
      [5, "R$ 0,05"],
      [99_999, "R$ 999,99"],
      [123_456, "R$ 1.234,56"],
      [99_999_999_999, "R$ 999.999.999,99"]
    ])("formats %i as %s", (value, text) => {
      assert.strictEqual(Cents.format(cents(value)), text)
    })

    const oracle = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" })
    it.prop("agrees with Intl for pt-BR except for the kind of space", [Cents.Cents], ([value]) => {
      // The amount is passed as text, because half of the amounts have no exact binary fraction.
      const reais = `${Math.floor(value / 100)}.${String(value % 100).padStart(2, "0")}` as `${number}`
      assert.strictEqual(Cents.format(value), oracle.format(reais).replace("\u00a0", " "))
    })
  })
})
