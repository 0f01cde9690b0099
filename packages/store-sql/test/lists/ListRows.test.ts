/**
 * Tests of the rows that lists return and read, on both databases: each filter alone and in pairs, each order, each page.
 */
import { assert, describe, it } from "@effect/vitest"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import type { ListDefinition, OrderTerm, PageOf } from "@parcela/core/lists/ListDefinition"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as StoreSql from "../../src/StoreSql.ts"
import {
  combinations,
  filterOf,
  type ListCase,
  ordersOf,
  type Row,
  rowsOf,
  sortedOnce,
  type Specimen,
  specimensOf,
  type Term,
  termsOf
} from "./fixtures/ListCase.ts"
import { cardCase, chargeCase, customerCase, planCase, subscriptionCase, transactionCase } from "./fixtures/Lists.ts"
import { inject } from "vitest"
import { few, fill, large, many, small } from "./fixtures/ManyTransactions.ts"
import { postgresCounter, RowCounter, sqliteCounter } from "./fixtures/RowCounter.ts"

const { long } = inject("prove")
const size = long ? many : few

const postgres = Layer.mergeAll(
  Layer.effectDiscard(
    Effect.andThen(
      fill(size),
      SqlClient.SqlClient.use((sql) => sql`ANALYZE`)
    )
  ),
  postgresCounter
).pipe(
  Layer.provideMerge(
    // One that no other test gets: it keeps its pages and its statistics when it is emptied.
    Layer.unwrap(Effect.map(Effect.orDie(newDatabase), (url) => StoreSql.layerPostgres({ url: Redacted.make(url) })))
  )
)

const sqlite = Layer.unwrap(
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    return Layer.merge(Layer.effectDiscard(fill(size)), sqliteCounter(filename)).pipe(
      Layer.provideMerge(StoreSql.layerSqlite({ filename, synchronous: "NORMAL" }))
    )
  })
)

/**
 * The number of rows that each database may read for a promised number. PostgreSQL reports rounded averages of its loops,
 * and its bitmaps contain more rows than needed.
 */
const slack = {
  SQLite: (rows: number) => rows,
  PostgreSQL: (rows: number) => rows * 1.5 + 1_000
} as const

type Store = keyof typeof slack

/**
 * The orders of a combination of filters: all for one filter, and one for each pair, alternately.
 */
const ordersFor = (
  specimens: ReadonlyArray<Specimen>,
  index: number,
  orders: ReadonlyArray<ReadonlyArray<OrderTerm>>
) => (specimens.length > 1 ? [orders[index % orders.length]!] : orders)

/** True if an index has the rows of one filter, or of no filter, in the order of the list. */
const isServed = ([only, ...others]: ReadonlyArray<Specimen>, terms: ReadonlyArray<Term>) => {
  const [term] = terms
  if (others.length > 0 || terms.length > 1) return false
  if (only === undefined) return true
  if (only.kind === "values") return only.shape === "one" && term === undefined
  return (
    term !== undefined && term.field === only.spanOf && (only.filter !== "createdOrUpdatedAt" || only.shape === "from")
  )
}

/** The number of rows that are read in the order of the list until the page is full, or Infinity. */
const readUntil = (rows: ReadonlyArray<Row>, specimens: ReadonlyArray<Specimen>, wanted: number) => {
  let found = 0
  const at = rows.findIndex((row) => specimens.every(({ means }) => means(row)) && (found += 1) === wanted)
  return at === -1 ? Infinity : at + 1
}

/** The number of rows up to those that equal the last row of the page in the first field. */
const equalTo = (rows: ReadonlyArray<Row>, [only]: ReadonlyArray<Specimen>, { field }: Term, wanted: number) => {
  const matching = rows.filter((row) => only === undefined || only.means(row))
  const last = matching[Math.min(wanted, matching.length) - 1]
  return last === undefined ? 0 : matching.findLastIndex((row) => row[field] === last[field]) + 1
}

const page = { startAt: 3, limit: 10 }
const deepest = page.startAt + page.limit

