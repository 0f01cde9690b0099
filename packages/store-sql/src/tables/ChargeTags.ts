/**
 * The table of the company's own fields of charges, which a list finds charges by. It follows their states.
 *
 * @since 0.1.0
 */
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import { tagAndValueOf } from "@parcela/core/values/ExtraFields"
import type { Columns } from "../internal/EntityTable.ts"

const tagsOf = (state: ChargeState | undefined): ReadonlyArray<string> => [
  ...new Set((state?.extraFields ?? []).map(tagAndValueOf))
]

/**
 * The rows that a charge gets, and the tags that it loses.
 *
 * @category conversions
 * @since 0.1.0
 */
export const tagChanges = (
  before: ChargeState | undefined,
  next: ChargeState
): { readonly added: ReadonlyArray<Columns>; readonly removed: ReadonlyArray<string> } => {
  const had = tagsOf(before)
  const has = tagsOf(next)
  return {
    added: has
      .filter((tag) => !had.includes(tag))
      .map((tag) => ({ company_id: next.companyId, tag, charge_id: next.id })),
    removed: had.filter((tag) => !has.includes(tag))
  }
}
