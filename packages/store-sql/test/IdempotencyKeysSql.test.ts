import * as IdempotencyKeysSuite from "@parcela/testing/IdempotencyKeysSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(IdempotencyKeysSuite.suite)
