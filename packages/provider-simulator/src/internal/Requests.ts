/**
 * How a simulated provider takes a request: where planned faults befall it, where it is entered in the ledger, and where
 * every failure becomes the one that a caller of the real thing sees.
 *
 * @since 0.1.0
 */
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { type Call, type Fault, PlannedFaultError, SimulatorFaults } from "../SimulatorFaults.ts"
import { SimulatorStore } from "../SimulatorStore.ts"
import * as CompanyRestores from "../CompanyRestores.ts"
import * as LedgerLine from "./LedgerLine.ts"
import type { Decision, Received, Unheeded } from "./Received.ts"
import type * as Work from "./Work.ts"

/** The denial that a planned fault wants. */
export interface PlannedDenial extends FinalDenial {
  readonly merchantAdviceCode?: string | undefined
}

/** Decides on a request that is received at `now`, in milliseconds since 1970. */
type Decide<A> = (now: number, denial: PlannedDenial | undefined) => Work.Work<Decision<A> | Unheeded>

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
  const lost = (cause: unknown) => (cause instanceof ProviderError ? cause : new ProviderError({ provider, cause }))
  const { isCurrent, run } = working(provider, sql)

  const receive = Effect.fnUntraced(function* <A>(received: Received, decide: Decide<A>) {
    const { at, kind } = received
    yield* isCurrent(received)
    const fault = Option.getOrUndefined(yield* faults.take(kind, received, at))
    if (fault?._tag === "RequestLost") return yield* struck(provider, fault, `"${kind}" never arrived`)
    const isHeeded = fault === undefined || !isUnheeded(kind, fault)
    const work = run(received, fault, isHeeded ? decide : unheeding(fault))
    const decided = yield* work
    const met = faultOf(fault, decided)
    if (met === undefined && decided._tag === "Decision") return decided.response
    // What arrives twice has the second response.
    return yield* respond(provider, kind, met?._tag === "Duplicated" ? yield* work : decided, met)
  }, Effect.mapError(lost))

  return <A>(received: Received, decide: Decide<A>) =>
    Effect.withFiber<A, ProviderError>(({ context }) =>
      transactions.some((transaction) => Context.getOrUndefined(context, transaction) !== undefined)
        ? Effect.die(new Error(`The ${provider} was called inside a database transaction: commit it first`))
        : receive(received, decide)
    )
})

/** What was planned goes before what a card stands for, unless nothing is done because of the card. */
const faultOf = (planned: Fault | undefined, decided: Decision<unknown> | Unheeded): Fault | undefined =>
  decided._tag === "Unheeded" ? decided.fault : (planned ?? decided.fault)

/** Decides nothing. */
const unheeding = (fault: Fault) => () => unheeded(fault)

function* unheeded(fault: Fault): Work.Work<Unheeded> {
  return { _tag: "Unheeded", fault }
}

/** How requests to a provider are worked on in its store. */
const working = (provider: ProviderError["provider"], sql: SimulatorStore["Service"]) => {
  const { unit } = sql
  const restores = CompanyRestores.of(sql)
  /** The company whose state a request rests on; a card is handed over whatever became of its company. */
  const companyOf = ({ companyId, kind }: Received) => (kind === "tokenize" ? undefined : companyId)

  function* work<A>(received: Received, fault: Fault | undefined, decide: Decide<A>, now: number) {
    const companyId = companyOf(received)
    if (companyId !== undefined && !(yield* restores.holding(companyId, received.restores ?? 0))) {
      return new CompanyRestores.RestoredMeanwhile({ companyId })
    }
    const decided = yield* decide(now, fault?._tag === "Denied" ? { ...fault, _tag: "DeniedForGood" } : undefined)
    yield* LedgerLine.write(provider, received, now, decided, faultOf(fault, decided))
    return decided
  }

  return {
    /** Fails where the request is not of the company as it is now. */
    isCurrent: (received: Received) => {
      const companyId = companyOf(received)
      return companyId === undefined ? Effect.void : restores.hold(companyId, received.restores ?? 0)
    },
    /** The decision and its line in the ledger, as one commit; the line alone where the request is not heeded. */
    run: <A>(received: Received, fault: Fault | undefined, decide: Decide<A>) =>
      Effect.uninterruptible(
        Effect.clockWith((clock) => {
          const now = clock.currentTimeMillisUnsafe()
          return Effect.flatMap(
            unit(() => work(received, fault, decide, now)),
            (worked) =>
              worked instanceof CompanyRestores.RestoredMeanwhile ? Effect.fail(worked) : Effect.succeed(worked)
          )
        })
      )
  }
}

const struck = (provider: ProviderError["provider"], { _tag: fault }: Fault, what: string) =>
  new ProviderError({ provider, cause: new PlannedFaultError({ fault, message: `A planned fault: ${what}` }) })

/** The response, as the fault lets it through. */
const respond = Effect.fnUntraced(function* <A>(
  provider: ProviderError["provider"],
  kind: Call,
  decided: Decision<A> | Unheeded,
  fault: Fault | undefined
) {
  if (fault?._tag === "Hang") return yield* never
  if (decided._tag === "Unheeded") return yield* struck(provider, decided.fault, `"${kind}" is not available (503)`)
  if (fault?._tag === "ResponseLost") {
    return yield* struck(provider, fault, `the response to "${kind}" was lost`)
  }
  if (fault?._tag === "Slow") yield* Effect.sleep(fault.delay)
  return decided.response
})

/** The caller's time limit ends it, also where the caller does not let itself be interrupted. */
const never: Effect.Effect<never> = Effect.interruptible(Effect.never)

/** Received, and nothing is done: the provider does not respond, or with a 5xx. */
export const isUnheeded = (kind: Call, fault: Fault): boolean =>
  fault._tag === "Unavailable" ||
  (fault._tag === "Hang" && !fault.isDone) ||
  (fault._tag === "Denied" && (kind === "tokenize" || kind === "lookup"))
