import * as ChargesSuite from "@parcela/testing/ChargesSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(ChargesSuite.suite)
