import * as CustomersSuite from "@parcela/testing/CustomersSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

CustomersSuite.suite("SQLite in memory", inMemory)
CustomersSuite.suite("SQLite in a file", inFile)
