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
import type { ReplayRange } from "./Outbox.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface NewReplay {
  readonly companyId: CompanyId
  readonly filter: ReplayRange["filter"]
  /** Deliveries above this number are not replayed: those that were written after it was asked for. */
  readonly upTo: number
  readonly createdAt: MachineTime
}

/**
 * @category models
 * @since 0.1.0
 */
export interface WebhookReplay extends NewReplay {
  readonly id: number
  /** The number up to which it has looked. */
  readonly after: number
  readonly replayed: number
  readonly isDone: boolean
}

/**
 * @category ports
 * @since 0.1.0
 */
export class WebhookReplays extends Context.Service<
  WebhookReplays,
  {
    readonly insert: (replay: NewReplay) => Effect.Effect<WebhookReplay, StoreError>
    readonly find: (id: number) => Effect.Effect<Option.Option<WebhookReplay>, StoreError>
    /**
     * Notes how far it has come since it was read as `before`. Where another worker went on with it meanwhile it fails
     * with `Changed`, and the unit runs again.
     */
    readonly advance: (
      before: WebhookReplay,
      next: Pick<WebhookReplay, "after" | "replayed" | "isDone">
    ) => Effect.Effect<void, StoreError>
  }
>()("@parcela/engine/ports/WebhookReplays") {}
