/**
 * What making instalments rests on, as part of a load.
 *
 * @since 0.1.0
 */
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { SubscriptionContext } from "./SubscriptionContext.ts"

/**
 * What names instalments that are to be made.
 *
 * @category models
 * @since 0.1.0
 */
export interface InstalmentQuery {
  /** The identifier that the first one gets. */
  readonly firstId: SvcPayId
  /** What they are to be called in the client system, where that was asked for. */
  readonly myIds: ReadonlyArray<MyId>
}

/**
 * What is there of instalments that are to be made.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoundInstalments {
  /** The first one, once it is there: an earlier run wrote it. */
  readonly first: TransactionState | undefined
  /** Those of the `myIds` that other transactions have. */
  readonly takenMyIds: ReadonlySet<MyId>
}

/**
 * A subscription whose instalments are to be made.
 *
 * @category models
 * @since 0.1.0
 */
export interface InstalmentsContext extends SubscriptionContext {
  readonly instalments: FoundInstalments
}
