/**
 * Port: the deliveries that a receiver took, each claimed once.
 *
 * @since 0.1.0
 */
import type { EpochMillis } from "@parcela/core/EpochMillis"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

/**
 * The inbox did not answer, or could not write. Whether the delivery is claimed is unknown.
 *
 * @category errors
 * @since 0.1.0
 */
export class InboxError extends Schema.TaggedError<InboxError>()("InboxError", { cause: Schema.Defect() }) {
  override get message() {
    return "The inbox could not be used: the delivery has to come again"
  }
}

/**
 * A delivery as the inbox keeps it. `body` is JSON text without `confirmHash`.
 *
 * @category models
 * @since 0.1.0
 */
export interface InboxEntry {
  readonly webhookId: string
  readonly event: string
  readonly receivedAt: EpochMillis
  readonly body: string
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Inbox extends Context.Service<
  Inbox,
  {
    /**
     * True the first time an id is claimed, false ever after: for callers at the same time and, where the inbox is
     * durable, after a restart. Once it says true, the entry is kept.
     */
    readonly claim: (entry: InboxEntry) => Effect.Effect<boolean, InboxError>
  }
>()("@parcela/webhooks/Inbox") {}

/**
 * An inbox that forgets with the process, and grows as long as it lives: for tests and demonstrations.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<Inbox> = Layer.sync(Inbox, () => {
  const claimed = new Set<string>()
  return Inbox.of({
    claim: Effect.fn("Inbox.claim")((entry) =>
      Effect.sync(() => {
        const first = !claimed.has(entry.webhookId)
        claimed.add(entry.webhookId)
        return first
      })
    )
  })
})
