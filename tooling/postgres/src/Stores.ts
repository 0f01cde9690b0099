/** The stores that a suite runs on. */
import * as CheckedRows from "@parcela/store-sql/tables/Entities"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { emptyDatabase } from "./Database.ts"

// Every state that a test reads is checked by its schema.
CheckedRows.checkRows()

/** A store that is empty each time its layer is built. */
export type TestStore = ReturnType<typeof StoreSql.layerSqlite>

const temporaryFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "store-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "test.db")
)

const stores = {
  "SQLite in memory": StoreSql.layerSqlite({ filename: ":memory:" }),
  "SQLite in a file": Layer.unwrap(Effect.map(temporaryFile, (filename) => StoreSql.layerSqlite({ filename }))),
  PostgreSQL: Layer.unwrap(
    Effect.map(Effect.orDie(emptyDatabase), (url) => StoreSql.layerPostgres({ url: Redacted.make(url) }))
  )
} satisfies Record<string, TestStore>

/** The name of a store in the titles of tests. */
export type StoreName = keyof typeof stores

/** Every store. */
// Object.keys has the type of any text.
export const storeNames = Object.keys(stores) as ReadonlyArray<StoreName>

/** The store with that name. Throws for an unknown name, so that a typing error does not pass. */
export const storeOf = (name: string): TestStore => {
  if (!Object.hasOwn(stores, name)) throw new Error(`There is no store "${name}": ${storeNames.join(", ")}`)
  // The line above has looked.
  return stores[name as StoreName]
}

/** Calls `suite` with each store, or with those that are named. */
export const forEachStore = (
  suite: (name: StoreName, layer: TestStore) => void,
  names: ReadonlyArray<StoreName> = storeNames
): void => {
  for (const name of names) suite(name, storeOf(name))
}

/**
 * A store for each of two processes on one empty database: on PostgreSQL each has connections of its own; a process opens
 * a SQLite file only once, and both have the same.
 */
export const twoOnOneDatabase = (name: StoreName) =>
  name === "PostgreSQL"
    ? Effect.map(Effect.orDie(emptyDatabase), (url) => {
        const open = () => StoreSql.layerPostgres({ url: Redacted.make(url) })
        return { first: open(), second: open() }
      })
    : Effect.succeed({ first: storeOf(name), second: undefined })
