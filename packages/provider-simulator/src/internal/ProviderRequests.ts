/**
 * The handling of a request by a simulated provider: injected failures, the idempotent outcome of an attempt, and the entry
 * in the ledger. Decision and ledger entry are one transaction of the providers' store, committed before the response.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import type { VaultToken } from "@parcela/core/cards/CardDecider"
import type { Cents } from "@parcela/core/money/Cents"
import type { BusinessTime } from "@parcela/core/time/Instant"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { type Call, type Fault, InjectedFailureError, InjectedFailures, type Subject } from "../InjectedFailures.ts"
import type { LedgerEffect } from "../ProviderLedger.ts"
import { SimulatorStore } from "../SimulatorStore.ts"
import * as Transaction from "../StoreTransactions.ts"

/** A request as the ledger shows it. */
export interface ReceivedRequest extends Subject {
  readonly kind: Call
  readonly value?: Cents
  readonly at?: BusinessTime
  readonly restores?: number
}

/** The decision of a provider, with the columns of its ledger entry. */
export interface Decision<A> {
  readonly _tag: "Decision"
  readonly response: A
  readonly outcome: string
  readonly code?: string | undefined
  readonly reference?: string | undefined
  readonly effect: LedgerEffect
  readonly isRepeat: boolean
  /** The failure that the test card stands for. A planned failure replaces it. */
  readonly fault?: Fault | undefined
}

/** The provider ignored the request. */
export interface Ignored {
  readonly _tag: "Ignored"
  readonly fault: Fault
}

/** The denial of a planned failure. */
export interface PlannedDenial extends FinalDenial {
  readonly merchantAdviceCode?: string | undefined
}

/** Decides on a request that was received at `now`, in milliseconds since 1970. */
type Decide<A> = (now: number, denial: PlannedDenial | undefined) => Transaction.Body<Decision<A> | Ignored>

/**
 * Returns the function that passes requests to `provider`. An interrupted caller does not undo the transaction. A request
 * writes nothing if its company was restored after the request was sent.
 *
 * **Gotchas**
 *
 * A request from inside an open transaction of the service dies: a rollback would not undo the provider's work.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeReceive = Effect.fnUntraced(function* (provider: ProviderError["provider"]) {
  const failures = yield* InjectedFailures
  const sql = yield* SimulatorStore
  const service = yield* Effect.serviceOption(SqlClient.SqlClient)
  const transactions = [sql, ...Option.toArray(service)].map(({ transactionService }) => transactionService)
  const lost = (cause: unknown) => (cause instanceof ProviderError ? cause : new ProviderError({ provider, cause }))
  const { checkRestores, commit } = committing(provider, sql)

  const receive = Effect.fnUntraced(function* <A>(received: ReceivedRequest, decide: Decide<A>) {
    const { at, kind } = received
    yield* checkRestores(received)
    const planned = Option.getOrUndefined(yield* failures.take(kind, received, at))
    if (planned?._tag === "RequestLost") return yield* failed(provider, planned, `"${kind}" never arrived`)
    const isProcessed = planned === undefined || !isIgnored(kind, planned)
    const work = commit(received, planned, isProcessed ? decide : ignoring(planned))
    const decided = yield* work
    const fault = faultOf(planned, decided)
    if (fault === undefined && decided._tag === "Decision") return decided.response
    // The client of a duplicated request receives the second response.
    return yield* respond(provider, kind, fault?._tag === "Duplicated" ? yield* work : decided, fault)
  }, Effect.mapError(lost))

  return <A>(received: ReceivedRequest, decide: Decide<A>) =>
    Effect.withFiber<A, ProviderError>(({ context }) =>
      transactions.some((transaction) => Context.getOrUndefined(context, transaction) !== undefined)
        ? Effect.die(new Error(`The ${provider} was called inside a database transaction: commit it first`))
        : receive(received, decide)
    )
})

/** A planned failure goes before the failure of the test card, unless the request was ignored because of the card. */
const faultOf = (planned: Fault | undefined, decided: Decision<unknown> | Ignored): Fault | undefined =>
  decided._tag === "Ignored" ? decided.fault : (planned ?? decided.fault)

