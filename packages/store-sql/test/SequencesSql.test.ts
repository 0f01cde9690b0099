import * as SequencesSuite from "@parcela/testing/SequencesSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(SequencesSuite.suite)
