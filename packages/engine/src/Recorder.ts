/**
 * Writes what a decision made known: the journal, and the deliveries that follow, in the transaction that is open.
 *
 * @since 0.1.0
 */
import { type BillingEvent, webhookEventOf } from "@parcela/core/BillingEvent"
import type { CardState } from "@parcela/core/CardState"
import type { CompanyId } from "@parcela/core/CompanyState"
import type { CustomerState } from "@parcela/core/CustomerState"
import type { EpochMillis } from "@parcela/core/EpochMillis"
import { svcPay } from "@parcela/core/NamingProfile"
import { encodePayload } from "@parcela/webhooks/WebhookMessage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { CurrentKey } from "./CurrentKey.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"
import { Journal } from "./Journal.ts"
import { Outbox } from "./Outbox.ts"
import { Settings, type SettingsShape } from "./Settings.ts"
import type { StoreError } from "./StoreError.ts"
import type { DueWork } from "./ports/DueWork.ts"
import { WebhookEndpoints } from "./ports/WebhookEndpoints.ts"
import { UnitOfWork } from "./UnitOfWork.ts"
import * as HeldPayments from "./workers/HeldPayments.ts"
import * as Views from "./Views.ts"

/**
 * The entities that a delivery shows.
 *
 * @category models
 * @since 0.1.0
 */
export interface Shown extends Views.TransactionParts {
  readonly customer: CustomerState
  /** The subscription's card, which need not be the one that this transaction is paid with. */
  readonly subscriptionCard: CardState | undefined
}

/** The event's entities as text, under the name that the service has on the wire. */
const payloadOf = (shown: Shown, settings: SettingsShape): Result.Result<string, Schema.SchemaError> =>
  Result.map(
    encodePayload({
      Transaction: Views.transaction(shown, settings),
      Subscription: Views.subscriptionOfEvent({ ...shown, card: shown.subscriptionCard }, settings)
    }),
    (text) => (settings.naming.name === svcPay.name ? text : JSON.stringify(settings.naming.toWire(JSON.parse(text))))
  )

/**
 * @category services
 * @since 0.1.0
 */
export class Recorder extends Context.Service<
  Recorder,
  {
    /**
     * Records events of a company. `shown` is what their deliveries carry; events without a delivery need none.
     * `subject` names what was written, for a repeat under the same `Idempotency-Key` after a crash.
     */
    readonly record: (record: {
      readonly companyId: CompanyId
      readonly now: EpochMillis
      readonly events: ReadonlyArray<BillingEvent>
      readonly shown?: Shown
      readonly subject?: string
    }) => Effect.Effect<void, StoreError>
  }
>()("@parcela/engine/Recorder") {
  static readonly layer: Layer.Layer<
    Recorder,
    never,
    DeliverySignal | DueWork | IdempotencyKeys | Journal | Outbox | UnitOfWork | WebhookEndpoints
  > = Layer.effect(
    Recorder,
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const signal = yield* DeliverySignal
      const keys = yield* IdempotencyKeys
      const journal = yield* Journal
      const outbox = yield* Outbox
      const unitOfWork = yield* UnitOfWork
      const settings = yield* Settings
      const followStatus = yield* HeldPayments.makeSchedule

      const announce = Effect.fnUntraced(function* (
        companyId: CompanyId,
        now: EpochMillis,
        events: ReadonlyArray<BillingEvent>,
        shown: Shown
      ) {
        const wanted = yield* endpoints.ofCompany(companyId)
        const caused = events.flatMap((event) => webhookEventOf(event, shown.transaction) ?? [])
        const due = caused.flatMap((event) =>
          // Also for one that is off: they wait until it is on.
          wanted.filter(({ events }) => events.includes(event)).map(({ id }) => ({ event, endpointId: id }))
        )
        if (due.length === 0) return
        // Entities that core's own views made satisfy core's own schemas, or a view is wrong.
        const payload = yield* Effect.orDie(Effect.fromResult(payloadOf(shown, settings)))
        yield* outbox.append(
          due.map(({ endpointId, event }) => ({
            companyId,
            endpointId,
            event,
            transactionId: shown.transaction.id,
            payload,
            createdAt: now
          }))
        )
        yield* unitOfWork.afterCommit(signal.notify)
      })

      return Recorder.of({
        record: Effect.fn("Recorder.record")(function* ({ companyId, events, now, shown, subject }) {
          yield* journal.append(events.map((event) => ({ companyId, at: now, event })))
          yield* followStatus(companyId, events, now)
          if (shown !== undefined) yield* announce(companyId, now, events, shown)
          const key = yield* CurrentKey
          if (subject !== undefined && Option.isSome(key)) {
            yield* keys.noteWritten(companyId, key.value.key, subject)
          }
        })
      })
    })
  )
}
