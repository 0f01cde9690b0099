import * as TransactionsSuite from "@parcela/testing/TransactionsSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

TransactionsSuite.suite("SQLite in memory", inMemory)
TransactionsSuite.suite("SQLite in a file", inFile)
