/**
 * The outcome of each attempt: a repeated request gets the outcome that it got first, and changes nothing.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import type { VaultToken } from "@parcela/core/cards/CardState"
import type { Cents } from "@parcela/core/money/Cents"
import * as Schema from "effect/Schema"
import type { LedgerEffect } from "../ProviderLedger.ts"
import type { Call, Fault } from "../SimulatorFaults.ts"
import type { Decision, Unheeded } from "./Received.ts"
import * as Work from "./Work.ts"

/** An outcome that an attempt has for the first time. */
export interface Fresh<O> {
  readonly outcome: O
  readonly effect: LedgerEffect
  /** The name of the charge that was made or given back. */
  readonly tid?: string
  /** What befalls the response. */
  readonly fault?: Fault | undefined
  /** Whether its card is one whose charges are disputed. */
  readonly isDisputed?: boolean
}

/** The outcome of an attempt, and what the request that asked for it changed. */
export interface Recorded<O> {
  readonly _tag: "Recorded"
  readonly outcome: O
  readonly effect: LedgerEffect
  readonly isRepeat: boolean
  readonly fault?: Fault | undefined
  /** Whether its card is one whose charges are disputed; undefined where that was not looked up. */
  readonly isDisputed?: boolean
}

/** A request as the record of attempts keeps it. */
export interface Asked extends ProviderRequest {
  readonly kind: Call
  readonly card?: VaultToken
  readonly value?: Cents
}

/** The final no of a provider. */
export const DeniedForGood = Schema.TaggedStruct("DeniedForGood", { code: Schema.String, message: Schema.String })

/** What earlier versions recorded a denial for good as. */
const renamed = [/^\{"_tag":"Refused"/, '{"_tag":"DeniedForGood"'] as const

const find = (kinds: number) =>
  `SELECT outcome FROM attempts WHERE attempt_id = ? AND kind IN (${Array.from({ length: kinds }, () => "?").join(", ")})`

const columns = [
  "kind",
  "attempt_id",
  "company_id",
  "transaction_id",
  "card",
  "value",
  "tid",
  "business_at",
  "outcome",
  "created_at"
]

const insert = `${Work.insertInto("attempts", columns)} ON CONFLICT (kind, attempt_id) DO NOTHING RETURNING kind`

/**
 * The attempts of one provider, whose outcomes are `codec`.
 *
 * @category constructors
 */
export const make = <O>(codec: Schema.Codec<O, string>) => {
  const decode = Schema.decodeSync(codec)
  const encode = Schema.encodeSync(codec)

  function* recorded(kinds: ReadonlyArray<Call>, attemptId: AttemptId): Work.Work<O | undefined> {
    const [row] = yield* Work.read<{ outcome: string }>(find(kinds.length), attemptId, ...kinds)
    return row === undefined ? undefined : decode(row.outcome.replace(...renamed))
  }

  /** The outcome that an attempt had, or else the one that `decide` returns, received at `now`. */
  function* once<U extends Unheeded = never>(
    asked: Asked,
    now: number,
    decide: () => Work.Work<Fresh<O> | U>
  ): Work.Work<Recorded<O> | U> {
    const { at, attemptId, card = null, companyId, kind, transactionId, value = null } = asked
    const repeat = (outcome: O): Recorded<O> => ({ _tag: "Recorded", outcome, effect: "none", isRepeat: true })
    const earlier = yield* recorded([kind], attemptId)
    if (earlier !== undefined) return repeat(earlier)
    const fresh = yield* decide()
    if ("_tag" in fresh) return fresh
    const { effect, fault, isDisputed = false, outcome, tid = null } = fresh
    const request = [kind, attemptId, companyId, transactionId, card, value]
    const inserted = yield* Work.write(insert, ...request, tid, at, encode(outcome), now)
    if (inserted.length > 0) return { _tag: "Recorded", outcome, effect, isRepeat: false, fault, isDisputed }
    // Another request for this attempt was recorded while this one was decided: its outcome counts.
    return repeat((yield* recorded([kind], attemptId)) ?? outcome)
  }

  return { recorded, once }
}

/**
 * The line of the ledger for an attempt.
 *
 * @category getters
 */
export const decisionOf = <O extends { readonly _tag: string; readonly code?: string }>(
  { effect, fault, isRepeat, outcome }: Recorded<O>,
  reference: string | undefined
): Decision<O> => ({
  _tag: "Decision",
  response: outcome,
  outcome: outcome._tag,
  code: outcome.code,
  reference,
  effect,
  isRepeat,
  fault
})

/**
 * What becomes of an attempt that a planned fault may have denied: that denial, or else the outcome of `decide`.
 *
 * @category getters
 */
export function* unlessDenied<O>(
  planned: FinalDenial | undefined,
  decide: () => Work.Work<Fresh<O>>
): Work.Work<Fresh<O | FinalDenial>> {
  return planned === undefined ? yield* decide() : { outcome: planned, effect: "none" }
}
