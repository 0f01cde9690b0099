import * as OutboxSuite from "@parcela/testing/OutboxSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

OutboxSuite.suite("SQLite in memory", inMemory)
OutboxSuite.suite("SQLite in a file", inFile)
