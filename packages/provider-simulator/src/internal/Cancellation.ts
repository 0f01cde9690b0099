/**
 * Takes a boleto or a Pix charge back.
 *
 * @since 0.1.0
 */
import type { CancellationOutcome, FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import * as Schema from "effect/Schema"
import * as Attempts from "./Attempts.ts"
import { type InStore, SimulatorStore } from "../SimulatorStore.ts"
import * as Effect from "effect/Effect"

const Outcome = Schema.Union([Schema.TaggedStruct("Cancelled", {}), Attempts.DeniedForGood])

/**
 * Cancels what a table holds. What is not there, or was paid, is denied; what was cancelled before stays so.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (table: "boletos" | "pix_charges") => {
  const attempts = Attempts.make(Outcome)

  const decide = Effect.fnUntraced(function* (
    { transactionId }: ProviderRequest,
    now: number
  ): InStore<Attempts.Fresh<CancellationOutcome>> {
    const sql = yield* SimulatorStore
    const canceled: Attempts.Fresh<CancellationOutcome> = { outcome: { _tag: "Cancelled" }, effect: "canceled" }
    const changed = yield* sql`
      UPDATE ${sql(table)} SET canceled_at = ${now}
      WHERE transaction_id = ${transactionId} AND canceled_at IS NULL AND paid_at IS NULL RETURNING transaction_id`
    if (changed.length > 0) return canceled
    const [there] = yield* sql<{ paid_at: number | null }>`
      SELECT paid_at FROM ${sql(table)} WHERE transaction_id = ${transactionId}`
    if (there === undefined) return unknown
    return there.paid_at === null ? { ...canceled, effect: "none" as const } : paid
  })

  return Effect.fnUntraced(function* (request: ProviderRequest, now: number, planned: FinalDenial | undefined) {
    const asked = { ...request, kind: "cancel" } as const
    const deciding = () => Attempts.unlessDenied(planned, () => decide(request, now))
    return Attempts.decisionOf(yield* attempts.once<never>(asked, now, deciding), undefined)
  })
}

const unknown: Attempts.Fresh<CancellationOutcome> = {
  outcome: { _tag: "DeniedForGood", code: "notFound", message: "Nothing was registered for the transaction" },
  effect: "none"
}

const paid: Attempts.Fresh<CancellationOutcome> = {
  outcome: { _tag: "DeniedForGood", code: "paid", message: "It was paid" },
  effect: "none"
}
