/**
 * Use case: look at deliveries that were given up, and make them again.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DeliverySignal } from "./DeliverySignal.ts"
import { type DeadLetter, type DeadLetterFilter, type DeliveryTry, Outbox } from "./Outbox.ts"
import type { StoreError } from "./StoreError.ts"

/** How many dead letters a page has at most. */
const longestPage = 100

/**
 * @category services
 * @since 0.1.0
 */
export class DeadLetters extends Context.Service<
  DeadLetters,
  {
    /** A company's dead letters above the number `after`, at most 100 of them. */
    readonly list: (
      companyId: CompanyId,
      filter: DeadLetterFilter,
      after?: number
    ) => Effect.Effect<ReadonlyArray<DeadLetter>, StoreError>
    /** The tries of one delivery of a company, first one first. */
    readonly tries: (companyId: CompanyId, webhookId: number) => Effect.Effect<ReadonlyArray<DeliveryTry>, StoreError>
    /**
     * Makes dead letters due at once, one or by filter, with all tries before them; returns how many. Those whose
     * endpoint is off, or does not want their event any more, stay what they are.
     */
    readonly replay: (companyId: CompanyId, filter: DeadLetterFilter) => Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/DeadLetters") {
  static readonly layer: Layer.Layer<DeadLetters, never, DeliverySignal | Outbox> = Layer.effect(
    DeadLetters,
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const signal = yield* DeliverySignal
      return DeadLetters.of({
        list: Effect.fn("DeadLetters.list")((companyId, filter, after = 0) =>
          outbox.listDead(companyId, filter, after, longestPage)
        ),
        tries: outbox.tries,
        replay: Effect.fn("DeadLetters.replay")(function* (companyId, filter) {
          const now = EpochMillis.make(yield* Clock.currentTimeMillis)
          const replayed = yield* outbox.replay(companyId, filter, now)
          if (replayed > 0) yield* signal.notify
          return replayed
        })
      })
    })
  )
}
