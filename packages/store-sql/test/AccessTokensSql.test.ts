import * as AccessTokensSuite from "@parcela/testing/AccessTokensSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

AccessTokensSuite.suite("SQLite in memory", inMemory)
AccessTokensSuite.suite("SQLite in a file", inFile)
