import * as IncomingPaymentsSuite from "@parcela/testing/IncomingPaymentsSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(IncomingPaymentsSuite.suite)
