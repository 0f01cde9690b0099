/**
 * The table of the company's own fields of charges, which a list finds charges by. It follows their states.
 *
 * @since 0.1.0
 */
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import { tagAndValueOf } from "@parcela/core/values/ExtraFields"
import * as Shapes from "../internal/Shapes.ts"

/**
 * A field of a charge that it is found by.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChargeTag extends Pick<ChargeState, "companyId" | "id"> {
  readonly tag: string
}

/**
 * New rows.
 *
 * @category columns
 * @since 0.1.0
 */
export const newChargeTags = Shapes.rows<ChargeTag>("charge_tags", {
  company_id: ({ companyId }) => companyId,
  tag: ({ tag }) => tag,
  charge_id: ({ id }) => id
})

/**
 * Rows of a charge that are gone.
 *
 * @category columns
 * @since 0.1.0
 */
export const goneChargeTags: Shapes.DeleteShape = {
  table: "charge_tags",
  where: ["company_id", "charge_id"],
  among: "tag"
}

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
): { readonly added: ReadonlyArray<ChargeTag>; readonly removed: ReadonlyArray<string> } => {
  const had = tagsOf(before)
  const has = tagsOf(next)
  return {
    added: has.filter((tag) => !had.includes(tag)).map((tag) => ({ companyId: next.companyId, id: next.id, tag })),
    removed: had.filter((tag) => !has.includes(tag))
  }
}
