/**
 * Execution of attempts: sends the request to the provider without an open database transaction, then records the
 * outcome.
 *
 * If the response is lost, the attempt remains open. A worker or a repeated command then asks the provider about this
 * attempt. This prevents a double charge: the same attempt never moves money twice.
 *
 * @since 0.1.0
 */
import type { Attempt, AttemptResult, AttemptId } from "@parcela/core/attempts/Attempt"
import type { AttemptOutcome } from "@parcela/core/attempts/AttemptOutcome"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Secrets } from "../authentication/Secrets.ts"
import { type CommandResult, type Commands, done } from "../command/Command.ts"
import type { LeaseOwner } from "../command/LeaseOwner.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import type { DueWork } from "../ports/DueWork.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import { isCompanyRestored, type StoreError } from "../ports/StoreError.ts"
import { Settings } from "../Settings.ts"
import * as Spans from "../Spans.ts"
import { logCause } from "../Supervised.ts"
import * as AttemptRecords from "./AttemptRecords.ts"
import type { PaymentKey } from "./AttemptRecords.ts"
import { ProviderRequests } from "./ProviderRequests.ts"

/** The result of a database transaction that may have started an attempt. */
interface AttemptStart {
  readonly payment: PaymentContext | undefined
  readonly attempt: Attempt | undefined
}

/** Poll interval for an attempt that another process executes. */
const pollInterval = Duration.millis(250)

/**
 * @category services
 * @since 0.1.0
 */
export class PaymentAttempts extends Context.Service<
  PaymentAttempts,
  {
    /**
     * Runs `begin`, which commits the start of attempt `id`, and executes the attempt if `begin` started it.
     *
     * Returns the payment with the outcome and completes the key. If the outcome is unknown, returns the result of
     * `begin`: errors after the commit are logged, and the attempt remains open. Fails if the company was restored
     * during the call.
     */
    readonly perform: <A extends AttemptStart, E, R>(
      id: AttemptId,
      begin: Effect.Effect<CommandResult<A>, E, R>,
      key?: PaymentKey
    ) => Effect.Effect<CommandResult<A>, E | StoreError, R>
    /**
     * Waits for an open attempt, and resolves it if no process executes it. Waits at most the attempt timeout for
     * another process. Returns undefined if the outcome is still unknown.
     */
    readonly join: (
      companyId: CompanyId,
      transaction: EntityRef,
      id: AttemptId,
      key?: PaymentKey
    ) => Effect.Effect<PaymentContext | undefined, StoreError>
    /**
     * Asks the provider for the outcome of an attempt that the calling worker has leased. Returns undefined if the
     * outcome is still unknown.
     */
    readonly resolve: (
      companyId: CompanyId,
      id: AttemptId
    ) => Effect.Effect<AttemptResult["outcome"] | "gone" | undefined, StoreError>
    /** The number of attempts that this process executes. */
    readonly running: Effect.Effect<number>
  }
>()("@parcela/engine/payments/PaymentAttempts") {
  static readonly layer: Layer.Layer<
    PaymentAttempts,
    never,
    Commands | DueWork | LeaseOwner | ProviderRequests | Secrets
  > = Layer.effect(
    PaymentAttempts,
    Effect.gen(function* () {
      const context: AttemptContext = {
        leases: yield* AttemptRecords.makeLeases,
        providers: yield* ProviderRequests,
        records: yield* AttemptRecords.make,
        running: yield* makeRunning,
        attemptTimeout: (yield* Settings).attemptTimeout
      }
      return PaymentAttempts.of({
        perform: (id, begin, key) => perform(context, id, begin, key),
        join: (...about) => join(context, ...about),
        resolve: (...about) => resolve(context, ...about),
        running: context.running.count
      })
    })
  )
}

interface AttemptContext {
  readonly leases: AttemptRecords.AttemptLeases
  readonly providers: ProviderRequests["Service"]
  readonly records: AttemptRecords.AttemptRecords
  readonly running: RunningAttempts
  readonly attemptTimeout: Duration.Duration
}

/**
 * Sends a request about an attempt and records its outcome, while the lease of the attempt is renewed. Returns the
 * payment with the provider's outcome, or undefined without an outcome.
 */
const execute = Effect.fnUntraced(function* (
  { leases, records }: AttemptContext,
  attempt: Attempt,
  payment: PaymentContext,
  request: Effect.Effect<AttemptOutcome, ProviderError>,
  key: PaymentKey
): Effect.fn.Return<PaymentContext | undefined, StoreError> {
  const renewal = yield* Effect.forkChild(leases.renewing(attempt.id))
  const recorded = Effect.matchEffect(request, {
    onFailure: ({ message }) =>
      Effect.as(
        Effect.logWarning(`Attempt ${attempt.id}: ${message}; a worker will query the provider again`),
        undefined
      ),
    onSuccess: (outcome) => records.record(attempt, payment, outcome, key)
  })
  return yield* Effect.onExit(recorded, () => Effect.sync(() => renewal.interruptUnsafe()))
})

/**
 * Logs a failure and returns undefined for it. A restore of the company is not caught, because the attempt no longer
 * exists.
 */
