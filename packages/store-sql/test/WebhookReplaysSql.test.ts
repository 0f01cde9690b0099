import * as WebhookReplaysSuite from "@parcela/testing/WebhookReplaysSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

forEachStore(WebhookReplaysSuite.suite)
