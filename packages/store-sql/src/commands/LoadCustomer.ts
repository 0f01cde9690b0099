/**
 * What the loads of a customer bring beside it: the customer with the document that it is to get, and its standing.
 *
 * @since 0.1.0
 */
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { CustomerStanding } from "@parcela/core/customers/CustomerStatus"
import type { WithDocument } from "@parcela/engine/command/Loads"
import * as Result from "effect/Result"
import { customers, owedFrom, standingOf } from "../tables/Customers.ts"
import { stateColumns, stateOf } from "./Load.ts"
import { type Beside, joined } from "./LoadEntity.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const sameDocument: Beside<WithDocument, { readonly sameDocument: CustomerState | undefined }> = {
  columns: [stateColumns("same_document")],
  joins: ({ bind }) =>
    joined("customers", "same_document", `same_document.document = ${bind(({ document }) => document ?? null)}`),
  read: (row) => ({ sameDocument: stateOf(customers, "same_document", row)?.state })
}

/**
 * The same, with the standing of the customer that is loaded.
 *
 * @category loads
 * @since 0.1.0
 */
export const sameDocumentAndStanding: Beside<
  WithDocument,
  { readonly sameDocument: CustomerState | undefined; readonly standing: CustomerStanding }
> = {
  columns: [...sameDocument.columns, "entity.contracts", `${owedFrom("company.id", "entity.id")} AS owed_from`],
  joins: sameDocument.joins,
  read: (row) => ({ ...sameDocument.read(row), standing: Result.getOrThrow(standingOf(row)) })
}
