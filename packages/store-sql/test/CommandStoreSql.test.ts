import * as CommandStoreSuite from "@parcela/testing/CommandStoreSuite"
import { emptyDatabase } from "@parcela/tooling-postgres/Database"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Effect, Redacted } from "effect"
import * as StoreSql from "../src/StoreSql.ts"

forEachStore(CommandStoreSuite.suite)

// One process has a SQLite file: there is no second store on it.
CommandStoreSuite.suiteOfTwo(
  "PostgreSQL",
  Effect.map(Effect.orDie(emptyDatabase), (url) => {
    const open = () => StoreSql.layerPostgres({ url: Redacted.make(url) })
    return { first: open(), second: open() }
  })
)
