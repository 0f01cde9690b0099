import * as CompaniesSuite from "@parcela/testing/CompaniesSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

CompaniesSuite.suite("SQLite in memory", inMemory)
CompaniesSuite.suite("SQLite in a file", inFile)
