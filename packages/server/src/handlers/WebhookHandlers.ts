/**
 * Edit webhooks (interface section 4.4).
 *
 * @since 0.1.0
 */
import { WebhookEditing } from "@parcela/engine/WebhookEditing"
import { Caller } from "@parcela/transport/Caller"
import { Contract } from "@parcela/transport/Contract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Redacted from "effect/Redacted"
import { asFailures } from "../Refusals.ts"
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
      edit: Effect.fn("webhooks.edit")(function* ({ payload }) {
        const { companyId } = yield* Caller
        const write = Effect.map(webhooks.edit(companyId, payload), ({ confirmHash, events }) => ({
          type: true as const,
          confirmHash: Redacted.value(confirmHash),
          events
        }))
        return yield* underKey({ operation: "webhooks.edit", payload }, asFailures(write))
      })
    })
  })
)
