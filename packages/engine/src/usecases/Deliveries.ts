/**
 * Use case: look at deliveries and their tries, and make those that are over again.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { machineNow } from "../commands/Times.ts"
import { DeliverySignal } from "../workers/DeliverySignal.ts"
import { type DeliveryFilter, type DeliveryRecord, type DeliveryTry, Outbox } from "../ports/Outbox.ts"
import { atOnce, DueWork } from "../ports/DueWork.ts"
import { type NewReplay, type WebhookReplay, WebhookReplays } from "../ports/WebhookReplays.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"

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
    /** A company's deliveries below the number `before`, newest first, at most 100 of them. */
    readonly list: (
      companyId: CompanyId,
      filter: DeliveryFilter,
      before?: number
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StoreError>
    /** The tries of one delivery of a company, first one first. */
    readonly tries: (companyId: CompanyId, webhookId: number) => Effect.Effect<ReadonlyArray<DeliveryTry>, StoreError>
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
>()("@parcela/engine/usecases/Deliveries") {
  static readonly layer: Layer.Layer<
    Deliveries,
    never,
    DeliverySignal | DueWork | Outbox | UnitOfWork | WebhookReplays
  > = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const replays = yield* WebhookReplays
      const dueWork = yield* DueWork
      const signal = yield* DeliverySignal
      const unitOfWork = yield* UnitOfWork

      const begin = Effect.fnUntraced(function* (asked: Omit<NewReplay, "upTo">) {
        const { companyId, createdAt } = asked
        const replay = yield* replays.insert({ ...asked, upTo: yield* outbox.latest(companyId) })
        const subject = String(replay.id)
        yield* dueWork.schedule([{ kind: "replay deliveries", companyId, subject, ...atOnce(createdAt) }])
        return replay
      })

      const step = Effect.fnUntraced(function* (replayId: number, now: MachineTime) {
        const replay = Option.getOrUndefined(yield* replays.find(replayId))
        if (replay === undefined) return yield* Effect.die(new Error(`There is no replay ${replayId}`))
        if (replay.isDone) return true
        const { after, companyId, filter, upTo } = replay
        const range = { filter, after, upTo, limit: replayedAtOnce }
        const { next, replayed } = yield* outbox.replay(companyId, range, now)
        const isDone = next === undefined
        yield* replays.advance(replay, { after: next ?? upTo, replayed: replay.replayed + replayed, isDone })
        if (replayed > 0) yield* unitOfWork.afterCommit(signal.notify)
        return isDone
      })

      return Deliveries.of({
        list: Effect.fn("Deliveries.list")((companyId, filter, before = Number.MAX_SAFE_INTEGER) =>
          outbox.list(companyId, filter, before, longestPage)
        ),
        tries: outbox.tries,
        replay: Effect.fn("Deliveries.replay")(function* (companyId, webhookId) {
          const isReplayed = yield* outbox.replayOne(companyId, webhookId, yield* machineNow)
          if (isReplayed) yield* signal.notify
          return isReplayed
        }),
        replayAll: Effect.fn("Deliveries.replayAll")(function* (companyId, { state = "given_up", ...filter }) {
          const createdAt = yield* machineNow
          return yield* unitOfWork.transact(begin({ companyId, filter: { ...filter, state }, createdAt }))
        }),
        findReplay: Effect.fn("Deliveries.findReplay")((companyId, replayId) =>
          Effect.map(
            replays.find(replayId),
            Option.filter((replay) => replay.companyId === companyId)
          )
        ),
        stepReplay: Effect.fn("Deliveries.stepReplay")(function* (replayId) {
          return yield* unitOfWork.transact(step(replayId, yield* machineNow))
        })
      })
    })
  )
}
