/**
 * What is decided about deliveries that are over.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { Times } from "../ports/Times.ts"
import { type Decided, nothingToWrite } from "../command/Decided.ts"
import type { DeliveryContext, NewReplayContext } from "../command/LoadedCompany.ts"
import { atOnce } from "../ports/DueWork.ts"
import type { WebhookReplay } from "../ports/WebhookReplays.ts"

/**
 * Makes a delivery due again; true when it did.
 *
 * @category decisions
 * @since 0.1.0
 */
export const replay =
  (webhookId: number) =>
  ({ delivery, guard }: DeliveryContext, { machine }: Times): Result.Result<Decided<boolean>> => {
    if (delivery === undefined || !delivery.mayBeReplayed) {
      // Due since this very moment it was made so by this command, whose commit was lost.
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
 * Begins a replay of all that its filter fits.
 *
 * @category decisions
 * @since 0.1.0
 */
export const begin =
  (asked: Pick<WebhookReplay, "companyId" | "filter" | "id">) =>
  ({ latestDelivery, replay }: NewReplayContext, { machine: at }: Times): Result.Result<Decided<WebhookReplay>> => {
    // Its number is its own, so one that is there was written by this command, whose commit was lost.
    if (replay !== undefined) return Result.succeed(nothingToWrite(replay))
    const next = { ...asked, upTo: latestDelivery, after: 0, replayed: 0, isDone: false, createdAt: at }
    const { companyId, id } = asked
    return Result.succeed({
      value: next,
      guards: [],
      changes: [{ table: "webhook_replays", next }],
      events: [],
      schedule: [{ kind: "replay deliveries", companyId, subject: String(id), ...atOnce(at) }]
    })
  }
