/**
 * Port: replays of deliveries that are under way, each with the place that it has come to. A row is worked on as due work,
 * so a process that is killed leaves it to be gone on with.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { DeliveryFilter } from "./Outbox.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface WebhookReplay {
  readonly id: number
  readonly companyId: CompanyId
  /** Which deliveries, of those that are over. */
  readonly filter: DeliveryFilter & { readonly state: "given_up" | "delivered" }
  /** Deliveries above this number are not replayed: those that were written after it was asked for. */
  readonly upTo: number
  /** The number up to which it has looked. */
  readonly after: number
  readonly replayed: number
  readonly isDone: boolean
  readonly createdAt: MachineTime
}

/**
 * @category ports
 * @since 0.1.0
 */
export class WebhookReplays extends Context.Service<
  WebhookReplays,
  {
    readonly find: (id: number) => Effect.Effect<Option.Option<WebhookReplay>, StoreError>
    /**
     * Looks at the next `limit` deliveries of a replay, makes those due that fit, and notes the place, in one commit. Two
     * at once go on one after the other, so none is made due twice. Returns how many it made due, and the replay as it is
     * then; none when there is no such replay.
     */
    readonly advance: (
      id: number,
      limit: number,
      now: MachineTime
    ) => Effect.Effect<Option.Option<{ readonly replay: WebhookReplay; readonly replayed: number }>, StoreError>
  }
>()("@parcela/engine/ports/WebhookReplays") {}