const orUnknown = (
  id: AttemptId,
  execution: Effect.Effect<PaymentContext | undefined, StoreError>
): Effect.Effect<PaymentContext | undefined, StoreError> =>
  Effect.catchCause(execution, (cause) =>
    Cause.hasInterruptsOnly(cause) || Option.exists(Cause.findErrorOption(cause), isCompanyRestored)
      ? Effect.failCause(cause)
      : Effect.as(
          logCause(`Attempt ${id}: its outcome could not be recorded; a worker will query the provider`, cause),
          undefined
        )
  )

/** Releases this process's lease of an attempt without an outcome. Fails if the attempt no longer exists. */
const releaseLease = Effect.fnUntraced(function* ({ leases, records }: AttemptContext, { companyId, id }: Attempt) {
  const lease = yield* leases.take(id)
  if (Option.isSome(lease)) yield* leases.release(lease.value)
  else yield* records.load(companyId, { typeId: "attempt", id }, id)
  return undefined
})

const perform = Effect.fnUntraced(
  function* <A extends AttemptStart, E, R>(
    context: AttemptContext,
    id: AttemptId,
    begin: Effect.Effect<CommandResult<A>, E, R>,
    key: PaymentKey
  ): Effect.fn.Return<CommandResult<A>, E | StoreError, R> {
    const ran = yield* begin
    if (ran._tag !== "Done") return ran
    const { attempt, payment } = ran.value
    if (payment === undefined || attempt?.id !== id || attempt.result !== undefined) return ran
    const request = context.providers.send(attempt, payment)
    const ended = yield* orUnknown(id, execute(context, attempt, payment, request, key))
    if (ended !== undefined) return done({ ...ran.value, payment: ended, attempt: attemptIn(ended, id) })
    yield* orUnknown(id, releaseLease(context, attempt))
    return ran
  },
  // Registered before the attempt is committed: a command that loads the attempt must find that it is running here.
  (effect, { running }, id) => running.during(id, effect)
)

/** Asks the provider about an attempt, registered in this process as executing it. */
const resumeAttempt = (context: AttemptContext, attempt: Attempt, payment: PaymentContext, key: PaymentKey) =>
  context.running.during(
    attempt.id,
    execute(context, attempt, payment, context.providers.resume(attempt, payment), key)
  )

const join = Spans.fn("PaymentAttempts.join")(function* (
  context: AttemptContext,
  companyId: CompanyId,
  transaction: EntityRef,
  id: AttemptId,
  key?: PaymentKey
) {
  const { attemptTimeout, leases, records, running } = context
  const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(attemptTimeout)
  while (true) {
    const other = running.ending(id)
    if (Option.isSome(other)) yield* other.value
    const payment = yield* records.load(companyId, transaction, id)
    const attempt = attemptIn(payment, id)
    if (attempt === undefined || attempt.result !== undefined) return yield* records.complete(payment, attempt, key)
    // The attempt ran in this process and has no outcome, so no other process has one either.
    if (Option.isSome(other)) return undefined
    const lease = yield* leases.take(id)
    if (Option.isSome(lease)) {
      const ended = yield* orUnknown(id, resumeAttempt(context, attempt, payment, key))
      if (ended === undefined) yield* leases.release(lease.value)
      return ended
    }
    if ((yield* Clock.currentTimeMillis) >= deadline) return undefined
    yield* Effect.sleep(pollInterval)
  }
})

const resolve = Spans.fn("PaymentAttempts.resolve")(function* (
  context: AttemptContext,
  companyId: CompanyId,
  id: AttemptId
) {
  const other = context.running.ending(id)
  if (Option.isSome(other)) yield* other.value
  const payment = yield* context.records.load(companyId, { typeId: "attempt", id }, id)
  const attempt = attemptIn(payment, id)
  if (attempt === undefined) return "gone"
  if (attempt.result !== undefined) return attempt.result.outcome
  const ended = yield* resumeAttempt(context, attempt, payment, undefined)
  return ended === undefined ? undefined : attemptIn(ended, id)?.result?.outcome
})

const attemptIn = ({ attempts }: PaymentContext, id: AttemptId): Attempt | undefined =>
  attempts.find((attempt) => attempt.id === id)

/** The attempts that this process executes. */
interface RunningAttempts {
  /** Runs an effect that executes the attempt. A client that disconnects does not interrupt it. */
  readonly during: <A, E, R>(id: AttemptId, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Returns the end of the effect that executes the attempt, or none. */
  readonly ending: (id: AttemptId) => Option.Option<Effect.Effect<void>>
  readonly count: Effect.Effect<number>
}

const makeRunning: Effect.Effect<RunningAttempts> = Effect.sync(() => {
  const running = new Map<AttemptId, Deferred.Deferred<void>>()
  return {
    during: (id, effect) =>
      Effect.suspend(() => {
        const ended = Deferred.makeUnsafe<void>()
        running.set(id, ended)
        return Effect.onExit(effect, () => {
          running.delete(id)
          Deferred.doneUnsafe(ended, Effect.void)
          return Effect.void
        })
      }).pipe(Effect.uninterruptible),
    ending: (id) => Option.map(Option.fromUndefinedOr(running.get(id)), Deferred.await),
    count: Effect.sync(() => running.size)
  }
})
