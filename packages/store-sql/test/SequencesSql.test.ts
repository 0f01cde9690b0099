import * as SequencesSuite from "@parcela/testing/SequencesSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

SequencesSuite.suite("SQLite in memory", inMemory)
SequencesSuite.suite("SQLite in a file", inFile)
