/**
 * Port: everything that was ever decided, in order, never changed.
 *
 * @since 0.1.0
 */
import type { BillingEvent } from "@parcela/core/BillingEvent"
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EpochMillis } from "@parcela/core/EpochMillis"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface JournalEntry {
  readonly companyId: CompanyId
  readonly at: EpochMillis
  readonly event: BillingEvent
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Journal extends Context.Service<
  Journal,
  {
    readonly append: (entries: ReadonlyArray<JournalEntry>) => Effect.Effect<void, StoreError>
    /** The company's newest entries, at most `limit`, oldest of them first. */
    readonly latest: (companyId: CompanyId, limit: number) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
  }
>()("@parcela/engine/Journal") {}
