/**
 * Which (filter, order) pairs of each list an index serves without sorting. `Listing` decides by this table, a test holds
 * the databases to it, and `docs/lists-and-indexes.md` is written from it.
 *
 * @since 0.1.0
 */

/**
 * A list narrowed by `filter` alone and in the order of `order`, in either direction, reads an index and stops at the
 * end of the page.
 *
 * @category models
 * @since 0.1.0
 */
export interface ServedPair {
  /** A filter of the port, or `none` when the list is not narrowed. */
  readonly filter: string
  /** With how many values: the rows of one value lie in the order of their identifiers, those of two do not. */
  readonly values: "none" | "one" | "range"
  /** The first column of the order; ties are broken by identifier in the same direction. */
  readonly order: string
  /** The columns of the index, in order. */
  readonly index: ReadonlyArray<string>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface ListIndexes {
  readonly table: string
  /** The columns that hold text; the others hold whole numbers. */
  readonly text: ReadonlyArray<string>
  readonly pairs: ReadonlyArray<ServedPair>
}

const unfiltered = (order: string): ServedPair => ({
  filter: "none",
  values: "none",
  order,
  index: order === "id" ? ["company_id", "id"] : ["company_id", order, "id"]
})

const one = (filter: string, column: string): ServedPair => ({
  filter,
  values: "one",
  order: "id",
  index: ["company_id", column, "id"]
})

const range = (filter: string, column: string): ServedPair => ({
  filter,
  values: "range",
  order: column,
  index: ["company_id", column, "id"]
})

/**
 * @category tables
 * @since 0.1.0
 */
export const subscriptions: ListIndexes = {
  table: "subscriptions",
  text: ["my_id", "status"],
  pairs: [
    unfiltered("id"),
    unfiltered("created_at"),
    unfiltered("updated_at"),
    one("customer", "customer_id"),
    one("status", "status"),
    range("created", "created_at"),
    range("createdOrUpdated", "updated_at")
  ]
}

/**
 * @category tables
 * @since 0.1.0
 */
export const transactions: ListIndexes = {
  table: "transactions",
  text: ["my_id", "status", "payday"],
  pairs: [
    unfiltered("id"),
    unfiltered("created_at"),
    unfiltered("payday"),
    one("subscription", "subscription_id"),
    one("customer", "customer_id"),
    one("status", "status"),
    range("created", "created_at"),
    range("statusChanged", "status_at"),
    range("payday", "payday")
  ]
}
