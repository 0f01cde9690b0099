/**
 * Makes the deliveries that are due: one POST for each try, noted before the next. A company's deliveries go one
 * after the other, in order; companies do not wait for one another.
 *
 * @since 0.1.0
 */
import { EpochMillis } from "@parcela/core/EpochMillis"
import { nextTry } from "@parcela/webhooks/DeliverySchedule"
import { encodeMessage } from "@parcela/webhooks/WebhookMessage"
import { WebhookSender } from "@parcela/webhooks/WebhookSender"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { attended } from "./Attended.ts"
import { Companies } from "./Companies.ts"
import { type Delivery, type DeliveryResult, Outbox } from "./Outbox.ts"
import { Secrets } from "./Secrets.ts"
import { Settings } from "./Settings.ts"
import type { StoreError } from "./StoreError.ts"

/** How many deliveries one look takes on. */
const batch = 64

/**
 * @category services
 * @since 0.1.0
 */
export class DeliveryWorker extends Context.Service<
  DeliveryWorker,
  {
    /** Makes the deliveries that are due now, at most 64; answers how many it tried. */
    readonly deliverDue: Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/DeliveryWorker") {
  static readonly layer: Layer.Layer<DeliveryWorker, never, Companies | Outbox | Secrets | WebhookSender> =
    Layer.effect(
      DeliveryWorker,
      Effect.gen(function* () {
        const companies = yield* Companies
        const outbox = yield* Outbox
        const secrets = yield* Secrets
        const sender = yield* WebhookSender
        const { claim } = yield* Settings

        const attempt = Effect.fnUntraced(function* (delivery: Delivery) {
          const { companyId, event, payload, webhookId } = delivery
          const company = yield* companies.find(companyId)
          const url = Option.getOrUndefined(company)?.webhooks?.url
          if (url === undefined) return "the company has no webhook address"
          const confirmHash = yield* secrets.confirmHash(companyId)
          const secret = yield* secrets.signingSecret(companyId)
          // The outbox numbers from 1 and holds what the recorder encoded, so this cannot be unwritable.
          const body = Result.getOrThrow(encodeMessage({ event, webhookId, confirmHash, payload }))
          const sent = yield* sender.send({ url, body, webhookId, secret })
          return sent._tag === "Accepted" ? undefined : sent.problem
        })

        const deliver = Effect.fnUntraced(function* (delivery: Delivery, claimedUntil: number) {
          // Slow tries before this one used the claim up: another worker may have it by now.
          if ((yield* Clock.currentTimeMillis) >= claimedUntil) return
          const problem = yield* attempt(delivery)
          const now = EpochMillis.make(yield* Clock.currentTimeMillis)
          const result = resultOf(delivery, problem, now)
          if (result._tag === "GivenUp") {
            yield* Effect.logWarning(`Delivery ${delivery.webhookId} is given up: ${result.problem}`)
          }
          yield* outbox.record(delivery.webhookId, result)
        })

        const deliverDue = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const claimedUntil = EpochMillis.make(now + Duration.toMillis(claim))
          const due = yield* outbox.claimDue(EpochMillis.make(now), claimedUntil, batch)
          const byCompany = Map.groupBy(due, ({ companyId }) => companyId)
          yield* Effect.forEach(
            byCompany.values(),
            (own) => Effect.forEach(own, (delivery) => attended(deliver(delivery, claimedUntil)), { discard: true }),
            {
              concurrency: 16,
              discard: true
            }
          )
          return due.length
        })

        return DeliveryWorker.of({ deliverDue })
      })
    )
}

const resultOf = (delivery: Delivery, problem: string | undefined, now: EpochMillis): DeliveryResult => {
  if (problem === undefined) return { _tag: "Delivered", at: now }
  const next = nextTry(delivery.tries + 1, now)
  return next._tag === "TryAt" ? { _tag: "TryAgain", at: next.at, problem } : { _tag: "GivenUp", at: now, problem }
}
