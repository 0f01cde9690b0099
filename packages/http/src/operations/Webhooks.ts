/**
 * Reads and edits webhook settings (interface section 4.4).
 *
 * @since 0.1.0
 */
import { type EditedWebhooks, WebhookEditing } from "@parcela/engine/webhooks/EndpointChanges"
import type { WebhooksGroup } from "@parcela/transport/contract/Webhooks"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Operations } from "../ContractRoutes.ts"

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<Operations<typeof WebhooksGroup>, never, WebhookEditing> = Effect.map(
  WebhookEditing,
  (webhooks) => ({
    "webhooks.get": ({ client }) =>
      Effect.map(webhooks.get(client.companyId), ({ confirmHash, events, url }) => ({
        ...(url === undefined ? {} : { url }),
        confirmHash: Redacted.value(confirmHash),
        events
      })),
    "webhooks.edit": ({ client, payload, underKey }) =>
      underKey(
        ({ confirmHash, events }: EditedWebhooks) => ({
          type: true as const,
          confirmHash: Redacted.value(confirmHash),
          events
        }),
        (key) => webhooks.edit(client.companyId, payload, key)
      )
  })
)
