/**
 * Giving up a write without losing it: a retry with a deadline, for programs that run Effects as promises.
 */
import type { ParcelaClient } from "@parcela/transport/client/ParcelaClient"
import { UnknownOutcome } from "@parcela/transport/client/ClientError"
import { Effect } from "effect"

export type Retried =
  | { readonly _tag: "Known"; readonly status: string }
  | { readonly _tag: "Unknown"; readonly idempotencyKey: string }

/**
 * The status of a payment after another try. When `signal` fires first, the key to ask again with: the retry was sent,
 * and the card may be charged although nobody waited for it.
 */
export const retryPayment = async (
  client: ParcelaClient["Service"],
  myId: string,
  options: { readonly signal: AbortSignal; readonly idempotencyKey?: string }
): Promise<Retried> => {
  const { idempotencyKey, signal } = options
  const retry = client.transactions.retry({ typeId: "myId", id: myId }, { idempotencyKey })
  try {
    const { Transaction } = await Effect.runPromise(retry, { signal })
    return { _tag: "Known", status: Transaction.status }
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error
    return { _tag: "Unknown", idempotencyKey: error.idempotencyKey }
  }
}
