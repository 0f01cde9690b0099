/** Lists on SQLite, by each filter alone and in pairs. */
import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, ListDefinition } from "@parcela/core/lists/ListDefinition"
import { today } from "../fixtures/StoreFixtures.ts"
import { Effect } from "effect"
import { sqlite } from "../../src/sql/Dialect.ts"
import {
  cardColumns,
  chargeColumns,
  customerColumns,
  planColumns,
  subscriptionColumns,
  transactionColumns
} from "../../src/lists/EntityColumns.ts"
import type { ListColumns, SpanColumn, ValuesColumn } from "../../src/lists/ListColumns.ts"
import { listSql } from "../../src/lists/ListSql.ts"
import { compiledAgain } from "../fixtures/CompiledStatements.ts"

/** The values of a filter: one, two, or the ends of a range. */
const givenTo = ({ kind }: ValuesColumn | SpanColumn): ReadonlyArray<unknown> =>
  kind === "within" || kind === "either" ? [{ from: 1, before: 9 }, { to: 9 }] : [["a"], ["a", "b"]]

const statementsOf = (columns: ListColumns) => {
  const filters = Object.entries(columns.filters as { readonly [name: string]: ValuesColumn | SpanColumn })
  const singles = filters.flatMap(([name, column]) => givenTo(column).map((value) => ({ [name]: value })))
  const pairs = singles.flatMap((one, index) => singles.slice(index + 1).map((other) => ({ ...one, ...other })))
  const fields = Object.keys(columns.orders)
  const orders = [[], ...fields.map((field) => [{ field, direction: "desc" } as const])]
  return [{}, ...singles, ...pairs].flatMap((filter) =>
    orders.map((order) => {
      const page = { startAt: 0, limit: 10, order }
      // The names are those of the list's filters; what they are given is bound and finds nothing.
      const query = listSql(columns, CompanyId.make(1), { filter: filter as FilterOf<ListDefinition>, page })
      const { text, values } = query("data", sqlite)
      return [text, values] as const
    })
  )
}

describe("a list is compiled once, whatever the values of its filters", () => {
  it.effect.each([
    ["cards", statementsOf(cardColumns)],
    ["charges", statementsOf(chargeColumns)],
    ["customers", statementsOf(customerColumns(today))],
    ["plans", statementsOf(planColumns)],
    ["subscriptions", statementsOf(subscriptionColumns)],
    ["transactions", statementsOf(transactionColumns)]
  ] as const)("%s", ([, statements]) =>
    Effect.gen(function* () {
      assert.isAbove(statements.length, 10)
      assert.deepStrictEqual(yield* compiledAgain(statements), [])
    })
  )
})
