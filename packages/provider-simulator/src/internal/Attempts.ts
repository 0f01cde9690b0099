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
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { LedgerEffect } from "../ProviderLedger.ts"
import type { Call, Fault } from "../SimulatorFaults.ts"
import { SimulatorStore } from "../SimulatorStore.ts"
import type { Decision } from "./Requests.ts"

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

/**
 * The attempts of one provider, whose outcomes are `codec`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* <O>(codec: Schema.Codec<O, string>) {
  const sql = yield* SimulatorStore
  const read = Schema.decodeEffect(codec)
  const write = Schema.encodeEffect(codec)

  const recorded = Effect.fnUntraced(function* (kinds: ReadonlyArray<Call>, attemptId: AttemptId) {
    const [row] = yield* sql<{ outcome: string }>`
      SELECT outcome FROM attempts WHERE attempt_id = ${attemptId} AND ${sql.in("kind", kinds)}`
    return row === undefined ? Option.none() : Option.some(yield* read(row.outcome.replace(...renamed)))
  })

  /** The outcome that an attempt had, or else the one that `decide` returns, in the transaction that is open. */
  const once = Effect.fnUntraced(function* <E>(asked: Asked, decide: Effect.Effect<Fresh<O>, E>) {
    const { attemptId, companyId, kind, transactionId } = asked
    const repeat = (outcome: O): Recorded<O> => ({ outcome, effect: "none", isRepeat: true })
    const earlier = yield* recorded([kind], attemptId)
    if (Option.isSome(earlier)) return repeat(earlier.value)
    const { effect, fault, isDisputed = false, outcome, tid } = yield* decide
    const inserted = yield* sql`
      INSERT INTO attempts ${sql.insert({
        kind,
        attempt_id: attemptId,
        company_id: companyId,
        transaction_id: transactionId,
        card: asked.card ?? null,
        value: asked.value ?? null,
        tid: tid ?? null,
        business_at: asked.at,
        outcome: yield* write(outcome),
        created_at: yield* Clock.currentTimeMillis
      })} ON CONFLICT (kind, attempt_id) DO NOTHING RETURNING kind`
    if (inserted.length > 0) return { outcome, effect, isRepeat: false, fault, isDisputed } satisfies Recorded<O>
    // Another request for this attempt was recorded while this one was decided: its outcome counts.
    return repeat(Option.getOrElse(yield* recorded([kind], attemptId), () => outcome))
  })

  return { recorded, once }
})

/**
 * The line of the ledger for an attempt.
 *
 * @category getters
 * @since 0.1.0
 */
export const decisionOf = <O extends { readonly _tag: string; readonly code?: string }>(
  { outcome, ...rest }: Recorded<O>,
  reference: string | undefined
): Decision<O> => ({ ...rest, response: outcome, outcome: outcome._tag, code: outcome.code, reference })

/**
 * What becomes of an attempt that a planned fault may have denied: that denial, or else the outcome of `decide`.
 *
 * @category getters
 * @since 0.1.0
 */
export const unlessDenied = <O, E>(
  planned: FinalDenial | undefined,
  decide: Effect.Effect<Fresh<O>, E>
): Effect.Effect<Fresh<O | FinalDenial>, E> =>
  planned === undefined ? decide : Effect.succeed({ outcome: planned, effect: "none" })
