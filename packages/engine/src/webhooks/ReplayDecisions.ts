/**
 * The decisions about replays of finished deliveries.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { Times } from "../ports/WriteContext.ts"
import { type Decided, nothingToWrite } from "../command/Decided.ts"
import type { DeliveryContext, NewReplayContext } from "../command/LoadedCompany.ts"
import { atOnce } from "../ports/DueWork.ts"
import type { WebhookReplay } from "../ports/WebhookReplays.ts"

/**
 * Makes a delivery due again. Returns true if the delivery changed.
 *
 * @category decisions
 * @since 0.1.0
 */
export const replay =
  (webhookId: number) =>
  ({ delivery, guard }: DeliveryContext, { machine }: Times): Result.Result<Decided<boolean>> => {
    if (delivery === undefined || !delivery.mayBeReplayed) {
      // Pending since exactly this time: this command made it due, and the reply to its commit was lost.
      return Result.succeed(nothingToWrite(delivery?.pendingSince === machine))
    }
    return Result.succeed({
      value: true,
      guards: [guard],
      changes: [],
      replayed: [webhookId],
      events: [{ _tag: "DeliveryReplayed", endpointId: delivery.endpointId, webhookId }]
    })
  }

/**
 * Starts a replay of all deliveries that match its filter.
 *
 * @category decisions
 * @since 0.1.0
 */
export const begin =
  (request: Pick<WebhookReplay, "companyId" | "filter" | "id">) =>
  ({ latestDelivery, replay }: NewReplayContext, { machine: at }: Times): Result.Result<Decided<WebhookReplay>> => {
    // The id is unique, so this command wrote the replay, and the reply to its commit was lost.
    if (replay !== undefined) return Result.succeed(nothingToWrite(replay))
    const next = { ...request, upTo: latestDelivery, after: 0, replayed: 0, isDone: false, createdAt: at }
    const { companyId, id } = request
    return Result.succeed({
      value: next,
      guards: [],
      changes: [{ table: "webhook_replays", next }],
      events: [],
      schedule: [{ kind: "replay deliveries", companyId, subject: String(id), ...atOnce(at) }]
    })
  }
