import * as CardsSuite from "@parcela/testing/CardsSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(CardsSuite.suite)
