import * as UnitOfWorkSuite from "@parcela/testing/UnitOfWorkSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

UnitOfWorkSuite.suite("SQLite in memory", inMemory)
UnitOfWorkSuite.suite("SQLite in a file", inFile)
