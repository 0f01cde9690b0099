import * as IdempotencyKeysSuite from "@parcela/testing/IdempotencyKeysSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

IdempotencyKeysSuite.suite("SQLite in memory", inMemory)
IdempotencyKeysSuite.suite("SQLite in a file", inFile)
