/**
 * Which rows a list reads. PostgreSQL says so (`EXPLAIN ANALYZE`). SQLite does not, so each statement is run again with a
 * function of ours as its first condition, which SQLite calls for every row of the listed table that it visits, and for
 * no other.
 */
import { assert, describe, it } from "@effect/vitest"
import { LocalDate } from "@parcela/core/time/LocalDate"
import type { Page, Span } from "@parcela/engine/queries/Page"
import { type SubscriptionFilter, Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { type TransactionFilter, Transactions } from "@parcela/engine/ports/Transactions"
import { Context, Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as ListIndexes from "../src/internal/ListIndexes.ts"
import * as StoreSql from "../src/StoreSql.ts"
import { fill, large, small } from "./fixtures/ManyTransactions.ts"
import { temporaryFile } from "@parcela/testing/TemporaryFile"
import { storeOf } from "@parcela/tooling-postgres/Stores"

interface Counted {
  /** Rows that the statement of the list visits. */
  readonly rows: number
  /** Entries of indexes that are counted to choose the filter that leads. */
  readonly entries: number
  readonly plan: string
}

/** The first table of a statement is the listed one; subqueries look up subscriptions or customers by identifier. */
const listed = /FROM "(subscriptions|transactions)"\s+WHERE /g

/** Counts what the statements of an effect read. */
class Counter extends Context.Service<
  Counter,
  { readonly of: <E, R>(effect: Effect.Effect<unknown, E, R>) => Effect.Effect<Counted, E, R> }
>()("test/Counter") {}

type Sent = readonly [text: string, parameters: ReadonlyArray<SQLInputValue>]

/** The statements of an effect, as the adapter wrote them. */
const statementsOf = Effect.fnUntraced(function* <E, R>(effect: Effect.Effect<unknown, E, R>) {
  const statements: Array<Sent> = []
  const note: Statement.Transformer = (statement) =>
    Effect.sync(() => {
      const [text, parameters] = statement.compile()
      statements.push([text, parameters as ReadonlyArray<SQLInputValue>])
      return statement
    })
  yield* Effect.provideService(effect, Statement.CurrentTransformer, note)
  return statements
})

const counter = (filename: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename, { readOnly: true })),
    (database) => Effect.sync(() => database.close())
  ).pipe(
    Effect.map((database) => {
      let visited = 0
      database.function("visited", (_id) => {
        visited += 1
        return 1
      })
      const visitsOf = (text: string, parameters: ReadonlyArray<SQLInputValue>) => {
        const [[, table]] = [...text.matchAll(listed)] as [RegExpMatchArray]
        const counting = text.replaceAll(listed, (found, name) =>
          name === table ? `${found} visited("${table}".id) AND ` : found
        )
        visited = 0
        database.prepare(counting).all(...parameters)
        return visited
      }
      return Counter.of({
        of: Effect.fnUntraced(function* (effect) {
          const statements = yield* statementsOf(effect)
          const [text, parameters] = statements.at(-1)!
          const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parameters)
          const visits = statements.map(([text, parameters]) => visitsOf(text, parameters))
          const rows = visits.pop()!
          return {
            rows,
            entries: visits.reduce((sum, count) => sum + count, 0),
            plan: plan.map(({ detail }) => String(detail)).join("; ")
          }
        })
      })
    })
  )

/** A node of PostgreSQL's plan, as it was run. */
interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const visitedBy = (root: PlanNode, table: string): number =>
  nodesOf(root)
    .filter((node) => node["Relation Name"] === table)
    .reduce((sum, node) => {
      const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)
      return sum + (node["Actual Rows"] + removed) * node["Actual Loops"]
    }, 0)

const explaining = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const explain = Effect.fnUntraced(function* (text: string, parameters: ReadonlyArray<unknown>) {
    const [[, table]] = [...text.matchAll(listed)] as [RegExpMatchArray]
    const [row] = yield* Effect.orDie(
      sql.unsafe<Record<string, ReadonlyArray<{ readonly Plan: PlanNode }>>>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        parameters
      )
    )
    const plan = row!["QUERY PLAN"]![0]!.Plan
    const nodes = nodesOf(plan).map((node) => `${node["Node Type"]} ${node["Relation Name"] ?? ""}`.trim())
    return { rows: visitedBy(plan, table!), plan: nodes.join("; ") }
  })
  return Counter.of({
    of: Effect.fnUntraced(function* (effect) {
      const statements = yield* statementsOf(effect)
      const explained = yield* Effect.forEach(statements, ([text, parameters]) => explain(text, parameters))
      const last = explained.pop()!
      return { ...last, entries: explained.reduce((sum, { rows }) => sum + rows, 0) }
    })
  })
})

