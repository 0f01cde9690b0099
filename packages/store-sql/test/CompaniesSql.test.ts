import * as CompaniesSuite from "@parcela/testing/CompaniesSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(CompaniesSuite.suite)
