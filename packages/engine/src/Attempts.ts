/**
 * Port: every try to move money or to have a code registered, committed before the outside hears of it.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EpochMillis } from "@parcela/core/EpochMillis"
import type { SvcPayId } from "@parcela/core/Identifier"
import type { AttemptId } from "@parcela/core/TransactionState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Attempt {
  readonly id: AttemptId
  readonly companyId: CompanyId
  readonly transactionId: SvcPayId
  readonly startedAt: EpochMillis
  /** Until then the process that began it works on it; from then on it is due work, and may be resolved by any. */
  readonly claimedUntil: EpochMillis
  readonly settledAt?: EpochMillis | undefined
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Attempts extends Context.Service<
  Attempts,
  {
    readonly insert: (attempt: Attempt) => Effect.Effect<void, StoreError>
    readonly find: (id: AttemptId) => Effect.Effect<Option.Option<Attempt>, StoreError>
    /** Ends an attempt; false when it was ended already. */
    readonly settle: (id: AttemptId, now: EpochMillis) => Effect.Effect<boolean, StoreError>
  }
>()("@parcela/engine/Attempts") {}
