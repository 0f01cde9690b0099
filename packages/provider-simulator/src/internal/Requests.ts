/**
 * How a simulated provider takes a request: where planned faults befall it, where it is entered in the ledger, and where
 * every failure becomes the one that a caller of the real thing sees.
 *
 * @since 0.1.0
 */
import type { Cents } from "@parcela/core/money/Cents"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { LedgerEffect } from "../ProviderLedger.ts"
import { type Call, type Fault, PlannedFaultError, SimulatorFaults, type Subject } from "../SimulatorFaults.ts"
import { SimulatorStore } from "../SimulatorStore.ts"
import * as SharedCommits from "./SharedCommits.ts"

/** A request as the ledger shows it. */
export interface Received extends Subject {
  readonly kind: Call
  readonly value?: Cents
  readonly at?: BusinessTime
}

/** What a provider decided, and what the ledger records of it. */
export interface Decision<A> {
  readonly response: A
  readonly outcome: string
  readonly code?: string | undefined
  readonly reference?: string | undefined
  readonly effect: LedgerEffect
  readonly isRepeat: boolean
}

/**
 * A function that hands requests to `provider`. The decision and its line in the ledger are one commit of the provider's
 * store, made before the response is sent; a caller that goes away does not undo it. `decide` gets the denial that a planned
 * fault wants.
 *
 * **Gotchas**
 *
 * A request from inside an open transaction of the service's client dies: undoing that transaction would not undo what the
 * provider did.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (provider: ProviderError["provider"]) {
  const faults = yield* SimulatorFaults
  const sql = yield* SimulatorStore
  const service = yield* Effect.serviceOption(SqlClient.SqlClient)
  const transactions = [sql, ...Option.toArray(service)].map(({ transactionService }) => transactionService)
  const commit = yield* SharedCommits.make(sql)
  const lost = (cause: unknown) => new ProviderError({ provider, cause })

  const enter = Effect.fnUntraced(function* (received: Received, fault?: Fault, decision?: Decision<unknown>) {
    yield* sql`INSERT INTO ledger ${sql.insert({
      provider,
      kind: received.kind,
      attempt_id: received.attemptId ?? null,
      company_id: received.companyId ?? null,
      transaction_id: received.transactionId ?? null,
      value: received.value ?? null,
      outcome: decision?.outcome ?? null,
      code: decision?.code ?? null,
      reference: decision?.reference ?? null,
      effect: decision?.effect ?? "none",
      is_repeat: decision?.isRepeat === true ? 1 : 0,
      fault: fault?._tag ?? null,
      at: received.at ?? null,
      received_at: yield* Clock.currentTimeMillis
    })}`
  })

  return Effect.fnUntraced(function* <A, E>(
    received: Received,
    decide: (denial: FinalDenial | undefined) => Effect.Effect<Decision<A>, E>
  ) {
    const { kind, ...rest } = received
    for (const transaction of transactions) {
      if (Option.isSome(yield* Effect.serviceOption(transaction))) {
        return yield* Effect.die(new Error(`The ${provider} was called inside a database transaction: commit it first`))
      }
    }
    const fault = Option.getOrUndefined(yield* faults.take(kind, rest))
    const struck = (fault: Fault, what: string) =>
      lost(new PlannedFaultError({ fault: fault._tag, message: `A planned fault: ${what}` }))
    if (fault?._tag === "RequestLost") return yield* struck(fault, `"${kind}" never arrived`)
    if (fault !== undefined && isUnheeded(kind, fault)) {
      yield* Effect.mapError(enter(received, fault), lost)
      return yield* fault._tag === "Hang" ? never : struck(fault, `"${kind}" is not available (503)`)
    }
    const denial: FinalDenial | undefined = fault?._tag === "Denied" ? { ...fault, _tag: "DeniedForGood" } : undefined
    const work = Effect.tap(decide(denial), (decision) => enter(received, fault, decision)).pipe(
      commit,
      Effect.mapError(lost),
      Effect.uninterruptible
    )
    if (fault?._tag === "Duplicated") yield* work
    const { response } = yield* work
    if (fault?._tag === "ResponseLost") return yield* struck(fault, `the response to "${kind}" was lost`)
    if (fault?._tag === "Hang") return yield* never
    if (fault?._tag === "Slow") yield* Effect.sleep(fault.delay)
    return response
  })
})

/** The caller's time limit ends it, also where the caller does not let itself be interrupted. */
const never: Effect.Effect<never> = Effect.interruptible(Effect.never)

/** Received, and nothing is done: the provider does not respond, or with a 5xx. */
const isUnheeded = (kind: Call, fault: Fault): boolean =>
  fault._tag === "Unavailable" ||
  (fault._tag === "Hang" && !fault.isDone) ||
  (fault._tag === "Denied" && (kind === "keep" || kind === "lookup"))
