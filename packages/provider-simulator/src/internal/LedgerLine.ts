/**
 * The line of a request in the ledger.
 *
 * @since 0.1.0
 */
import type { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { Fault } from "../SimulatorFaults.ts"
import type { Decision, Received, Unheeded } from "./Received.ts"
import { SimulatorStore } from "../SimulatorStore.ts"
import * as Effect from "effect/Effect"

/** Writes a request into the ledger. */
export const write = Effect.fnUntraced(function* (
  provider: ProviderError["provider"],
  received: Received,
  now: number,
  decided: Decision<unknown> | Unheeded,
  fault: Fault | undefined
) {
  const sql = yield* SimulatorStore
  const { at = null, attemptId = null, companyId = null, kind, transactionId = null, value = null } = received
  const { code = null, effect, isRepeat, outcome, reference = null } = decided._tag === "Decision" ? decided : nothing
  const row = {
    provider,
    kind,
    attempt_id: attemptId,
    company_id: companyId,
    transaction_id: transactionId,
    value,
    outcome,
    code,
    reference,
    effect,
    is_repeat: isRepeat ? 1 : 0,
    fault: fault?._tag ?? null,
    at,
    received_at: now
  }
  yield* sql`INSERT INTO ledger ${sql.insert(row)}`
})

/** What the ledger has of a request that was not heeded. */
const nothing = { outcome: null, code: null, effect: "none", reference: null, isRepeat: false }
