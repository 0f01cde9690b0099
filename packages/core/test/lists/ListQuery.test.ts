import { assert, describe, it } from "@effect/vitest"
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import * as ListDefinition from "@parcela/core/lists/ListDefinition"
import { days, times, values } from "@parcela/core/lists/ListDefinition"
import { listQuery, selectionOf, timesOf } from "@parcela/core/lists/ListQuery"
import { subscriptionList, transactionList } from "@parcela/core/lists/EntityLists"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { Effect, Result, Schema } from "effect"
import { saoPaulo } from "@parcela/core/time/Instant"

const things = ListDefinition.make({
  name: "things",
  entity: "Thing",
  filters: {
    myIds: values(MyId, { description: "Identifiers", example: "a" }),
    svcPayIds: values(SvcPayId, { description: "Identifiers", example: "1" }),
    state: values(Schema.Literals(["on", "off"]), { description: "States", example: "on" }),
    due: days({ description: "due date", example: "2026-01-01" }),
    made: times({ description: "day", example: "2026-01-01" })
  },
  orders: ["due", "made"]
})

const query = listQuery(things)
const whole = {
  startAt: 0,
  limit: 100,
  myIds: [MyId.make("a"), MyId.make("b c")],
  svcPayIds: [SvcPayId.make(1), SvcPayId.make(99_999_999_999)],
  state: ["off"],
  dueFrom: LocalDate.make("2026-01-01"),
  dueTo: LocalDate.make("2026-01-31"),
  madeFrom: LocalDate.make("2026-02-01"),
  madeTo: LocalDate.make("2026-02-28"),
  order: [
    { field: "due", direction: "desc" },
    { field: "made", direction: "asc" }
  ]
} as const satisfies ListDefinition.QueryOf<typeof things>

const faultsOf = (parameters: { readonly [name: string]: string }) => {
  const read = Schema.decodeUnknownResult(query, { errors: "all", onExcessProperty: "error" })(parameters)
  return Result.match(read, { onFailure: ({ issue }) => detailsOf(issue, "Thing"), onSuccess: () => ({}) })
}

describe("the query of a list", () => {
  it.effect("contains each filter under its name, values separated by commas, and both ends of a span", () =>
    Effect.gen(function* () {
      const written = yield* Schema.encodeEffect(query)(whole)
      assert.deepStrictEqual(written, {
        startAt: "0",
        limit: "100",
        myIds: "a,b c",
        svcPayIds: "1,99999999999",
        state: "off",
        dueFrom: "2026-01-01",
        dueTo: "2026-01-31",
        madeFrom: "2026-02-01",
        madeTo: "2026-02-28",
        order: "due.desc,made.asc"
      })
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(query)(written), whole)
    })
  )

  it("reports every problem under the entity and the parameter", () => {
    assert.deepStrictEqual(
      faultsOf({
        limit: "101",
        myIds: "a,,b",
        svcPayIds: "1,1e3",
        state: "on,of",
        dueFrom: "2026-02-30",
        madeTo: "today",
        order: "due",
        due: "2026-01-01"
      }),
      {
        "Thing.startAt": ["is required"],
        "Thing.limit": ["must be a whole number from 1 to 100"],
        "Thing.myIds": ["item 2: must have at least one character"],
        "Thing.svcPayIds": ["item 2: must be a whole number of 1 to 11 digits"],
        "Thing.state": ["item 2: must be one of on, off"],
        "Thing.dueFrom": ["must be a day that exists in the calendar"],
        "Thing.madeTo": ["must be a date written YYYY-MM-DD"],
        "Thing.order": ["item 1: must be one of due.asc, due.desc, made.asc, made.desc"],
        "Thing.due": ["is not a field here"]
      }
    )
  })

  it("accepts an order that names each field once", () => {
    const ordered = (order: string) => faultsOf({ startAt: "0", limit: "1", order })
    assert.deepStrictEqual(ordered("due.desc,made.asc"), {})
    assert.deepStrictEqual(ordered("due.desc,due.asc"), {
      "Thing.order": ["must be an order that names each field once"]
    })
  })

  it("accepts at most 100 values of a filter, and an int 11 of entities to skip", () => {
    const ids = (count: number) => Array.from({ length: count }, () => "1").join(",")
    assert.deepStrictEqual(faultsOf({ startAt: "99999999999", limit: "1", svcPayIds: ids(100) }), {})
    assert.deepStrictEqual(Object.keys(faultsOf({ startAt: "999999999999", limit: "0", svcPayIds: ids(101) })), [
      "Thing.startAt",
      "Thing.limit",
      "Thing.svcPayIds"
    ])
  })

  it.effect.each([subscriptionList, transactionList])("accepts the example of every filter in $name", (definition) =>
    Effect.gen(function* () {
      for (const [name, filter] of Object.entries(definition.filters)) {
        const parameters = filter.kind === "values" ? [name] : [`${name}From`, `${name}To`]
        for (const parameter of parameters) {
          const given = { startAt: "0", limit: "1", [parameter]: filter.example }
          const codec = listQuery<ListDefinition.ListDefinition>(definition)
          const read = yield* Schema.decodeUnknownEffect(codec, { onExcessProperty: "error" })(given)
          assert.property(read, parameter)
        }
      }
    })
  )
})

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
