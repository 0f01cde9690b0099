/**
 * Use case: list deliveries and their attempts, and replay finished deliveries.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Commands, neverMissing, withoutKey } from "../command/Command.ts"
import { machineNow } from "../ports/WriteContext.ts"
import { type DeliveryFilter, type DeliveryRecord, type DeliveryAttempt, Outbox } from "../ports/Outbox.ts"
import { Sequences } from "../ports/Sequences.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { type WebhookReplay, WebhookReplays } from "../ports/WebhookReplays.ts"
import { DeliverySignal } from "../ports/DeliverySignal.ts"
import * as Decisions from "./ReplayDecisions.ts"
import * as Spans from "../Spans.ts"

/** Maximum number of deliveries per page. */
const maxPageSize = 100

/** Maximum number of deliveries that one replay step reads. A larger step would block other writers for too long. */
const maxStepSize = 500

/**
 * @category services
 * @since 0.1.0
 */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Returns a company's deliveries with ids below `before`, newest first. `limit` is 100 by default and at most. */
    readonly list: (
      companyId: CompanyId,
      filter: DeliveryFilter,
      before?: number,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StoreError>
    /** Returns a company's deliveries with ids above `after`, oldest first. `limit` is 100 by default and at most. */
    readonly follow: (
      companyId: CompanyId,
      filter: DeliveryFilter,
      after: number,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StoreError>
    /** Returns the attempts of one delivery, oldest first, or none if the delivery does not exist. */
    readonly attempts: (
      companyId: CompanyId,
      webhookId: number
    ) => Effect.Effect<Option.Option<ReadonlyArray<DeliveryAttempt>>, StoreError>
    /**
     * Makes a finished delivery (abandoned or accepted) due at once, with the same id and its previous attempts.
     *
     * Returns false if the delivery does not exist or is not finished. Also returns false if its endpoint is disabled
     * or does not subscribe to its event.
     */
    readonly replay: (companyId: CompanyId, webhookId: number) => Effect.Effect<boolean, StoreError>
    /**
     * Starts a replay of all deliveries that match the filter. The default state is `abandoned`.
     *
     * A job runs the replay in steps and continues after a crash. Deliveries that are created later are not included.
     */
    readonly replayAll: (
      companyId: CompanyId,
      filter: Omit<DeliveryFilter, "state"> & { readonly state?: "abandoned" | "delivered" | undefined }
    ) => Effect.Effect<WebhookReplay, StoreError>
    /** Returns a replay of the company with its progress. */
    readonly findReplay: (
      companyId: CompanyId,
      replayId: number
    ) => Effect.Effect<Option.Option<WebhookReplay>, StoreError>
    /** Runs one step of a replay. Returns true when the replay is done. */
    readonly stepReplay: (replayId: number) => Effect.Effect<boolean, StoreError>
  }
>()("@parcela/engine/webhooks/Deliveries") {
  static readonly layer: Layer.Layer<
    Deliveries,
    never,
    Commands | DeliverySignal | Outbox | Sequences | WebhookReplays
  > = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const commands = yield* Commands
      const outbox = yield* Outbox
      const replays = yield* WebhookReplays
      const sequences = yield* Sequences
      const signal = yield* DeliverySignal

      return Deliveries.of({
        list: Spans.fn("Deliveries.list")((companyId, filter, before = Number.MAX_SAFE_INTEGER, limit = maxPageSize) =>
          outbox.list(companyId, filter, before, Math.min(limit, maxPageSize))
        ),
        follow: Spans.fn("Deliveries.follow")((companyId, filter, after, limit = maxPageSize) =>
          outbox.follow(companyId, filter, after, Math.min(limit, maxPageSize))
        ),
        attempts: Spans.fn("Deliveries.attempts")(function* (companyId, webhookId) {
          const [newest] = yield* outbox.list(companyId, {}, webhookId + 1, 1)
          return newest?.webhookId === webhookId
            ? Option.some(yield* outbox.attempts(companyId, webhookId))
            : Option.none()
        }),
        replay: Spans.fn("Deliveries.replay")(function* (companyId, webhookId) {
          const args = { companyId, webhookId }
          const decide = Decisions.replay(webhookId)
          return yield* withoutKey(commands.run({ load: "delivery", args, decide, missing: neverMissing }))
        }),
        replayAll: Spans.fn("Deliveries.replayAll")(function* (companyId, { state = "abandoned", ...filter }) {
          const replayId = yield* sequences.next("replay")
          const decide = Decisions.begin({ id: replayId, companyId, filter: { ...filter, state } })
          const args = { companyId, replayId }
          return yield* withoutKey(commands.run({ load: "newReplay", args, decide, missing: neverMissing }))
        }),
        findReplay: Spans.fn("Deliveries.findReplay")((companyId, replayId) =>
          Effect.map(
            replays.find(replayId),
            Option.filter((replay) => replay.companyId === companyId)
          )
        ),
        stepReplay: Spans.fn("Deliveries.stepReplay")(function* (replayId) {
          const step = yield* replays.advance(replayId, maxStepSize, yield* machineNow)
          if (Option.isNone(step)) return yield* Effect.die(new Error(`Unknown replay ${replayId}`))
          if (step.value.replayed > 0) signal.notify()
          return step.value.replay.isDone
        })
      })
    })
  )
}
