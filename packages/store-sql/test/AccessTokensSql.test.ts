import * as AccessTokensSuite from "@parcela/testing/AccessTokensSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(AccessTokensSuite.suite)
