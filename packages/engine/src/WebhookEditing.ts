/**
 * Use case: change the webhook address and switch events on or off (interface section 4.4).
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EditWebhooks } from "@parcela/core/EditWebhooks"
import { EpochMillis } from "@parcela/core/EpochMillis"
import type { WebhookEvent } from "@parcela/core/WebhookEvent"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { CurrentKey } from "./CurrentKey.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { DueWork } from "./ports/DueWork.ts"
import { WebhookEndpoints } from "./ports/WebhookEndpoints.ts"
import { Recorder } from "./Recorder.ts"
import { Secrets } from "./Secrets.ts"
import type { StoreError } from "./StoreError.ts"
import { UnitOfWork } from "./UnitOfWork.ts"
import { subjectOf } from "./workers/Continued.ts"
import { giveUpWork } from "./workers/UnwantedDeliveries.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class WebhookEditing extends Context.Service<
  WebhookEditing,
  {
    /** Replaces address and events; returns what is switched on, and the company's `confirmHash`. */
    readonly edit: (
      companyId: CompanyId,
      command: EditWebhooks
    ) => Effect.Effect<
      { readonly confirmHash: Redacted.Redacted; readonly events: ReadonlyArray<WebhookEvent> },
      StoreError
    >
  }
>()("@parcela/engine/WebhookEditing") {
  static readonly layer: Layer.Layer<
    WebhookEditing,
    never,
    DeliverySignal | DueWork | Recorder | Secrets | UnitOfWork | WebhookEndpoints
  > = Layer.effect(
    WebhookEditing,
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const dueWork = yield* DueWork
      const recorder = yield* Recorder
      const secrets = yield* Secrets
      const signal = yield* DeliverySignal
      const unitOfWork = yield* UnitOfWork

      const write = Effect.fnUntraced(function* (companyId: CompanyId, { events, url }: EditWebhooks) {
        const now = EpochMillis.make(yield* Clock.currentTimeMillis)
        const webhooks = { url, events: [...new Set(events)] }
        const endpoint = yield* endpoints.put(companyId, webhooks, now)
        // What was switched off is not sent any more, least of all to an address that never asked for it.
        yield* dueWork.schedule([giveUpWork(companyId, subjectOf({ id: endpoint.id }), now)])
        yield* unitOfWork.afterCommit(signal.notify)
        yield* recorder.record({
          companyId,
          now,
          events: [{ _tag: "WebhooksEdited", ...webhooks }],
          subject: "webhooks"
        })
        return webhooks.events
      })

      return WebhookEditing.of({
        edit: Effect.fn("WebhookEditing.edit")(function* (companyId, command) {
          const key = yield* CurrentKey
          // An earlier run under this key wrote these very settings, and a later edit may have replaced them since.
          const isWritten = Option.exists(key, ({ written }) => Option.isSome(written))
          const events = isWritten
            ? [...new Set(command.events)]
            : yield* unitOfWork.transact(write(companyId, command))
          return { confirmHash: yield* secrets.confirmHash(companyId), events }
        })
      })
    })
  )
}
