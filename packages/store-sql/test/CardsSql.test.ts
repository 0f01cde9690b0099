import * as CardsSuite from "@parcela/testing/CardsSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

CardsSuite.suite("SQLite in memory", inMemory)
CardsSuite.suite("SQLite in a file", inFile)
