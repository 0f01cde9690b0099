import * as JournalSuite from "@parcela/testing/JournalSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(JournalSuite.suite)
