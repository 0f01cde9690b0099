/**
 * Port: sends one try of a delivery. `node/NodeWebhookSender` is its adapter.
 *
 * @since 0.1.0
 */
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { WebhookSecret } from "./WebhookSecret.ts"

/**
 * How a try ended. `problem` is one short sentence without address, body or secret, to be kept with the delivery.
 *
 * - `Accepted`: a 2xx came in time
 * - `Refused`: another status came in time; a redirect is one, since it is not followed
 * - `NoResponse`: no status came; whether the receiver got the delivery is unknown
 * - `Defect`: a fault of ours, which says nothing of the receiver
 *
 * @category models
 * @since 0.1.0
 */
export type SendResult =
  | { readonly _tag: "Accepted"; readonly status: number }
  | {
      readonly _tag: "Refused"
      readonly status: number
      readonly problem: string
      /** The pause that the receiver asks for. */
      readonly retryAfter?: Duration.Duration
    }
  | { readonly _tag: "NoResponse"; readonly problem: string }
  | { readonly _tag: "Defect"; readonly problem: string; readonly defect: unknown }

/**
 * What a fault of ours comes to.
 *
 * @category constructors
 * @since 0.1.0
 */
export const defective = (defect: unknown): SendResult => ({
  _tag: "Defect",
  problem: "The delivery could not be made: a defect of this service",
  defect
})

/**
 * @category models
 * @since 0.1.0
 */
export interface SendOptions {
  readonly url: string
  readonly body: string
  readonly webhookId: number
  /** It is signed with each of them: during a rotation, the new one and the old one. */
  readonly secrets: Arr.NonEmptyReadonlyArray<WebhookSecret>
}

/**
 * @category ports
 * @since 0.1.0
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Sends one signed POST. Interruption closes the connection. */
    readonly send: (options: SendOptions) => Effect.Effect<SendResult>
  }
>()("@parcela/webhooks/WebhookSender") {}