const postgres = Layer.mergeAll(
  Layer.effectDiscard(
    Effect.andThen(
      fill,
      SqlClient.SqlClient.use((sql) => sql`ANALYZE`)
    )
  ),
  Layer.effect(Counter, explaining)
).pipe(Layer.provideMerge(storeOf("PostgreSQL")))

const sqlite = Layer.unwrap(
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    return Layer.merge(Layer.effectDiscard(fill), Layer.effect(Counter, counter(filename))).pipe(
      Layer.provideMerge(StoreSql.layerSqlite({ filename, synchronous: "NORMAL" }))
    )
  })
)

type Row = Readonly<Record<string, string | number>>
type Order<Field extends string> = Page<Field>["order"]

/** One filter, what it is called in `ListIndexes`, and which rows it means. */
interface Specimen<Filter> {
  readonly name: string
  readonly filter: Filter
  readonly values: "one" | "many" | "range"
  readonly means: (row: Row) => boolean
  /** Without an order a range lists by this column. */
  readonly rangeOf?: string
  /** Identifiers are unique. */
  readonly atMost?: number
}

const base = 1_790_000_000_000
const span = (from: number | undefined, before: number | undefined): Span => ({
  from: from === undefined ? undefined : base + from * 60_000,
  before: before === undefined ? undefined : base + before * 60_000
})
const inSpan =
  (column: string, { before = Infinity, from = -Infinity }: Span) =>
  (row: Row) =>
    Number(row[column]) >= from && Number(row[column]) < before
const oneOf = (column: string, values: ReadonlyArray<string | number>) => (row: Row) => values.includes(row[column]!)

const inOne = <Filter>(
  name: string,
  key: keyof Filter,
  column: string,
  values: ReadonlyArray<string | number>
): Specimen<Filter> => ({
  name,
  filter: { [key]: values } as Filter,
  values: values.length === 1 ? "one" : "many",
  means: oneOf(column, values),
  ...(name === "svcPayIds" || name === "myIds" ? { atMost: values.length } : {})
})
const inRange = <Filter>(name: string, key: keyof Filter, column: string, span: Span): Specimen<Filter> => ({
  name,
  filter: { [key]: span } as Filter,
  values: "range",
  means: inSpan(column, span),
  rangeOf: column
})
const days = (from: string | undefined, to: string | undefined): Specimen<TransactionFilter> => ({
  name: "payday",
  filter: {
    payday: {
      from: from === undefined ? undefined : LocalDate.make(from),
      to: to === undefined ? undefined : LocalDate.make(to)
    }
  },
  values: "range",
  means: ({ payday }) => (from === undefined || payday! >= from) && (to === undefined || payday! <= to),
  rangeOf: "payday"
})

/** Of the company `c`, in the sequence in which ranges give a list its order. */
const transactionSpecimens = (c: number): ReadonlyArray<Specimen<TransactionFilter>> => [
  inOne("svcPayIds", "svcPayIds", "id", [c, c + 99 * 300, 99_999_999_999]),
  inOne("myIds", "myIds", "my_id", ["t5", "t21000", "nobody"]),
  inOne("subscription", "subscriptionSvcPayIds", "subscription_id", [c]),
  inOne("subscription", "subscriptionSvcPayIds", "subscription_id", [c, c + 300]),
  inOne("subscription", "subscriptionMyIds", "subscription_my_id", [`s${c + 100}`]),
  inOne("subscription", "subscriptionMyIds", "subscription_my_id", [`s${c + 100}`, `s${c}`]),
  inOne("customer", "customerSvcPayIds", "customer_id", [c]),
  inOne("customer", "customerMyIds", "customer_my_id", [`c${c + 200}`]),
  inOne("customer", "customerMyIds", "customer_my_id", ["nobody"]),
  inOne("customer", "customerMyIds", "customer_my_id", [`c${c}`, `c${c + 500}`]),
  inOne("status", "status", "status", ["denied"]),
  inOne("status", "status", "status", ["captured"]),
  inOne("status", "status", "status", ["denied", "pendingBoleto"]),
  days("2026-03-01", "2026-03-02"),
  days("2026-12-31", undefined),
  days(undefined, "2026-06-30"),
  inRange("statusChanged", "statusChanged", "status_at", span(1_000, 2_000)),
  inRange("statusChanged", "statusChanged", "status_at", span(50_000, undefined)),
  inRange("created", "created", "created_at", span(3_000, 3_500)),
  inRange("created", "created", "created_at", span(undefined, 90_000))
]

