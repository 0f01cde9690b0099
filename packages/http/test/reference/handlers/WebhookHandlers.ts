/**
 * Get and edit webhooks (interface section 4.4).
 *
 * @since 0.1.0
 */
import { type EditedWebhooks, WebhookEditing } from "@parcela/engine/usecases/WebhookEditing"
import { Caller } from "@parcela/transport/Caller"
import { Contract } from "@parcela/transport/Contract"
import { WebhooksResponse } from "@parcela/transport/contract/Webhooks"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Redacted from "effect/Redacted"
import { asFailures, storeFailures } from "../Refusals.ts"
import { underKey } from "../Idempotency.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpApiBuilder.group(
  Contract,
  "webhooks",
  Effect.fn(function* (handlers) {
    const webhooks = yield* WebhookEditing
    return handlers.handleAll({
      get: Effect.fn("webhooks.get")(function* () {
        const { companyId } = yield* Caller
        const { confirmHash, events, url } = yield* webhooks.get(companyId)
        return { ...(url === undefined ? {} : { url }), confirmHash: Redacted.value(confirmHash), events }
      }, storeFailures),
      edit: Effect.fn("webhooks.edit")(function* ({ payload }) {
        const { companyId } = yield* Caller
        return yield* underKey({
          command: { operation: "webhooks.edit", payload },
          schema: WebhooksResponse,
          view: ({ confirmHash, events }: EditedWebhooks) => ({
            type: true as const,
            confirmHash: Redacted.value(confirmHash),
            events
          })
        })((key) => asFailures(webhooks.edit(companyId, payload, key)))
      })
    })
  })
)