const ignoring = (fault: Fault) => () => ignored(fault)

function* ignored(fault: Fault): Transaction.Body<Ignored> {
  return { _tag: "Ignored", fault }
}

/** The transaction of a request in the providers' store. */
const committing = (provider: ProviderError["provider"], sql: SimulatorStore["Service"]) => {
  const { transact } = sql
  const restores = Transaction.companyRestoresOf(sql)
  /** The vault accepts cards regardless of restores. */
  const companyOf = ({ companyId, kind }: ReceivedRequest) => (kind === "tokenize" ? undefined : companyId)

  function* work<A>(received: ReceivedRequest, planned: Fault | undefined, decide: Decide<A>, now: number) {
    const companyId = companyOf(received)
    if (companyId !== undefined && !(yield* restores.isCurrent(companyId, received.restores ?? 0))) {
      return new Transaction.RestoredSince({ companyId })
    }
    const decided = yield* decide(now, planned?._tag === "Denied" ? { ...planned, _tag: "FinallyDenied" } : undefined)
    yield* writeLedgerEntry(provider, received, now, decided, faultOf(planned, decided))
    return decided
  }

  return {
    checkRestores: (received: ReceivedRequest) => {
      const companyId = companyOf(received)
      return companyId === undefined ? Effect.void : restores.check(companyId, received.restores ?? 0)
    },
    commit: <A>(received: ReceivedRequest, planned: Fault | undefined, decide: Decide<A>) =>
      Effect.uninterruptible(
        Effect.clockWith((clock) => {
          const now = clock.currentTimeMillisUnsafe()
          return Effect.flatMap(
            transact(() => work(received, planned, decide, now)),
            (result) => (result instanceof Transaction.RestoredSince ? Effect.fail(result) : Effect.succeed(result))
          )
        })
      )
  }
}

const failed = (provider: ProviderError["provider"], { _tag: fault }: Fault, problem: string) =>
  new ProviderError({
    provider,
    cause: new InjectedFailureError({ fault, message: `An injected failure: ${problem}` })
  })

/** Returns the response, delays it, or fails, as the injected failure requires. */
const respond = Effect.fnUntraced(function* <A>(
  provider: ProviderError["provider"],
  kind: Call,
  decided: Decision<A> | Ignored,
  fault: Fault | undefined
) {
  if (fault?._tag === "Hang") return yield* never
  if (decided._tag === "Ignored") return yield* failed(provider, decided.fault, `"${kind}" is not available (503)`)
  if (fault?._tag === "ResponseLost") {
    return yield* failed(provider, fault, `the response to "${kind}" was lost`)
  }
  if (fault?._tag === "Slow") yield* Effect.sleep(fault.delay)
  return decided.response
})

/** Interruptible by the caller's timeout even in an uninterruptible caller. */
const never: Effect.Effect<never> = Effect.interruptible(Effect.never)

/** True if the provider receives the request and does nothing: it does not respond, or responds with a 5xx. */
export const isIgnored = (kind: Call, fault: Fault): boolean =>
  fault._tag === "Unavailable" ||
  (fault._tag === "Hang" && !fault.isDone) ||
  (fault._tag === "Denied" && (kind === "tokenize" || kind === "lookup"))

/** The first outcome of an attempt. */
export interface FirstOutcome<O> {
  readonly outcome: O
  readonly effect: LedgerEffect
  /** The reference of the charge that was made or reversed. */
  readonly tid?: string
  /** The failure that the test card stands for. */
  readonly fault?: Fault | undefined
  /** True for charges of a test card that stands for a dispute. */
  readonly isDisputed?: boolean
  /** True if the outcome does not depend on the number of earlier charges of the card. */
  readonly isUncounted?: boolean
}

/** The recorded outcome of an attempt, with the effect of this request. */
export interface RecordedOutcome<O> {
  readonly _tag: "RecordedOutcome"
  readonly outcome: O
  readonly effect: LedgerEffect
  readonly isRepeat: boolean
  readonly fault?: Fault | undefined
  /** Undefined if the card was not read. */
  readonly isDisputed?: boolean
}

/** A request with the columns of its row in `attempts`. */
export interface AttemptRequest extends ProviderRequest {
  readonly kind: Call
  readonly card?: VaultToken
  readonly value?: Cents
}

