import * as UnitOfWorkSuite from "@parcela/testing/UnitOfWorkSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(UnitOfWorkSuite.suite)
