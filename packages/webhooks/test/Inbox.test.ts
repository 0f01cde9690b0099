import * as InboxSuite from "@parcela/testing/InboxSuite"
import { Effect } from "effect"
import { layerMemory } from "../src/Inbox.ts"

InboxSuite.suite("memory", { storage: Effect.succeed(layerMemory), durable: false })