const createdOrUpdated = (from: number | undefined, before: number | undefined): Specimen<SubscriptionFilter> => ({
  ...inRange<SubscriptionFilter>("createdOrUpdated", "createdOrUpdated", "updated_at", span(from, before)),
  values: before === undefined ? "range" : "many",
  means: (row) => inSpan("created_at", span(from, before))(row) || inSpan("updated_at", span(from, before))(row)
})

const subscriptionSpecimens = (c: number): ReadonlyArray<Specimen<SubscriptionFilter>> => [
  inOne("svcPayIds", "svcPayIds", "id", [c, c + 300, 99_999_999_999]),
  inOne("myIds", "myIds", "my_id", [`s${c}`, `s${c + 100}`, "nobody"]),
  inOne("customer", "customerSvcPayIds", "customer_id", [c]),
  inOne("customer", "customerMyIds", "customer_my_id", [`c${c + 200}`]),
  inOne("customer", "customerMyIds", "customer_my_id", [`c${c}`, `c${c + 500}`]),
  inOne("status", "status", "status", ["stopped"]),
  inOne("status", "status", "status", ["stopped", "active"]),
  createdOrUpdated(2_000, undefined),
  createdOrUpdated(undefined, 2_000),
  createdOrUpdated(1_000, 1_500),
  inRange("created", "created", "created_at", span(3_000, 3_500)),
  inRange("created", "created", "created_at", span(undefined, 3_000))
]

const ordersOf = <Field extends string>(a: Field, b: Field): ReadonlyArray<Order<Field>> => [
  [],
  [{ field: a, direction: "asc" }],
  [{ field: a, direction: "desc" }],
  [{ field: b, direction: "asc" }],
  [{ field: b, direction: "desc" }],
  [
    { field: b, direction: "asc" },
    { field: a, direction: "desc" }
  ]
]

const columns = { createdAt: "created_at", updatedAt: "updated_at", payday: "payday" } as const
type Field = keyof typeof columns

/** None, each one alone, and each two together. */
const combinations = <Filter>(
  specimens: ReadonlyArray<Specimen<Filter>>
): ReadonlyArray<ReadonlyArray<Specimen<Filter>>> => [
  [],
  ...specimens.map((one) => [one]),
  ...specimens.flatMap((first, index) =>
    specimens.slice(index + 1).flatMap((second) => {
      const sameKey = Object.keys(first.filter as object).some((key) => key in (second.filter as object))
      return sameKey ? [] : [[first, second]]
    })
  )
]

/**
 * The orders in which a combination is listed: all for one filter. Two filters are never served without sorting, whatever
 * the order, so each pair has one, in turn.
 */
const ordersFor = (specimens: ReadonlyArray<unknown>, index: number, orders: ReadonlyArray<Order<Field>>) =>
  specimens.length > 1 ? [orders[index % orders.length]!] : orders

const merged = <Filter>(specimens: ReadonlyArray<Specimen<Filter>>): Filter =>
  Object.assign({}, ...specimens.map(({ filter }) => filter)) as Filter

const termsOf = <Filter>(specimens: ReadonlyArray<Specimen<Filter>>, order: Order<Field>) => {
  if (order.length > 0) return order.map(({ direction, field }) => ({ column: columns[field] as string, direction }))
  const range = specimens.find(({ rangeOf }) => rangeOf !== undefined)?.rangeOf
  return range === undefined ? [] : [{ column: range, direction: "asc" as const }]
}

