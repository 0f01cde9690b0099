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
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { LedgerEffect } from "../ProviderLedger.ts"
import { type Call, type Fault, PlannedFaultError, SimulatorFaults, type Subject } from "../SimulatorFaults.ts"
import { SimulatorStore } from "../SimulatorStore.ts"
import * as CompanyRestores from "../CompanyRestores.ts"
import * as SharedCommits from "./SharedCommits.ts"

/** A request as the ledger shows it. */
export interface Received extends Subject {
  readonly kind: Call
  readonly value?: Cents
  readonly at?: BusinessTime
  readonly restores?: number
}

/** What a provider decided, and what the ledger records of it. */
export interface Decision<A> {
  readonly response: A
  readonly outcome: string
  readonly code?: string | undefined
  readonly reference?: string | undefined
  readonly effect: LedgerEffect
  readonly isRepeat: boolean
  /** What befalls the response, where nothing was planned. */
  readonly fault?: Fault | undefined
}

/** The denial that a planned fault wants. */
export interface PlannedDenial extends FinalDenial {
  readonly merchantAdviceCode?: string | undefined
}

/** Nothing is done, and the fault says what the caller gets. */
export class Unheeded extends Data.TaggedError("Unheeded")<{ readonly fault: Fault }> {}

/**
 * A function that hands requests to `provider`. The decision and its line in the ledger are one commit of the provider's
 * store, made before the response is sent; a caller that goes away does not undo it. A request whose company is restored before that commit does nothing. `decide` gets the denial that a planned
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
  const restores = CompanyRestores.of(sql)
  const lost = (cause: unknown) => new ProviderError({ provider, cause })

  const enter = entering(provider, sql)

  /** Whether the request is of the company as it is now. A card is handed over whatever became of the company. */
  const isCurrent = ({ companyId, kind, restores: times = 0 }: Received) =>
    companyId === undefined || kind === "tokenize" ? Effect.void : restores.hold(companyId, times)

  /** Nothing is done. */
  const leave = Effect.fnUntraced(function* (received: Received, fault: Fault) {
    const noted = Effect.andThen(isCurrent(received), enter(received, fault))
    yield* Effect.mapError(sql.withTransaction(noted), lost)
    return yield* fault._tag === "Hang" ? never : struck(provider, fault, `"${received.kind}" is not available (503)`)
  })

  return Effect.fnUntraced(function* <A, E>(
    received: Received,
    decide: (denial: PlannedDenial | undefined) => Effect.Effect<Decision<A>, E>
  ) {
    const { at, kind, restores: _, ...rest } = received
    for (const transaction of transactions) {
      if (Option.isSome(yield* Effect.serviceOption(transaction))) {
        return yield* Effect.die(new Error(`The ${provider} was called inside a database transaction: commit it first`))
      }
    }
    yield* Effect.mapError(isCurrent(received), lost)
    const fault = Option.getOrUndefined(yield* Effect.mapError(faults.take(kind, rest, at), lost))
    if (fault?._tag === "RequestLost") return yield* struck(provider, fault, `"${kind}" never arrived`)
    if (fault !== undefined && isUnheeded(kind, fault)) return yield* leave(received, fault)
    const denial: PlannedDenial | undefined = fault?._tag === "Denied" ? { ...fault, _tag: "DeniedForGood" } : undefined
    const work = Effect.tap(Effect.andThen(isCurrent(received), decide(denial)), (decision) =>
      enter(received, fault ?? decision.fault, decision)
    ).pipe(
      commit,
      Effect.mapError((error): ProviderError | Unheeded => (error instanceof Unheeded ? error : lost(error))),
      Effect.uninterruptible
    )
    const carry = Effect.gen(function* () {
      if (fault?._tag === "Duplicated") yield* work
      const decision = yield* work
      // The second response to what a card made arrive twice.
      const { response } = fault === undefined && decision.fault?._tag === "Duplicated" ? yield* work : decision
      return yield* respond(provider, kind, response, fault ?? decision.fault)
    })
    return yield* Effect.catchTag(carry, "Unheeded", (error) => leave(received, error.fault))
  })
})

/** Writes a request into the ledger. */
const entering = (provider: ProviderError["provider"], sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (received: Received, fault?: Fault, decision?: Decision<unknown>) {
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

const struck = (provider: ProviderError["provider"], { _tag: fault }: Fault, what: string) =>
  new ProviderError({ provider, cause: new PlannedFaultError({ fault, message: `A planned fault: ${what}` }) })

/** The response, as the fault lets it through. */
const respond = Effect.fnUntraced(function* <A>(
  provider: ProviderError["provider"],
  kind: Call,
  response: A,
  fault: Fault | undefined
) {
  if (fault?._tag === "ResponseLost") {
    return yield* struck(provider, fault, `the response to "${kind}" was lost`)
  }
  if (fault?._tag === "Hang") return yield* never
  if (fault?._tag === "Slow") yield* Effect.sleep(fault.delay)
  return response
})

/** The caller's time limit ends it, also where the caller does not let itself be interrupted. */
const never: Effect.Effect<never> = Effect.interruptible(Effect.never)

/** Received, and nothing is done: the provider does not respond, or with a 5xx. */
export const isUnheeded = (kind: Call, fault: Fault): boolean =>
  fault._tag === "Unavailable" ||
  (fault._tag === "Hang" && !fault.isDone) ||
  (fault._tag === "Denied" && (kind === "tokenize" || kind === "lookup"))
