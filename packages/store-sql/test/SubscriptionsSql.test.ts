import * as SubscriptionsSuite from "@parcela/testing/SubscriptionsSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(SubscriptionsSuite.suite)
