import * as CompanyClocksSuite from "@parcela/testing/CompanyClocksSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore((name, layer) => CompanyClocksSuite.suite(name, layer, { exclusive: name !== "PostgreSQL" }))
