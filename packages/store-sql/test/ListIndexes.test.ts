import { describe, expect, it } from "vitest"
import * as ListIndexes from "../src/internal/ListIndexes.ts"

const words = {
  none: "nothing",
  one: "one value",
  range: "a range"
} as const

const names: Readonly<Record<string, string>> = {
  none: "–",
  id: "identifier",
  created_at: "`createdAt`",
  updated_at: "`updatedAt`",
  status_at: "time of the status (no `order`)",
  payday: "`payday`",
  subscription: "`subscriptionMyIds` or `subscriptionSvcPayIds`",
  customer: "`customerMyIds` or `customerSvcPayIds`",
  status: "`status`",
  created: "`createdAtFrom`, `createdAtTo`",
  createdOrUpdated: "`createdOrUpdatedAtFrom`",
  statusChanged: "`updateStatusFrom`, `updateStatusTo`"
}

const rowOf = ({ filter, index, order, values }: ListIndexes.ServedPair) =>
  `| ${filter === "payday" ? "`payDayFrom`, `payDayTo`" : names[filter]} | ${words[values]} | ${names[order]} | \`(${index.join(", ")})\` |`

const page = `# Lists and indexes

Written from \`packages/store-sql/src/internal/ListIndexes.ts\` by its test (\`npx vitest run test/ListIndexes.test.ts -u\` in that package).

A list narrowed by the filter alone, in the order beside it and in either direction, reads an index and stops at the end of its page:
nothing is sorted. Without \`order\` a list is in the order of its range, else by identifier.

Any other combination reads the company's rows of its most selective filter, and sorts them. \`svcPayIds\` and \`myIds\` always lead: at most 100
rows. What is passed over by \`startAt\` is read too. On PostgreSQL the filter that leads among several others is the planner's choice.
${[ListIndexes.subscriptions, ListIndexes.transactions]
  .map(
    ({ pairs, table }) => `
## GET /${table}

| Filter | with | in the order of | Index |
|---|---|---|---|
${pairs.map(rowOf).join("\n")}
`
  )
  .join("")}`

describe("ListIndexes", () => {
  it("the page in the documentation says what the table says", async () => {
    await expect(page).toMatchFileSnapshot("../../../docs/lists-and-indexes.md")
  })
})
