/**
 * The company's webhook settings (interface section 4.4). The interface defines how to edit them, but not how to read
 * them.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { EditWebhooks, WebhookUrl } from "@parcela/core/webhooks/EditWebhooks"
import { string } from "@parcela/core/values/Text"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Schema from "effect/Schema"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { BearerToken } from "../Security.ts"
import { confirmHash, failure } from "./ExampleEntities.ts"
import { done } from "./Done.ts"
import { FaultEntity, read, write } from "./Operation.ts"

/**
 * Interface 2.12.
 *
 * @category schemas
 * @since 0.1.0
 */
export const WebhooksResponse = Schema.Struct({
  type: done,
  confirmHash: described(string(255), "The hash that every delivery carries: compare it to authenticate the sender."),
  events: described(Schema.Array(WebhookEvent), "The events that are on.")
}).annotate({ identifier: "WebhooksResponse", description: "The webhook settings as they are now." })

/** The response of reading the settings: those of the edit, and the URL. */
const WebhookSettingsResponse = Schema.Struct({
  url: described(Schema.optionalKey(WebhookUrl), "The address that events go to; absent until one is set."),
  confirmHash: WebhooksResponse.fields.confirmHash,
  events: WebhooksResponse.fields.events
}).annotate({ identifier: "WebhookSettingsResponse", description: "The webhook settings as they are." })

const url = "http://127.0.0.1:8027/"
const events = ["transaction.updateStatus", "subscription.addTransaction"]

/**
 * @category groups
 * @since 0.1.0
 */
export class WebhooksGroup extends HttpApiGroup.make("webhooks")
  .add(
    write("PUT", "edit", "/webhooks", {
      operationId: "editWebhooks",
      scope: "webhooks.write",
      summary: "Edit webhooks",
      description: "Sets the URL that receives events and the complete set of events that are on.",
      payload: EditWebhooks,
      success: WebhooksResponse,
      examples: {
        request: { url, events },
        response: { type: true, confirmHash, events },
        errors: {
          400: failure("The request has a fault", {
            "Webhook.url": ["must be an address that begins with http:// or https://, such as http://127.0.0.1:8142/"]
          })
        }
      }
    }),
    read("get", "/webhooks", {
      operationId: "getWebhooks",
      scope: "webhooks.write",
      summary: "Get webhooks",
      description:
        "Returns the URL that receives events, the events that are on, and the confirmHash. Until a URL is " +
        "set, it is absent and no event is on.",
      success: WebhookSettingsResponse,
      examples: { response: { url, confirmHash, events } }
    })
  )
  .middleware(BearerToken)
  .annotate(FaultEntity, "Webhook")
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhooks",
      description: "The URL that receives events, and the events that are sent."
    })
  ) {}
