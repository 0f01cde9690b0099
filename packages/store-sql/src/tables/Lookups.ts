/**
 * Tables by which lists and providers find entities: e-mail addresses of customers, own fields of charges, and the names that
 * providers give to transactions.
 *
 * @since 0.1.0
 */
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import { tagAndValueOf } from "@parcela/core/values/Fields"
import type { NewReference } from "@parcela/engine/command/WriteSet"
import * as Shapes from "../sql/Shapes.ts"
import { lookupEmail } from "./Customers.ts"
import type { Entity } from "./Entities.ts"

/** The writes that keep a table of texts equal to those of its entities. */
const lookup = <S extends Entity>(
  table: string,
  { text, owner }: { readonly text: string; readonly owner: string },
  textsOf: (state: S) => ReadonlyArray<string>
): ((before: S | undefined, next: S) => ReadonlyArray<Shapes.RowWrite>) => {
  const newRows = Shapes.rows<{ readonly of: S; readonly text: string }>(table, {
    company_id: ({ of }) => of.companyId,
    [owner]: ({ of }) => of.id,
    [text]: ({ text }) => text
  })
  const deleted: Shapes.DeleteShape = { table, where: ["company_id", owner], among: text }
  return (before, next) => {
    const had = new Set(before === undefined ? [] : textsOf(before))
    const has = new Set(textsOf(next))
    const added = [...has].filter((text) => !had.has(text))
    const removed = [...had].filter((text) => !has.has(text))
    const writes: Array<Shapes.RowWrite> = []
    if (added.length > 0) {
      const rows = added.map((text) => newRows.values({ of: next, text }))
      writes.push({ _tag: "Insert", shape: newRows.shape, rows })
    }
    if (removed.length > 0) {
      writes.push({ _tag: "Delete", shape: deleted, where: [next.companyId, next.id], among: removed })
    }
    return writes
  }
}

/**
 * The changes of a customer's e-mail addresses.
 *
 * @category writes
 * @since 0.1.0
 */
export const emailWrites = lookup<CustomerState>(
  "customer_emails",
  { owner: "customer_id", text: "email" },
  ({ emails = [] }) => emails.map(lookupEmail)
)

/**
 * The changes of a charge's own fields.
 *
 * @category writes
 * @since 0.1.0
 */
export const tagWrites = lookup<ChargeState>(
  "charge_tags",
  { owner: "charge_id", text: "tag" },
  ({ extraFields = [] }) => extraFields.map(tagAndValueOf)
)

/**
 * The names that providers give to transactions. A row may exist already.
 *
 * @category columns
 * @since 0.1.0
 */
export const newReferences = Shapes.rows<NewReference>(
  "external_references",
  {
    kind: ({ kind }) => kind,
    value: ({ value }) => value,
    company_id: ({ companyId }) => companyId,
    transaction_id: ({ transactionId }) => transactionId
  },
  { key: ["kind", "value", "company_id", "transaction_id"], fixed: [] }
)
