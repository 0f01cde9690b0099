/**
 * The line of a request in the ledger.
 *
 * @since 0.1.0
 */
import type { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { Fault } from "../SimulatorFaults.ts"
import type { Decision, Received, Unheeded } from "./Received.ts"
import * as Work from "./Work.ts"

const columns = [
  "provider",
  "kind",
  "attempt_id",
  "company_id",
  "transaction_id",
  "value",
  "outcome",
  "code",
  "reference",
  "effect",
  "is_repeat",
  "fault",
  "at",
  "received_at"
]

const insert = Work.insertInto("ledger", columns)

/** Writes a request into the ledger. */
export function* write(
  provider: ProviderError["provider"],
  received: Received,
  now: number,
  decided: Decision<unknown> | Unheeded,
  fault: Fault | undefined
): Work.Work<void> {
  const { at = null, attemptId = null, companyId = null, kind, transactionId = null, value = null } = received
  const about = [provider, kind, attemptId, companyId, transactionId, value]
  const { code = null, effect, isRepeat, outcome, reference = null } = decided._tag === "Decision" ? decided : nothing
  const decision = [outcome, code, reference, effect, isRepeat ? 1 : 0]
  yield* Work.write(insert, ...about, ...decision, fault?._tag ?? null, at, now)
}

/** What the ledger has of a request that was not heeded. */
const nothing = { outcome: null, code: null, effect: "none", reference: null, isRepeat: false }
