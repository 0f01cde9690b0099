import { assert, describe, it } from "@effect/vitest"
import { LocalDate } from "@parcela/core/time/LocalDate"
import type { ListDefinition } from "@parcela/core/lists/ListDefinition"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import type { Column, ListColumns } from "../../src/lists/ListColumns.ts"
import {
  chargeColumns,
  cardColumns,
  customerColumns,
  planColumns,
  subscriptionColumns,
  transactionColumns
} from "../../src/lists/EntityColumns.ts"
import { inMemory } from "../fixtures/Stores.ts"

const columnsIn = (found: ListColumns["filters"][string]): ReadonlyArray<Column> => {
  switch (found.kind) {
    case "either":
      return [found.created, found.updated]
    case "computed":
      return found.columns
    case "listed":
      // Rows of another table, which its key has in this order.
      return []
    default:
      return [found.column]
  }
}

/** The columns that rows are found or ordered by, each once. */
const columnsOf = (columns: ListColumns<ListDefinition>): ReadonlyArray<Column> => {
  const all = [...Object.values(columns.filters).flatMap(columnsIn), ...Object.values(columns.orders)]
  return [...new Map(all.map((column) => [column.name, column])).values()]
}

/** Every list that there is. */
const lists: ReadonlyArray<ListColumns> = [
  chargeColumns,
  cardColumns,
  customerColumns(LocalDate.make("2026-01-01")),
  planColumns,
  subscriptionColumns,
  transactionColumns
]

/**
 * The columns of each index of a table, in order. A partial index counts if its rows have a value in the column after the
 * company, because a lookup by value then finds every row.
 */
const indexesOf = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string; column: string }>`
    SELECT list.name AS name, info.name AS column FROM pragma_index_list(${table}) AS list, pragma_index_info(list.name) AS info
    WHERE list.partial = 0 OR EXISTS (
      SELECT 1 FROM sqlite_schema AS made, pragma_index_info(list.name) AS lead
      WHERE made.name = list.name AND lead.seqno = 1 AND made.sql LIKE '% WHERE ' || lead.name || ' IS NOT NULL'
    ) ORDER BY list.name, info.seqno
  `
  return [...Map.groupBy(rows, ({ name }) => name).values()].map((columns) =>
    columns.map(({ column }) => column).join()
  )
})

interface Line {
  readonly filter?: string
  readonly order: string
  readonly index: string
}

/** The filters and orders that the index of each column serves without sorting. */
const linesOf = ({ definition, filters, orders }: ListColumns<ListDefinition>): ReadonlyArray<Line> => [
  { order: "identifier", index: "`id`" },
  ...Object.entries(orders).map(([field, { name }]) => ({ order: `\`${field}\``, index: `\`${name}\`` })),
  ...Object.keys(definition.filters).flatMap((filter): ReadonlyArray<Line> => {
    const found = filters[filter]!
    if (found.kind === "unique") return []
    if (found.kind === "listed") {
      const { column, table } = found.rows
      return [{ filter: `\`${filter}\``, order: "identifier", index: `\`${column}\` of \`${table}\`` }]
    }
    if (found.kind === "computed" || found.kind === "equal" || found.kind === "reference") {
      // Each condition narrows the first of its columns.
      const { name } = found.kind === "computed" ? found.columns[0]! : found.column
      return [{ filter: `\`${filter}\``, order: "identifier", index: `\`${name}\`` }]
    }
    const column = found.kind === "either" ? found.updated : found.column
    const field = Object.keys(orders).find((field) => orders[field]!.name === column.name)
    return [
      {
        filter: found.kind === "either" ? `\`${filter}From\`` : `\`${filter}From\`, \`${filter}To\``,
        order: field === undefined ? "its own, without `order`" : `\`${field}\``,
        index: `\`${column.name}\``
      }
    ]
  })
]

/** One row for each index, with all filters that it serves. */
const rowsOf = (columns: ListColumns<ListDefinition>): ReadonlyArray<string> =>
  [...Map.groupBy(linesOf(columns), ({ index, order }) => `${order}|${index}`)].map(
    ([served, lines]) => `|${lines.flatMap(({ filter }) => filter ?? []).join(", ") || "none"}|${served}|`
  )

const page = `# Lists and indexes

The filters and orders that need no sorting, because an index has the rows in that order: the database reads one page. A row holds for one value of the filter or for a range of days, and for its
order without a filter, ascending and descending. Each index starts with the company and ends with the identifier.

For any other combination the statement counts the rows of each filter, reads those of the filter with the fewest, and sorts them. If every filter has more than 512 rows, it first
checks whether the start of the list's order fills the page. \`svcPayIds\` and \`myIds\` come first, as they match at most 100 rows. An order by several fields uses the index of the
first. Rows that \`startAt\` skips are read too. On PostgreSQL the planner chooses. [Add a list](../how-to/add-a-list.md) shows how a list gets its indexes.
${lists
  .map(
    (columns) => `
## GET /${columns.definition.name}

|Filters|Order|Index|
|---|---|---|
${rowsOf(columns).join("\n")}
`
  )
  .join("")}
\`npx vitest run test/lists/ListColumns.test.ts -u\` in \`packages/store-sql\` writes this page from \`src/lists\`.
`

describe("the columns of lists", () => {
  it.effect.each(lists.map((columns) => [columns.definition.name, columns] as const))(
    "of %s each lead an index, before the identifier",
    ([table, columns]) =>
      Effect.gen(function* () {
        const indexes = yield* indexesOf(table)
        for (const { name } of columnsOf(columns)) {
          // An identifier has one row, so that nothing needs to follow it.
          const isUnique = ["id", "my_id", "document"].includes(name)
          const wanted = isUnique ? `company_id,${name}` : `company_id,${name},id`
          assert.isTrue(
            // What follows the identifier changes no order.
            indexes.some((found) => found === wanted || (!isUnique && found.startsWith(`${wanted},`))),
            `${table} (${wanted}) is not among ${indexes.join("; ")}`
          )
        }
      }).pipe(Effect.provide(inMemory))
  )

  it("match the page in the documentation", async () => {
    await expect(page).toMatchFileSnapshot("../../../../docs/reference/lists.md")
  })
})
