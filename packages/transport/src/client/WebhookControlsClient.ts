/**
 * The client of the webhook controls, derived from their contract.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import { WebhookOperations } from "../WebhookControls.ts"
import type { CommonOptions } from "./ClientOptions.ts"
import { deriveClient } from "./DeriveClient.ts"

/**
 * The controls of one company, by its client id. Writes have no idempotency key, and nothing is sent twice by itself.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: CommonOptions, clientId: string) =>
  deriveClient(WebhookOperations, {
    retries: 0,
    ...options,
    name: "WebhookControlsClient",
    reading: "strict",
    bound: { clientId }
  })

/**
 * @category models
 * @since 0.1.0
 */
export type WebhookControlsClient = Effect.Success<ReturnType<typeof make>>