/** The final denial of a provider. */
export const FinallyDenied = Schema.TaggedStruct("FinallyDenied", { code: Schema.String, message: Schema.String })

const findAttempt = "SELECT outcome FROM attempts WHERE attempt_id = ? AND kind = ?"

const attemptColumns = [
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

const insertAttempt = Transaction.insertInto("attempts", attemptColumns)

/**
 * The attempts of one provider. A repeated attempt returns its first outcome and changes nothing. Outcomes are stored as
 * JSON and checked by `schema` when they are read.
 *
 * @category constructors
 */
export const attemptsOf = <O>(schema: Schema.Codec<O, O>) => {
  const decode = Schema.decodeUnknownSync(schema)

  /** Returns the recorded outcome of an attempt, or undefined. */
  function* find(attemptId: AttemptId, kind: Call): Transaction.Body<O | undefined> {
    const [row] = yield* Transaction.read<{ outcome: string }>(findAttempt, attemptId, kind)
    return row === undefined ? undefined : decode(JSON.parse(row.outcome))
  }

  /** Returns the recorded outcome of an attempt, or records the outcome of `decide`. */
  function* once<I extends Ignored = never>(
    request: AttemptRequest,
    now: number,
    decide: () => Transaction.Body<FirstOutcome<O> | I>
  ): Transaction.Body<RecordedOutcome<O> | I> {
    const { at, attemptId, card = null, companyId, kind, transactionId, value = null } = request
    const repeat = (outcome: O): RecordedOutcome<O> => ({
      _tag: "RecordedOutcome",
      outcome,
      effect: "none",
      isRepeat: true
    })
    const earlier = yield* find(attemptId, kind)
    if (earlier !== undefined) return repeat(earlier)
    const first = yield* decide()
    if ("_tag" in first) return first
    const { effect, fault, isDisputed = false, isUncounted = false, outcome, tid = null } = first
    const isCounted = card === null || isUncounted ? 0 : 1
    const ids = [kind, attemptId, companyId, transactionId, card, value]
    const isFirst = yield* Transaction.claim(insertAttempt, ...ids, tid, at, JSON.stringify(outcome), now, isCounted)
    if (isFirst) return { _tag: "RecordedOutcome", outcome, effect, isRepeat: false, fault, isDisputed }
    // A concurrent request for this attempt was recorded first, so its outcome is the attempt's.
    return repeat((yield* find(attemptId, kind)) ?? outcome)
  }

  return { find, once }
}

/**
 * Returns the decision of an attempt.
 *
 * @category getters
 */
export const decisionOf = <O extends { readonly _tag: string; readonly code?: string }>(
  { effect, fault, isRepeat, outcome }: RecordedOutcome<O>,
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
 * Returns the planned denial, or else the outcome of `decide`.
 *
 * @category getters
 */
export function* unlessDenied<O>(
  planned: FinalDenial | undefined,
  decide: () => Transaction.Body<FirstOutcome<O>>
): Transaction.Body<FirstOutcome<O | FinalDenial>> {
  return planned === undefined ? yield* decide() : { outcome: planned, effect: "none" }
}

const ledgerColumns = [
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

const insertLedgerEntry = Transaction.insertInto("ledger", ledgerColumns)

function* writeLedgerEntry(
  provider: ProviderError["provider"],
  received: ReceivedRequest,
  now: number,
  decided: Decision<unknown> | Ignored,
  fault: Fault | undefined
): Transaction.Body<void> {
  const { at = null, attemptId = null, companyId = null, kind, transactionId = null, value = null } = received
  const request = [provider, kind, attemptId, companyId, transactionId, value]
  const { code = null, effect, isRepeat, outcome, reference = null } = decided._tag === "Decision" ? decided : undecided
  const decision = [outcome, code, reference, effect, isRepeat ? 1 : 0]
  yield* Transaction.write(insertLedgerEntry, ...request, ...decision, fault?._tag ?? null, at, now)
}

/** The ledger entry of a request that was ignored. */
const undecided = { outcome: null, code: null, effect: "none", reference: null, isRepeat: false }
