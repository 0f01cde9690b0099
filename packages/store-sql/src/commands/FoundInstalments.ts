/**
 * What is there of instalments that are to be made, as part of a load.
 *
 * @since 0.1.0
 */
import { MyId } from "@parcela/core/values/Identifier"
import type { FoundInstalments, InstalmentQuery } from "@parcela/engine/command/LoadedPayments"
import * as Schema from "effect/Schema"
import * as JsonText from "../internal/JsonText.ts"
import { transactions } from "../tables/Transactions.ts"
import { none, orThrow, stateColumns, stateOf } from "./Load.ts"
import type { Asking, Row } from "./Statement.ts"

/**
 * @category columns
 * @since 0.1.0
 */
export const instalmentColumns = (query: Asking<InstalmentQuery | undefined>): ReadonlyArray<string> => {
  if (!query.has((asked) => asked)) return []
  const { bind, dialect } = query
  const taken = `(SELECT my_id FROM transactions WHERE company_id = company.id
    AND my_id IN ${dialect.textsOf(bind((asked) => JSON.stringify(asked?.myIds ?? [])))}) AS taken`
  return [stateColumns("first_made"), `${dialect.jsonRows({ my_id: "my_id" }, taken)} AS taken_my_ids`]
}

/**
 * Joins of `instalmentColumns`.
 *
 * @category joins
 * @since 0.1.0
 */
export const instalmentJoins = (query: Asking<InstalmentQuery | undefined>): string =>
  query.has((asked) => asked)
    ? `
  LEFT JOIN transactions AS first_made
    ON first_made.company_id = company.id AND first_made.id = ${query.bind((asked) => asked?.firstId ?? null)}`
    : ""

const decodeTaken = JsonText.decode(Schema.Array(Schema.Struct({ my_id: MyId })))

/**
 * @category conversions
 * @since 0.1.0
 */
export const instalmentsOf = (row: Row): FoundInstalments => {
  const first = stateOf(transactions, "first_made", row)
  const taken = row["taken_my_ids"]
  return {
    first: first?.state,
    takenMyIds: new Set(
      taken === none || taken === undefined
        ? []
        : orThrow(decodeTaken(taken), "transactions").map(({ my_id: myId }) => myId)
    )
  }
}
