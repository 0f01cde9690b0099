import * as CompanyClocksSuite from "@parcela/testing/CompanyClocksSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(CompanyClocksSuite.suite)
