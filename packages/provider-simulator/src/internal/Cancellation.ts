/**
 * Takes a boleto or a Pix charge back.
 *
 * @since 0.1.0
 */
import type { CancellationOutcome, FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import * as Schema from "effect/Schema"
import * as Attempts from "./Attempts.ts"
import * as Work from "./Work.ts"

const Outcome = Schema.Union([Schema.TaggedStruct("Cancelled", {}), Attempts.DeniedForGood])

/**
 * Cancels what a table holds. What is not there, or was paid, is denied; what was cancelled before stays so.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (table: "boletos" | "pix_charges") => {
  const attempts = Attempts.make(Outcome)
  const cancel = `
    UPDATE ${table} SET canceled_at = ? WHERE transaction_id = ? AND canceled_at IS NULL AND paid_at IS NULL
    RETURNING transaction_id`
  const find = `SELECT paid_at FROM ${table} WHERE transaction_id = ?`

  function* decide({ transactionId }: ProviderRequest, now: number): Work.Work<Attempts.Fresh<CancellationOutcome>> {
    const canceled: Attempts.Fresh<CancellationOutcome> = { outcome: { _tag: "Cancelled" }, effect: "canceled" }
    const changed = yield* Work.write(cancel, now, transactionId)
    if (changed.length > 0) return canceled
    const [there] = yield* Work.read<{ paid_at: number | null }>(find, transactionId)
    if (there === undefined) return unknown
    return there.paid_at === null ? { ...canceled, effect: "none" as const } : paid
  }

  return function* (request: ProviderRequest, now: number, planned: FinalDenial | undefined) {
    const asked = { ...request, kind: "cancel" } as const
    const deciding = () => Attempts.unlessDenied(planned, () => decide(request, now))
    return Attempts.decisionOf(yield* attempts.once<never>(asked, now, deciding), undefined)
  }
}

const unknown: Attempts.Fresh<CancellationOutcome> = {
  outcome: { _tag: "DeniedForGood", code: "notFound", message: "Nothing was registered for the transaction" },
  effect: "none"
}

const paid: Attempts.Fresh<CancellationOutcome> = {
  outcome: { _tag: "DeniedForGood", code: "paid", message: "It was paid" },
  effect: "none"
}
