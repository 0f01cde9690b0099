import * as CommandStoreSuite from "@parcela/testing/CommandStoreSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(CommandStoreSuite.suite)
