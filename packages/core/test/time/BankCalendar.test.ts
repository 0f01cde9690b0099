import { assert, describe, it } from "@effect/vitest"
import { isBusinessDay as oracleIsBusinessDay } from "@brazilian-utils/brazilian-utils"
import Holidays from "date-holidays"
import * as fc from "fast-check"
import * as BankCalendar from "../../src/time/BankCalendar.ts"
import { addDays, dayOfWeek, fromEpochDay, LocalDate, toEpochDay } from "../../src/time/LocalDate.ts"

const date = (text: string) => LocalDate.make(text)
const { addBusinessDays, businessDaysBetween, holidays, isBusinessDay, nextBusinessDay } = BankCalendar
const open = { lastWeekday: "open" } as const

describe("isBusinessDay", () => {
  it.each([
    ["2026-01-01", false, "New Year"],
    ["2026-01-02", true, "a Friday"],
    ["2026-01-03", false, "a Saturday"],
    ["2026-01-04", false, "a Sunday"],
    ["2026-02-16", false, "Carnival Monday"],
    ["2026-02-17", false, "Carnival Tuesday"],
    ["2026-02-18", true, "Ash Wednesday, open from noon"],
    ["2026-04-02", true, "Thursday before Easter"],
    ["2026-04-03", false, "Good Friday"],
    ["2026-04-21", false, "Tiradentes"],
    ["2026-05-01", false, "Labour Day"],
    ["2026-06-04", false, "Corpus Christi"],
    ["2026-07-09", true, "a state holiday of São Paulo"],
    ["2026-09-07", false, "Independence Day"],
    ["2026-10-12", false, "Our Lady of Aparecida"],
    ["2026-11-02", false, "All Souls"],
    ["2027-11-15", false, "Proclamation of the Republic"],
    ["2023-11-20", true, "20 November before the law"],
    ["2024-11-20", false, "20 November since 2024"],
    ["2026-12-24", true, "Christmas Eve"],
    ["2026-12-25", false, "Christmas Day"],
    ["2026-12-31", false, "31 December"],
    ["2022-12-30", false, "the Friday before 31 December, a Saturday"],
    ["2023-12-29", false, "the Friday before 31 December, a Sunday"],
    ["2026-12-30", true, "the day before 31 December, a Thursday"],
    ["2023-12-28", true, "the day before the last weekday of the year"]
  ])("%s is %s: %s", (day, expected, _why) => {
    assert.strictEqual(isBusinessDay(date(day)), expected)
  })

  it("opens the last weekday of the year by option, but not a 31 December on a Sunday", () => {
    assert.isTrue(isBusinessDay(date("2026-12-31"), open))
    assert.isTrue(isBusinessDay(date("2028-12-29"), open))
    assert.isFalse(isBusinessDay(date("2028-12-31"), open))
  })

  it("applies single days before the table, and closed days before open days", () => {
    const options = {
      closed: [date("2026-01-02"), date("2026-01-05")],
      open: [date("2026-01-03"), date("2026-01-05")]
    }
    assert.isFalse(isBusinessDay(date("2026-01-02"), options))
    assert.isTrue(isBusinessDay(date("2026-01-03"), options))
    assert.isFalse(isBusinessDay(date("2026-01-05"), options))
  })
})

describe("easter", () => {
  // The earliest and the latest possible date, both exceptions of Gauss's rule, and some others.
  it.each(["1818-03-22", "1943-04-25", "1954-04-18", "1981-04-19", "2000-04-23", "2026-04-05", "2038-04-25"])(
    "of its year is %s",
    (day) => {
      assert.strictEqual(BankCalendar.easter(Number(day.slice(0, 4))), day)
    }
  )

  it("is a Sunday from 22 March to 25 April in every year", () => {
    for (let year = 1600; year < 2600; year++) {
      const easter = BankCalendar.easter(year)
      assert.strictEqual(dayOfWeek(easter), 0)
      assert.isTrue(easter.slice(5) >= "03-22" && easter.slice(5) <= "04-25", easter)
    }
  })
})

