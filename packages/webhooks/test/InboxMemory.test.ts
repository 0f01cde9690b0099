import * as InboxSuite from "@parcela/provider-tests/InboxSuite"
import { Effect } from "effect"
import { layer } from "../src/InboxMemory.ts"

InboxSuite.suite("memory", { storage: Effect.succeed(layer), durable: false, leasesAtOnce: true })
