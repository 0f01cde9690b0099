import * as InboxSuite from "@parcela/provider-tests/InboxSuite"
import { Effect } from "effect"
import { layerMemory } from "../src/Inbox.ts"

InboxSuite.suite("memory", { storage: Effect.succeed(layerMemory), durable: false, leasesAtOnce: true })
