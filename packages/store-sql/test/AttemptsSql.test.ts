import * as AttemptsSuite from "@parcela/testing/AttemptsSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(AttemptsSuite.suite)