/** The naive reference: all rows of the company, filtered, sorted and cut. */
const reference = <Filter>(
  rows: ReadonlyArray<Row>,
  specimens: ReadonlyArray<Specimen<Filter>>,
  order: Order<Field>,
  startAt: number,
  limit: number
) => {
  const terms = termsOf(specimens, order)
  const all = [...terms, { column: "id", direction: terms.at(-1)?.direction ?? "asc" }]
  const compare = (x: Row, y: Row) => {
    for (const { column, direction } of all) {
      const [a, b] = direction === "asc" ? [x[column]!, y[column]!] : [y[column]!, x[column]!]
      if (a !== b) return a < b ? -1 : 1
    }
    return 0
  }
  return rows
    .filter((row) => specimens.every(({ means }) => means(row)))
    .sort(compare)
    .slice(startAt, startAt + limit)
    .map(({ id }) => id)
}

const rowsOf = (company: CompanyId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      subscriptions: yield* sql<Row>`
        SELECT id, my_id, customer_id, 'c' || customer_id AS customer_my_id, status, created_at, updated_at
        FROM subscriptions WHERE company_id = ${company}
      `,
      transactions: yield* sql<Row>`
        SELECT id, my_id, subscription_id, 's' || subscription_id AS subscription_my_id, customer_id,
          'c' || customer_id AS customer_my_id, status, status_at, payday, created_at
        FROM transactions WHERE company_id = ${company}
      `
    }
  })

/** Whether `ListIndexes` promises that nothing is sorted; of two filters that depends on which one leads. */
const isServed = <Filter>(
  { pairs }: ListIndexes.ListIndexes,
  specimens: ReadonlyArray<Specimen<Filter>>,
  order: Order<Field>
) => {
  const terms = termsOf(specimens, order)
  const [only, ...others] = specimens
  return (
    others.length === 0 &&
    terms.length <= 1 &&
    pairs.some(
      (pair) =>
        pair.filter === (only?.name ?? "none") &&
        pair.values === (only?.values ?? "none") &&
        pair.order === (terms[0]?.column ?? "id")
    )
  )
}

const page = { startAt: 3, limit: 10 }
const deepest = page.startAt + page.limit

/**
 * What each database may read beside what is promised. PostgreSQL chooses by statistics, which say how many rows an
 * average value has: it reads some hundreds of rows for a value that has none. And it says averages of its loops, rounded.
 */
const slack = {
  SQLite: (rows: number) => rows,
  PostgreSQL: (rows: number) => rows * 1.5 + 1_000
} as const

type Store = keyof typeof slack

const checked = <Filter, E, R>(options: {
  readonly store: Store
  readonly indexes: ListIndexes.ListIndexes
  readonly rows: ReadonlyArray<Row>
  readonly specimens: ReadonlyArray<Specimen<Filter>>
  readonly orders: ReadonlyArray<Order<Field>>
  readonly list: (filter: Filter, order: Order<Field>) => Effect.Effect<unknown, E, R>
}) =>
  Effect.gen(function* () {
    const { of } = yield* Counter
    const { indexes, list, orders, rows, store } = options
    let served = 0
    const matches = new Map(options.specimens.map((one) => [one, rows.filter(one.means).length]))
    for (const [index, specimens] of combinations(options.specimens).entries()) {
      // Identifiers are looked up whether or not they exist, and lead whatever stands beside them.
      const identifiers = specimens.flatMap(({ atMost }) => (atMost === undefined ? [] : [atMost]))
      const matching = specimens.map((one) => matches.get(one)!)
      // PostgreSQL reads the rows of one of them, by statistics that know nothing of what a subquery will find.
      const chosen = store === "PostgreSQL" ? [Math.max(...matching)] : matching
      const fewest = Math.min(
        rows.length,
        ...(identifiers.length > 0 ? identifiers : specimens.length > 0 ? chosen : [])
      )
      for (const order of ordersFor(specimens, index, orders)) {
        const filter = merged(specimens)
        const name = `${JSON.stringify(filter)} ${JSON.stringify(order)}`
        const read = yield* of(list(filter, order))
        assert.isAtMost(read.rows, slack[store](fewest), `rows of ${name}: ${read.plan}`)
        assert.isAtMost(read.entries, slack[store](specimens.length * Math.max(600, 10 * fewest)), `entries of ${name}`)
        // The page, whose rows have others beside them.
        if (store === "SQLite") assert.notMatch(read.plan, /SCAN (?!listed)/, name)
        if (!isServed(indexes, specimens, order)) continue
        served += 1
        // PostgreSQL sorts where it expects less than a page or two, and then that is all it reads.
        if (store === "PostgreSQL" && read.plan.includes("Sort")) {
          assert.isAtMost(read.rows, 200, `rows of ${name}: ${read.plan}`)
        } else {
          assert.notInclude(read.plan, "TEMP B-TREE", name)
          assert.isAtMost(read.rows, slack[store](deepest), `rows of ${name}: ${read.plan}`)
        }
      }
    }
    return served
  })

