import * as SubscriptionsSuite from "@parcela/testing/SubscriptionsSuite"
import { inFile, inMemory } from "./fixtures/Stores.ts"

SubscriptionsSuite.suite("SQLite in memory", inMemory)
SubscriptionsSuite.suite("SQLite in a file", inFile)
