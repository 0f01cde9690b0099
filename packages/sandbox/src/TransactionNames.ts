/**
 * The `myId` of transactions that a page of a control lists by number.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Transactions } from "@parcela/engine/ports/Transactions"
import * as Effect from "effect/Effect"

interface Numbered {
  readonly transactionId?: number | null | undefined
}

/**
 * Adds the `myId` of its transaction to each item of a page, with one query. An item without a transaction has no
 * `myId`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.map(Transactions, (transactions) =>
  Effect.fnUntraced(function* <A extends Numbered>(companyIds: ReadonlyArray<CompanyId>, items: ReadonlyArray<A>) {
    const ids = new Set(items.flatMap(({ transactionId }) => transactionId ?? []))
    const found = yield* transactions.ofIds(
      companyIds,
      Array.from(ids, (id) => SvcPayId.make(id))
    )
    const names = new Map<number, string>(found.map(({ id, myId }) => [id, myId]))
    return items.map((item): A & { readonly transactionMyId?: string } => {
      const transactionMyId = names.get(item.transactionId ?? 0)
      return transactionMyId === undefined ? item : { ...item, transactionMyId }
    })
  })
)
