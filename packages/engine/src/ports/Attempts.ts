/**
 * Port: every try to move money or to have a code registered, committed before the outside hears of it.
 *
 * @since 0.1.0
 */
import type { Attempt, AttemptResult } from "@parcela/core/attempts/Attempt"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EpochMillis } from "@parcela/core/time/EpochMillis"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * @category ports
 * @since 0.1.0
 */
export class Attempts extends Context.Service<
  Attempts,
  {
    readonly insert: (attempt: Attempt) => Effect.Effect<void, StoreError>
    readonly find: (id: AttemptId) => Effect.Effect<Option.Option<Attempt>, StoreError>
    /** Ends an attempt with its result; false when it was ended already, and its first result stays. */
    readonly settle: (id: AttemptId, result: AttemptResult) => Effect.Effect<boolean, StoreError>
    /** All attempts of a transaction, first begun first. */
    readonly ofTransaction: (
      companyId: CompanyId,
      transactionId: SvcPayId
    ) => Effect.Effect<ReadonlyArray<Attempt>, StoreError>
    /** The attempts with a card that began at `from` or later, first begun first. */
    readonly ofCard: (
      companyId: CompanyId,
      cardId: SvcPayId,
      from: EpochMillis
    ) => Effect.Effect<ReadonlyArray<Attempt>, StoreError>
  }
>()("@parcela/engine/ports/Attempts") {}
