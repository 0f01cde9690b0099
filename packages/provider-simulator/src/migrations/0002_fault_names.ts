/**
 * Faults in the ledger have the names that a request and a response are lost by elsewhere.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

const names = { NeverArrived: "RequestLost", AnswerLost: "ResponseLost", AnsweredTwice: "Duplicated" }

/**
 * @category migrations
 * @since 0.1.0
 */
export const faultNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const [before, after] of Object.entries(names)) {
    yield* sql`UPDATE ledger SET fault = ${after} WHERE fault = ${before}`
  }
})
