import { assert, describe, it } from "@effect/vitest"
import { selectionOf, timesOf } from "@parcela/core/lists/ListQuery"
import { transactionList } from "@parcela/core/lists/EntityLists"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { saoPaulo } from "@parcela/core/time/Instant"

const day = (text: string) => LocalDate.make(text)

describe("selectionOf", () => {
  it("copies values and days, and converts the days of an instant to instants", () => {
    const { filter, page } = selectionOf(transactionList)(
      {
        startAt: 3,
        limit: 10,
        status: ["denied"],
        payDayTo: day("2026-01-31"),
        createdAtFrom: day("2026-09-21"),
        order: [{ field: "payday", direction: "desc" }]
      },
      saoPaulo
    )
    assert.deepInclude(filter, {
      status: ["denied"],
      payDay: { from: undefined, to: day("2026-01-31") },
      createdAt: { from: Date.UTC(2026, 8, 21, 3), before: undefined }
    })
    assert.isUndefined(filter.updateStatus)
    assert.isUndefined(filter.myIds)
    assert.deepStrictEqual(page, { startAt: 3, limit: 10, order: [{ field: "payday", direction: "desc" }] })
  })

  it("has no order if none is requested", () => {
    assert.deepStrictEqual(selectionOf(transactionList)({ startAt: 0, limit: 1 }, saoPaulo).page.order, [])
  })
})

describe("timesOf", () => {
  it("spans from midnight to midnight in the zone", () => {
    assert.deepStrictEqual(timesOf({ from: day("2026-09-21"), to: day("2026-09-21") }, saoPaulo), {
      from: Date.UTC(2026, 8, 21, 3),
      before: Date.UTC(2026, 8, 22, 3)
    })
  })

  it("has no end if none is given, or if the end is the last day of the calendar", () => {
    assert.deepStrictEqual(timesOf({}, saoPaulo), { from: undefined, before: undefined })
    assert.isUndefined(timesOf({ to: day("9999-12-31") }, saoPaulo).before)
    assert.isNumber(timesOf({ to: day("9999-12-30") }, saoPaulo).before)
    assert.isNumber(timesOf({ from: day("1000-01-01") }, saoPaulo).from)
  })
})
