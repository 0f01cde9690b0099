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
  /** Whether what becomes of its card's charges is known not to depend on how often it was tried. */
  readonly isUncounted?: boolean
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

const find = "SELECT outcome FROM attempts WHERE attempt_id = ? AND kind = ?"

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
  "created_at",
  "is_counted"
]

const insert = Work.insertInto("attempts", columns)

/**
 * The attempts of one provider, whose outcomes are JSON in the store. What a provider decided is JSON as it stands: it is checked
 * when it is read.
 *
 * @category constructors
 */
export const make = <O>(schema: Schema.Codec<O, O>) => {
  const decode = Schema.decodeUnknownSync(schema)

  /** The outcome of an attempt of a kind. */
  function* recorded(attemptId: AttemptId, kind: Call): Work.Work<O | undefined> {
    const [row] = yield* Work.read<{ outcome: string }>(find, attemptId, kind)
    return row === undefined ? undefined : decode(JSON.parse(row.outcome))
  }

  /** The outcome that an attempt had, or else the one that `decide` returns, received at `now`. */
  function* once<U extends Unheeded = never>(
    asked: Asked,
    now: number,
    decide: () => Work.Work<Fresh<O> | U>
  ): Work.Work<Recorded<O> | U> {
    const { at, attemptId, card = null, companyId, kind, transactionId, value = null } = asked
    const repeat = (outcome: O): Recorded<O> => ({ _tag: "Recorded", outcome, effect: "none", isRepeat: true })
    const earlier = yield* recorded(attemptId, kind)
    if (earlier !== undefined) return repeat(earlier)
    const fresh = yield* decide()
    if ("_tag" in fresh) return fresh
    const { effect, fault, isDisputed = false, isUncounted = false, outcome, tid = null } = fresh
    const isCounted = card === null || isUncounted ? 0 : 1
    const request = [kind, attemptId, companyId, transactionId, card, value]
    const isFirst = yield* Work.claim(insert, ...request, tid, at, JSON.stringify(outcome), now, isCounted)
    if (isFirst) return { _tag: "Recorded", outcome, effect, isRepeat: false, fault, isDisputed }
    // Another request for this attempt was recorded while this one was decided: its outcome counts.
    return repeat((yield* recorded(attemptId, kind)) ?? outcome)
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