const checkReads = Effect.fnUntraced(function* <D extends ListDefinition, R>(store: Store, list: ListCase<D, R>) {
  const { of } = yield* RowCounter
  const rows = yield* rowsOf(list.rows, large)
  const specimens = specimensOf(list, rows)
  const inOrderOf = sortedOnce(rows)
  const matches = new Map(specimens.map((one) => [one, rows.filter(one.means).length]))
  const { beside = 0 } = list
  const seen = { served: 0, inOrder: 0, partly: 0 }
  for (const [index, some] of combinations(specimens).entries()) {
    // Identifiers are looked up even if they do not exist, and are preferred to other filters.
    const identifiers = some.flatMap(({ atMost }) => (atMost === undefined ? [] : [atMost]))
    const matching = some.map((one) => matches.get(one)!)
    // PostgreSQL reads the rows of one of them, by statistics that know nothing of what a subquery will find.
    const chosen = store === "PostgreSQL" && matching.length > 0 ? [Math.max(...matching)] : matching
    const fewest = Math.min(rows.length, ...(identifiers.length > 0 ? identifiers : chosen))
    for (const order of ordersFor(some, index, ordersOf(list.definition.orders))) {
      const filter = filterOf<D>(some)
      const name = `${JSON.stringify(filter)} ${JSON.stringify(order)}`
      const terms = termsOf(list, some, order)
      const read = yield* of(list.list(large, filter, { ...page, order } as PageOf<D>), list.definition.name)
      // The page, and what its rows refer to.
      assert.isAtMost(read.statements, 2, name)
      assert.isAtMost(read.rows, slack[store](Math.max(fewest, deepest) + beside), `rows of ${name}: ${read.plan}`)
      const counted = slack[store]((some.length + 1) * Math.max(600, 10 * fewest))
      assert.isAtMost(read.entries, counted, `entries of ${name}: ${read.plan}`)
      // The page, with the related rows of its rows.
      if (store === "SQLite")
        assert.notMatch(read.plan, /SCAN (?!listed|counted|sizes|json_each|chosen|walked|found|branch_|CONSTANT)/, name)
      if (isServed(some, terms)) {
        seen.served += 1
        // PostgreSQL sorts where it expects less than a page or two, and then that is all it reads.
        if (store === "PostgreSQL" && read.plan.includes("Sort")) assert.isAtMost(read.rows, 200, `rows of ${name}`)
        else {
          assert.notInclude(read.plan, "TEMP B-TREE", name)
          assert.isAtMost(read.rows, slack[store](deepest + beside), `rows of ${name}: ${read.plan}`)
        }
      }
      const [first, ...others] = terms
      if (store === "SQLite" && first !== undefined && others.length > 0 && isServed(some, [first])) {
        seen.partly += 1
        // And the row that shows where they end.
        const equal = equalTo(inOrderOf(terms), some, first, deepest)
        assert.isAtMost(read.rows, slack[store](equal + 1 + beside), `rows of ${name}: ${read.plan}`)
      }
      // PostgreSQL goes by its statistics then.
      if (store === "SQLite" && identifiers.length === 0 && some.length > 0 && terms.length <= 1 && fewest >= 4_096) {
        const walked = readUntil(inOrderOf(terms), some, deepest)
        if (walked > 4_096) continue
        seen.inOrder += 1
        assert.isAtMost(read.rows, slack[store](walked + beside), `rows of ${name}: ${read.plan}`)
      }
    }
  }
  return seen
})

const checkPages = Effect.fnUntraced(function* <D extends ListDefinition, R>(list: ListCase<D, R>) {
  const rows = yield* rowsOf(list.rows, small)
  const specimens = specimensOf(list, rows)
  const inOrderOf = sortedOnce(rows)
  for (const [index, some] of combinations(specimens).entries()) {
    const filter = filterOf<D>(some)
    for (const order of ordersFor(some, index, ordersOf(list.definition.orders))) {
      const expected = inOrderOf(termsOf(list, some, order))
        .filter((row) => some.every(({ means }) => means(row)))
        .map(({ id }) => id)
      // All pages of a list that one filter narrows, and two of a pair's.
      const limit = some.length === 1 ? 100 : 20
      const last = some.length === 1 ? expected.length : Math.min(expected.length, limit)
      for (let startAt = 0; startAt <= last; startAt += limit) {
        assert.deepStrictEqual(
          yield* list.list(small, filter, { startAt, limit, order } as PageOf<D>),
          expected.slice(startAt, startAt + limit),
          JSON.stringify([filter, order, startAt])
        )
      }
    }
  }
})

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("lists of the transactions of 100 companies (%s)", (_, database) => {
  it.layer(database, { timeout: 120_000 })((it) => {
    const pages = <D extends ListDefinition>(list: ListCase<D, StorePorts>) =>
      it.effect(
        `the pages of ${list.definition.name} have the rows that a naive reference finds by each filter, alone and in pairs`,
        () => checkPages(list),
        120_000
      )
    pages(chargeCase)
    pages(cardCase)
    pages(customerCase)
    pages(planCase)
    pages(subscriptionCase)
    pages(transactionCase)
  })
})

// Only many rows show what an index saves; `QueryPlans.test.ts` checks the plans in each run.
describe.each(
  long
    ? ([
        ["SQLite", sqlite],
        ["PostgreSQL", postgres]
      ] as const)
    : []
)("reads of lists over 126,000 transactions of 100 companies (%s)", (store, database) => {
  it.layer(database, { timeout: 120_000 })((it) => {
    it.effect("are counted row by row", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { of } = yield* RowCounter
        const all = yield* of(sql`SELECT id FROM "transactions" WHERE status || '' = 'nothing'`, "transactions")
        assert.strictEqual(all.rows, 126_000)
        // As the texts of lists write it.
        const one = yield* of(sql`SELECT id FROM transactions WHERE id = ${1}`, "transactions")
        assert.strictEqual(one.rows, 1)
      })
    )

    const reads = <D extends ListDefinition>(list: ListCase<D, StorePorts>) => {
      const { name } = list.definition
      const least =
        name === "transactions" && store === "SQLite" ? { inOrder: 10, partly: 3 } : { inOrder: 0, partly: 0 }
      it.effect(
        `of ${name} use one index: the one with the fewest rows, or the one of the order`,
        () =>
          Effect.gen(function* () {
            const seen = yield* checkReads(store, list)
            assert.isAtLeast(seen.served, Object.keys(list.definition.filters).length)
            assert.isAtLeast(seen.inOrder, least.inOrder)
            assert.isAtLeast(seen.partly, least.partly)
          }),
        120_000
      )
    }
    reads(chargeCase)
    reads(cardCase)
    reads(customerCase)
    reads(planCase)
    reads(subscriptionCase)
    reads(transactionCase)
  })
})
