/**
 * Port: replays of deliveries and their progress. A job runs each replay, so it continues after a crash.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/Instant"
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
  /** Selects finished deliveries. */
  readonly filter: DeliveryFilter & { readonly state: "abandoned" | "delivered" }
  /** The highest delivery number at the start of the replay. Later deliveries are not replayed. */
  readonly upTo: number
  /** The delivery number up to which the replay has progressed. */
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
     * Reads the next `limit` deliveries of a replay, makes the matching ones due, and stores the progress, in one
     * commit. Concurrent calls run one after the other, so no delivery is replayed twice. Returns none if the replay
     * does not exist.
     */
    readonly advance: (
      id: number,
      limit: number,
      now: MachineTime
    ) => Effect.Effect<Option.Option<{ readonly replay: WebhookReplay; readonly replayed: number }>, StoreError>
  }
>()("@parcela/engine/ports/WebhookReplays") {}
