import * as StatesSuite from "@parcela/testing/StatesSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(StatesSuite.suite)
