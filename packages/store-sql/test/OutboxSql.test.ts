import * as OutboxSuite from "@parcela/testing/OutboxSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(OutboxSuite.suite)
