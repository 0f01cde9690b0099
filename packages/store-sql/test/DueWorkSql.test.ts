import * as DueWorkSuite from "@parcela/testing/DueWorkSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore((name, layer) => DueWorkSuite.suite(name, layer, { exclusive: name !== "PostgreSQL" }))
