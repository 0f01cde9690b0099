import { assert, describe, it } from "@effect/vitest"
import { LocalDate } from "@parcela/core/time/LocalDate"
import type { ListDefinition } from "@parcela/core/lists/ListDefinition"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import type { Column, ListColumns } from "../../src/lists/ListColumns.ts"
import { chargeColumns } from "../../src/lists/ChargeColumns.ts"
import { cardColumns } from "../../src/lists/CardColumns.ts"
import { customerColumns } from "../../src/lists/CustomerColumns.ts"
import { planColumns } from "../../src/lists/PlanColumns.ts"
import { subscriptionColumns } from "../../src/lists/SubscriptionColumns.ts"
import { transactionColumns } from "../../src/lists/TransactionColumns.ts"
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
 * The columns of each index of a table, in order. One of a part of the rows counts where that part has a value in the column
 * that leads after the company: whoever looks for a value finds it there.
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

const index = (...columns: ReadonlyArray<string>) => `\`(${columns.join(", ")})\``

interface Line {
  readonly filter: string
  readonly values: string
  readonly order: string
  readonly index: string
}

/** What an index of each column serves without sorting. */
const linesOf = ({ definition, filters, orders }: ListColumns<ListDefinition>): ReadonlyArray<Line> => [
  { filter: "–", values: "nothing", order: "identifier", index: index("company_id", "id") },
  ...Object.entries(orders).map(([field, { name }]) => ({
    filter: "–",
    values: "nothing",
    order: `\`${field}\``,
    index: index("company_id", name, "id")
  })),
  ...Object.keys(definition.filters).flatMap((filter): ReadonlyArray<Line> => {
    const found = filters[filter]!
    if (found.kind === "unique") return []
    if (found.kind === "listed") {
      const { column, refers, table } = found.rows
      const served = `${index("company_id", column, refers)} of \`${table}\``
      return [{ filter: `\`${filter}\``, values: "one value", order: "identifier", index: served }]
    }
    if (found.kind === "computed" || found.kind === "equal" || found.kind === "reference") {
      // Each condition narrows the first of its columns.
      const { name } = found.kind === "computed" ? found.columns[0]! : found.column
      const served = index("company_id", name, "id")
      return [{ filter: `\`${filter}\``, values: "one value", order: "identifier", index: served }]
    }
    const column = found.kind === "either" ? found.updated : found.column
    const field = Object.keys(orders).find((field) => orders[field]!.name === column.name)
    return [
      {
        filter: found.kind === "either" ? `\`${filter}From\`` : `\`${filter}From\`, \`${filter}To\``,
        values: "a span",
        order: field === undefined ? `\`${column.name}\` (no \`order\`)` : `\`${field}\``,
        index: index("company_id", column.name, "id")
      }
    ]
  })
]

const page = `# Lists and indexes

Which filters and orders of a list an index serves. Written from \`packages/store-sql/src/lists\` by a test (\`npx vitest run test/lists/ListColumns.test.ts -u\` in that package).
[Add a list](../how-to/add-a-list.md).

One statement reads a page, and a second one reads what its rows refer to. A combination in the tables below reads its index, in either direction, and stops at the end of the page:
nothing is sorted. Without \`order\` a list has the order of its span, else of the identifier.

For any other combination the statement counts how many rows each filter has, reads the rows of the filter with the fewest, and sorts them. If every filter has more than 512 rows,
the statement first checks whether the beginning of the list's order fills the page. The indexes of transactions by date include the status. \`svcPayIds\` and \`myIds\` always
come first: they match at most 100 rows. Of an order by several fields the index of the first field serves. Rows that \`startAt\` skips are read too. On PostgreSQL the planner chooses
the filter, and the order if it fills the page.
${lists
  .map(
    (columns) => `
## GET /${columns.definition.name}

| Filter | with | in the order of | Index |
|---|---|---|---|
${linesOf(columns)
  .map(({ filter, index, order, values }) => `| ${filter} | ${values} | ${order} | ${index} |`)
  .join("\n")}
`
  )
  .join("")}`

describe("the columns of lists", () => {
  it.effect.each(lists.map((columns) => [columns.definition.name, columns] as const))(
    "of %s lead an index of their own each, before the identifier",
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

  it("are what the page in the documentation says", async () => {
    await expect(page).toMatchFileSnapshot("../../../../docs/reference/lists.md")
  })
})
