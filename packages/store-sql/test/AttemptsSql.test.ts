import * as AttemptsSuite from "@parcela/testing/AttemptsSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

AttemptsSuite.suite("SQLite in memory", inMemory)
AttemptsSuite.suite("SQLite in a file", inFile)
