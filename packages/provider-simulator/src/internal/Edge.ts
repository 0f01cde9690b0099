/**
 * The way from the caller to a simulated provider and back: where faults befall a call, and where every failure
 * becomes the one that a caller of the real thing sees.
 *
 * @since 0.1.0
 */
import { OutsideError } from "@parcela/engine/OutsideError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { type Call, SimulatorFaults } from "../SimulatorFaults.ts"

/**
 * A function that sends a call over the way to `party`.
 *
 * **Gotchas**
 *
 * A call inside an open transaction of the same client dies: undoing that transaction would undo what the provider
 * did, which no provider allows.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (party: OutsideError["party"]) {
  const faults = yield* SimulatorFaults
  const { transactionService } = yield* SqlClient.SqlClient
  const lost = (cause: unknown) => new OutsideError({ party, cause })

  return Effect.fnUntraced(function* <A, E>(call: Call, work: Effect.Effect<A, E>) {
    if (Option.isSome(yield* Effect.serviceOption(transactionService))) {
      return yield* Effect.die(new Error(`The ${party} was called inside a database transaction: commit it first`))
    }
    const fault = Option.getOrUndefined(yield* faults.take(call))
    if (fault?._tag === "NeverArrived") return yield* lost(`A planned fault: "${call}" never arrived`)
    const answer = yield* Effect.mapError(work, lost)
    if (fault?._tag === "AnswerLost") return yield* lost(`A planned fault: the answer to "${call}" was lost`)
    if (fault?._tag === "Slow") yield* Effect.sleep(fault.delay)
    return answer
  })
})
