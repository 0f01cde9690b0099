import * as JournalSuite from "@parcela/testing/JournalSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

JournalSuite.suite("SQLite in memory", inMemory)
JournalSuite.suite("SQLite in a file", inFile)
