/**
 * Use case: look at deliveries and their tries, and make those that are over again.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Commands, neverMissing, withoutKey } from "../command/Command.ts"
import { machineNow } from "../ports/Times.ts"
import { type DeliveryFilter, type DeliveryRecord, type DeliveryTry, Outbox } from "../ports/Outbox.ts"
import { Sequences } from "../ports/Sequences.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { type WebhookReplay, WebhookReplays } from "../ports/WebhookReplays.ts"
import { DeliverySignal } from "../ports/DeliverySignal.ts"
import * as Decisions from "./ReplayDecisions.ts"

/** How many deliveries a page has at most. */
const longestPage = 100

/** How many deliveries one step of a replay looks at: no unit keeps other writers waiting for long. */
const replayedAtOnce = 500

/**
 * @category services
 * @since 0.1.0
 */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** A company's deliveries below the number `before`, newest first, at most `limit` of them (100, and no more). */
    readonly list: (
      companyId: CompanyId,
      filter: DeliveryFilter,
      before?: number,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StoreError>
    /** A company's deliveries above the number `after`, oldest first, as many. */
    readonly follow: (
      companyId: CompanyId,
      filter: DeliveryFilter,
      after: number,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StoreError>
    /** The tries of one delivery of a company, first one first; none when there is no such delivery. */
    readonly tries: (
      companyId: CompanyId,
      webhookId: number
    ) => Effect.Effect<Option.Option<ReadonlyArray<DeliveryTry>>, StoreError>
    /**
     * Makes one delivery that is over (given up, or accepted) due at once, under its number and with all tries before it.
     * False when there is none, it is not over, or its endpoint is off or does not want its event.
     */
    readonly replay: (companyId: CompanyId, webhookId: number) => Effect.Effect<boolean, StoreError>
    /**
     * Begins a replay of all that the filter fits, dead letters unless it says `delivered`: it is due work, done step by
     * step, and goes on after a crash where it was. What is written after this moment is not part of it.
     */
    readonly replayAll: (
      companyId: CompanyId,
      filter: Omit<DeliveryFilter, "state"> & { readonly state?: "given_up" | "delivered" | undefined }
    ) => Effect.Effect<WebhookReplay, StoreError>
    /** How far a replay of a company has come. */
    readonly findReplay: (
      companyId: CompanyId,
      replayId: number
    ) => Effect.Effect<Option.Option<WebhookReplay>, StoreError>
    /** Does one step of a replay; true when it is done. */
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
        list: Effect.fn("Deliveries.list")((companyId, filter, before = Number.MAX_SAFE_INTEGER, limit = longestPage) =>
          outbox.list(companyId, filter, before, Math.min(limit, longestPage))
        ),
        follow: Effect.fn("Deliveries.follow")((companyId, filter, after, limit = longestPage) =>
          outbox.follow(companyId, filter, after, Math.min(limit, longestPage))
        ),
        tries: Effect.fn("Deliveries.tries")(function* (companyId, webhookId) {
          const [newest] = yield* outbox.list(companyId, {}, webhookId + 1, 1)
          return newest?.webhookId === webhookId
            ? Option.some(yield* outbox.tries(companyId, webhookId))
            : Option.none()
        }),
        replay: Effect.fn("Deliveries.replay")(function* (companyId, webhookId) {
          const args = { companyId, webhookId }
          const decide = Decisions.replay(webhookId)
          return yield* withoutKey(commands.run({ load: "delivery", args, decide, missing: neverMissing }))
        }),
        replayAll: Effect.fn("Deliveries.replayAll")(function* (companyId, { state = "given_up", ...filter }) {
          const replayId = yield* sequences.next("replay")
          const decide = Decisions.begin({ id: replayId, companyId, filter: { ...filter, state } })
          const args = { companyId, replayId }
          return yield* withoutKey(commands.run({ load: "newReplay", args, decide, missing: neverMissing }))
        }),
        findReplay: Effect.fn("Deliveries.findReplay")((companyId, replayId) =>
          Effect.map(
            replays.find(replayId),
            Option.filter((replay) => replay.companyId === companyId)
          )
        ),
        stepReplay: Effect.fn("Deliveries.stepReplay")(function* (replayId) {
          const step = yield* replays.advance(replayId, replayedAtOnce, yield* machineNow)
          if (Option.isNone(step)) return yield* Effect.die(new Error(`There is no replay ${replayId}`))
          if (step.value.replayed > 0) signal.notify()
          return step.value.replay.isDone
        })
      })
    })
  )
}
