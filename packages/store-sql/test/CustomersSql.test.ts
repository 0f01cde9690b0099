import * as CustomersSuite from "@parcela/testing/CustomersSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(CustomersSuite.suite)