describe("holidays", () => {
  it("lists 2026 in order", () => {
    assert.deepStrictEqual(
      holidays(2026).map(({ date, name }) => `${date} ${name}`),
      [
        "2026-01-01 New Year's Day",
        "2026-02-16 Carnival Monday",
        "2026-02-17 Carnival Tuesday",
        "2026-04-03 Good Friday",
        "2026-04-21 Tiradentes",
        "2026-05-01 Labour Day",
        "2026-06-04 Corpus Christi",
        "2026-09-07 Independence Day",
        "2026-10-12 Our Lady of Aparecida",
        "2026-11-02 All Souls' Day",
        "2026-11-15 Proclamation of the Republic",
        "2026-11-20 Black Awareness Day",
        "2026-12-25 Christmas Day",
        "2026-12-31 Last weekday of the year"
      ]
    )
  })

  it("are the weekdays for which isBusinessDay returns false", () => {
    for (let year = 2000; year < 2040; year++) {
      for (const { date } of holidays(year)) assert.isFalse(isBusinessDay(date), date)
    }
  })

  it("agree with date-holidays from 1981 to 2099 except for its election days, which are Sundays", () => {
    const oracle = new Holidays("BR")
    for (let year = 1981; year < 2100; year++) {
      const theirs = oracle
        .getHolidays(year)
        // date-holidays marks 31 December and half days as "optional".
        .filter(({ name, type }) => (type === "public" || type === "bank") && name !== "Dia de Eleição")
        .map(({ date }) => date.slice(0, 10))
      // A year contains a day twice if a moving holiday falls on a fixed holiday.
      const ours = holidays(year, open).map(({ date }) => date)
      assert.deepStrictEqual<ReadonlyArray<string>>([...new Set(ours)], [...new Set(theirs)].sort(), String(year))
    }
  })

  it("differ from @brazilian-utils only on Carnival Monday, where it is wrong for banks", () => {
    const carnivalMondays = Array.from({ length: 30 }, (_, year) => addDays(BankCalendar.easter(2015 + year), -48))
    const different: Array<string> = []
    for (let day = toEpochDay(date("2015-01-01")); day < toEpochDay(date("2045-01-01")); day++) {
      const [year, month, dayOfMonth] = fromEpochDay(day).split("-").map(Number) as [number, number, number]
      const theirs = oracleIsBusinessDay(new Date(year, month - 1, dayOfMonth, 12))
      if (theirs !== isBusinessDay(fromEpochDay(day), open)) different.push(fromEpochDay(day))
    }
    assert.deepStrictEqual<ReadonlyArray<string>>(different, carnivalMondays)
    // @brazilian-utils has no option for 31 December either, and treats it as a business day.
    assert.isTrue(oracleIsBusinessDay(new Date(2026, 11, 31, 12)))
  })
})

describe("nextBusinessDay", () => {
  it.each([
    ["2026-01-02", "2026-01-02"],
    ["2026-01-03", "2026-01-05"],
    // Friday the 25th and the weekend; then the eve, the new year and another weekend.
    ["2026-12-25", "2026-12-28"],
    ["2026-12-31", "2027-01-04"],
    // From the Saturday of Carnival to Ash Wednesday.
    ["2026-02-14", "2026-02-18"],
    // The last weekday of its year, then a weekend before Monday, 1 January.
    ["2023-12-29", "2024-01-02"],
    // The last day of the calendar has no next day.
    ["9999-12-31", "9999-12-31"]
  ])("of %s is %s", (day, expected) => {
    assert.strictEqual(nextBusinessDay(date(day)), expected)
  })
})

describe("counting business days", () => {
  it.each([
    ["2026-01-02", 1, "2026-01-05"],
    ["2026-01-03", 1, "2026-01-05"],
    ["2026-01-04", 0, "2026-01-04"],
    ["2026-01-05", -1, "2026-01-02"],
    ["2026-01-04", -1, "2026-01-02"],
    ["2026-12-30", 2, "2027-01-05"],
    ["2026-02-13", 1, "2026-02-18"],
    ["9999-12-30", 3, "9999-12-31"],
    ["1000-01-02", -3, "1000-01-01"]
  ])("from %s, %i business days lead to %s", (day, days, expected) => {
    assert.strictEqual(addBusinessDays(date(day), days), expected)
  })

  it.each([
    ["2026-01-02", "2026-01-05", 1],
    ["2026-01-02", "2026-01-04", 0],
    ["2026-01-02", "2026-01-02", 0],
    ["2026-01-05", "2026-01-02", -1],
    ["2026-01-04", "2026-01-03", 0],
    // 261 weekdays minus the 13 holidays of 2026 that fall on a weekday.
    ["2026-01-01", "2026-12-31", 248]
  ])("returns the days from %s to %s: %i", (from, to, expected) => {
    // Object.is, because 0 must not be -0.
    assert.isTrue(Object.is(businessDaysBetween(date(from), date(to)), expected))
  })

  const day = fc.integer({ min: toEpochDay(date("2000-01-01")), max: toEpochDay(date("2060-01-01")) }).map(fromEpochDay)

  it("is consistent with addition: adding a number of days and counting them returns the number", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -80, max: 80 }), (start, days) => {
        const from = nextBusinessDay(start)
        const to = addBusinessDays(from, days)
        assert.isTrue(isBusinessDay(to))
        assert.strictEqual(addBusinessDays(to, -days), from)
        assert.strictEqual(businessDaysBetween(from, to), days)
      })
    )
  })

  it("counts a span as the sum of its parts", () => {
    fc.assert(
      fc.property(day, fc.nat(400), fc.nat(400), (start, first, second) => {
        const middle = addDays(start, first)
        const end = addDays(middle, second)
        assert.strictEqual(
          businessDaysBetween(start, end),
          businessDaysBetween(start, middle) + businessDaysBetween(middle, end)
        )
      })
    )
  })

  it("skips only closed days when it moves to a business day", () => {
    fc.assert(
      fc.property(day, (start) => {
        const next = nextBusinessDay(start)
        assert.isTrue(isBusinessDay(next))
        for (let between = start; between < next; between = addDays(between, 1)) {
          assert.isFalse(isBusinessDay(between))
        }
      })
    )
  })
})
