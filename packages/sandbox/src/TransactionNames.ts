/**
 * Finds the transaction that a control names (by its number, by its `myId`, or by the `myId` of its charge), and adds the
 * `myId` of its transaction to each item of a page.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type EntityRef, SvcPayId } from "@parcela/core/values/Identifier"
import { Charges } from "@parcela/engine/ports/Charges"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { NotFound } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeFind = Effect.gen(function* () {
  const charges = yield* Charges
  const transactions = yield* Transactions
  const notFound = refusal(transactions)

  return Effect.fnUntraced(function* (companyId: CompanyId, ref: EntityRef) {
    const found = yield* transactions.find(companyId, ref)
    if (Option.isSome(found)) return found.value
    const charge = ref.typeId === "myId" ? Option.getOrUndefined(yield* charges.find(companyId, ref)) : undefined
    const [payment] = charge === undefined ? [] : yield* transactions.ofCharges(companyId, [charge.id])
    return payment?.transaction ?? (yield* notFound(companyId, ref))
  })
})

/** Maximum number of transactions that an error names. */
const named = 10

const refusal = (transactions: Transactions["Service"]) =>
  Effect.fnUntraced(function* (companyId: CompanyId, ref: EntityRef) {
    const page = { startAt: 0, limit: named + 1, order: [{ field: "createdAt", direction: "desc" }] } as const
    const latest = yield* transactions.list(companyId, {}, page)
    const names = latest.map(({ owner, transaction }) =>
      owner._tag === "Charge" ? owner.charge.myId : transaction.myId
    )
    const what = ref.typeId === "myId" ? `transaction or charge "${ref.id}"` : `transaction ${ref.id}`
    const shown = names.length > named ? [...names.slice(0, named), ".."] : names
    const there = names.length === 0 ? ": it has none at all" : `. The latest are: ${shown.join(", ")}`
    return yield* new NotFound({ message: `The company has no ${what}${there}` })
  })

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
export const makeNames = Effect.map(Transactions, (transactions) =>
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
