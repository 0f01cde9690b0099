import * as WebhookEndpointsSuite from "@parcela/testing/WebhookEndpointsSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(WebhookEndpointsSuite.suite)