const transactionOrders = ordersOf("createdAt", "payday")
const subscriptionOrders = ordersOf("createdAt", "updatedAt")

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("lists over 100,000 transactions of 100 companies (%s)", (store, database) => {
  it.layer(database, { timeout: 120_000 })((it) => {
    it.effect("the counter counts every row that is visited", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { of } = yield* Counter
        const all = yield* of(sql`SELECT id FROM "transactions" WHERE status || '' = 'nothing'`)
        assert.strictEqual(all.rows, 100_000)
      })
    )

    it.effect(
      "transactions: pairs of the table are not sorted, others read no more than their most selective filter finds",
      () =>
        Effect.gen(function* () {
          const transactions = yield* Transactions
          const { transactions: rows } = yield* rowsOf(large)
          const served = yield* checked({
            store,
            indexes: ListIndexes.transactions,
            rows,
            specimens: transactionSpecimens(large),
            orders: transactionOrders,
            list: (filter, order) =>
              transactions.list(large, filter, { ...page, order: order as Order<"createdAt" | "payday"> })
          })
          assert.isAtLeast(served, ListIndexes.transactions.pairs.length)
        }),
      60_000
    )

    it.effect(
      "subscriptions: pairs of the table are not sorted, others read no more than their most selective filter finds",
      () =>
        Effect.gen(function* () {
          const subscriptions = yield* Subscriptions
          const { subscriptions: rows } = yield* rowsOf(large)
          const served = yield* checked({
            store,
            indexes: ListIndexes.subscriptions,
            rows,
            specimens: subscriptionSpecimens(large),
            orders: subscriptionOrders,
            list: (filter, order) =>
              subscriptions.list(large, filter, { ...page, order: order as Order<"createdAt" | "updatedAt"> })
          })
          assert.isAtLeast(served, ListIndexes.subscriptions.pairs.length)
        }),
      60_000
    )

    it.effect(
      "transactions: each filter, alone and in pairs, finds what a naive reference finds",
      () =>
        Effect.gen(function* () {
          const transactions = yield* Transactions
          const { transactions: rows } = yield* rowsOf(small)
          for (const [index, specimens] of combinations(transactionSpecimens(small)).entries()) {
            for (const order of ordersFor(specimens, index, transactionOrders)) {
              const found = yield* transactions.list(small, merged(specimens), {
                startAt: 2,
                limit: 20,
                order: order as Order<"createdAt" | "payday">
              })
              assert.deepStrictEqual(
                found.map(({ transaction }) => transaction.id as number),
                reference(rows, specimens, order, 2, 20) as Array<number>,
                JSON.stringify([merged(specimens), order])
              )
            }
          }
        }),
      60_000
    )

    it.effect(
      "subscriptions: each filter, alone and in pairs, finds what a naive reference finds",
      () =>
        Effect.gen(function* () {
          const subscriptions = yield* Subscriptions
          const { subscriptions: rows } = yield* rowsOf(small)
          for (const [index, specimens] of combinations(subscriptionSpecimens(small)).entries()) {
            for (const order of ordersFor(specimens, index, subscriptionOrders)) {
              const found = yield* subscriptions.list(small, merged(specimens), {
                startAt: 1,
                limit: 20,
                order: order as Order<"createdAt" | "updatedAt">
              })
              assert.deepStrictEqual(
                found.map(({ subscription }) => subscription.id as number),
                reference(rows, specimens, order, 1, 20) as Array<number>,
                JSON.stringify([merged(specimens), order])
              )
            }
          }
        }),
      60_000
    )
  })
})
