/**
 * Takes a boleto or a Pix charge back.
 *
 * @since 0.1.0
 */
import type { CancellationOutcome, FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SimulatorStore } from "../SimulatorStore.ts"
import * as Attempts from "./Attempts.ts"

const Outcome = Schema.fromJsonString(Schema.Union([Schema.TaggedStruct("Cancelled", {}), Attempts.DeniedForGood]))

/**
 * Cancels what a table holds. What is not there, or was paid, is denied; what was cancelled before stays so.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (table: "boletos" | "pix_charges") {
  const sql = yield* SimulatorStore
  const attempts = yield* Attempts.make(Outcome)

  const decide = Effect.fnUntraced(function* ({ transactionId }: ProviderRequest) {
    const now = yield* Clock.currentTimeMillis
    const canceled: Attempts.Fresh<CancellationOutcome> = { outcome: { _tag: "Cancelled" }, effect: "canceled" }
    const changed = yield* sql`
      UPDATE ${sql(table)} SET canceled_at = ${now}
      WHERE transaction_id = ${transactionId} AND canceled_at IS NULL AND paid_at IS NULL
      RETURNING transaction_id`
    if (changed.length > 0) return canceled
    const [there] = yield* sql<{ paid_at: number | null }>`
      SELECT paid_at FROM ${sql(table)} WHERE transaction_id = ${transactionId}`
    if (there === undefined) return unknown
    return there.paid_at === null ? { ...canceled, effect: "none" as const } : paid
  })

  return Effect.fnUntraced(function* (request: ProviderRequest, planned: FinalDenial | undefined) {
    const asked = { ...request, kind: "cancel" } as const
    const recorded = yield* attempts.once(asked, Attempts.unlessDenied(planned, decide(request)))
    return Attempts.decisionOf(recorded, undefined)
  })
})

const unknown: Attempts.Fresh<CancellationOutcome> = {
  outcome: { _tag: "DeniedForGood", code: "notFound", message: "Nothing was registered for the transaction" },
  effect: "none"
}

const paid: Attempts.Fresh<CancellationOutcome> = {
  outcome: { _tag: "DeniedForGood", code: "paid", message: "It was paid" },
  effect: "none"
}
