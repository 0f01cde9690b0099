import * as TransactionsSuite from "@parcela/testing/TransactionsSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(TransactionsSuite.suite)
