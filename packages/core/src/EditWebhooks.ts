/**
 * The body of "edit webhooks" (interface section 4.4). The interface does not show it; its fields are decided in
 * `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { string } from "./Text.ts"
import { WebhookEvent } from "./WebhookEvent.ts"

const isHttpUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.username === "" && url.password === ""
}

/**
 * The address that deliveries go to: http or https, without credentials in it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const WebhookUrl = string(2048).check(
  Schema.makeFilter(isHttpUrl, {
    expected: "an http or https address without a user name or password",
    toJsonSchema: () => ({ format: "uri" })
  })
)

/**
 * `events` is the whole wanted set: an event that is not listed is switched off.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditWebhooks = Schema.Struct({
  url: WebhookUrl,
  events: Schema.Array(WebhookEvent)
})

/**
 * @category models
 * @since 0.1.0
 */
export type EditWebhooks = typeof EditWebhooks.Type
