/**
 * Carries attempts to their end: asks the provider with no transaction open, then records the outcome. A response that
 * was lost leaves the attempt under way; it is resolved by asking the provider about that attempt, and the same attempt
 * never moves money twice.
 *
 * @since 0.1.0
 */
import type { Attempt, AttemptResult } from "@parcela/core/attempts/Attempt"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { AttemptOutcome } from "@parcela/core/attempts/AttemptOutcome"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type Commands, type CommandResult, done } from "../command/Command.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import type { DueWork } from "../ports/DueWork.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import { Settings } from "../Settings.ts"
import { isCompanyRestored, type StoreError } from "../ports/StoreError.ts"
import { logCause } from "../Supervised.ts"
import type { PaymentKey } from "./PaymentKey.ts"
import type { LeaseOwner } from "../command/LeaseOwner.ts"
import * as AttemptLeases from "./AttemptRecords.ts"
import * as AttemptRecords from "./AttemptRecords.ts"
import { ProviderRequests } from "./ProviderRequests.ts"
import * as Spans from "../Spans.ts"
import * as Deferred from "effect/Deferred"

/** What a unit left that may have begun an attempt. */
interface AttemptLeft {
  readonly payment: PaymentContext | undefined
  readonly attempt: Attempt | undefined
}

/** How often an attempt that another process holds is looked at. */
const lookEvery = Duration.millis(250)

/**
 * @category services
 * @since 0.1.0
 */
export class PaymentAttempts extends Context.Service<
  PaymentAttempts,
  {
    /**
     * Runs `begin`, which commits what begins the attempt `id`, and carries the attempt when it did begin it. The result
     * has the outcome, or what `begin` left when that is not known: what goes wrong after the commit is no failure of the
     * command, the attempt stays under way, and the log says why. The outcome completes the key. Where the company was restored
     * meanwhile, nothing is left of the command, and it fails.
     */
    readonly perform: <A extends AttemptLeft, E, R>(
      id: AttemptId,
      begin: Effect.Effect<CommandResult<A>, E, R>,
      key?: PaymentKey
    ) => Effect.Effect<CommandResult<A>, E | StoreError, R>
    /**
     * Waits for the attempt that is under way, and resolves it when no process is running it. Another process that runs it
     * has until the attempt timeout. Undefined when its outcome is still unknown.
     */
    readonly join: (
      companyId: CompanyId,
      transaction: EntityRef,
      id: AttemptId,
      key?: PaymentKey
    ) => Effect.Effect<PaymentContext | undefined, StoreError>
    /** Asks what became of an attempt that this worker has leased; undefined when that is still unknown. */
    readonly resolve: (
      companyId: CompanyId,
      id: AttemptId
    ) => Effect.Effect<AttemptResult["outcome"] | "gone" | undefined, StoreError>
    /** How many attempts this process runs now. */
    readonly underWay: Effect.Effect<number>
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
        leases: yield* AttemptLeases.makeLeases,
        providers: yield* ProviderRequests,
        records: yield* AttemptRecords.make,
        running: yield* make,
        attemptTimeout: (yield* Settings).attemptTimeout
      }
      return PaymentAttempts.of({
        perform: (id, begin, key) => perform(context, id, begin, key),
        join: (...about) => join(context, ...about),
        resolve: (...about) => resolve(context, ...about),
        underWay: context.running.count
      })
    })
  )
}

interface AttemptContext {
  readonly leases: AttemptLeases.AttemptLeases
  readonly providers: ProviderRequests["Service"]
  readonly records: AttemptRecords.AttemptRecords
  readonly running: RunningAttempts
  readonly attemptTimeout: Duration.Duration
}

/** The payment with the provider's outcome; undefined when there is none. */
const carry = (
  { records }: AttemptContext,
  attempt: Attempt,
  payment: PaymentContext,
  ask: Effect.Effect<AttemptOutcome, ProviderError>,
  key: PaymentKey
): Effect.Effect<PaymentContext | undefined, StoreError> =>
  Effect.matchEffect(ask, {
    onFailure: ({ message }) =>
      Effect.as(Effect.logWarning(`Attempt ${attempt.id}: ${message}; it will be asked about again`), undefined),
    onSuccess: (outcome) => records.record(attempt, payment, outcome, key)
  })

/**
 * The payment with the outcome; what goes wrong is logged, and leaves the outcome unknown. A restore of the company leaves
 * nothing to ask for.
 */
const orUnknown = (
  id: AttemptId,
  carried: Effect.Effect<PaymentContext | undefined, StoreError>
): Effect.Effect<PaymentContext | undefined, StoreError> =>
  Effect.catchCause(carried, (cause) =>
    Cause.hasInterruptsOnly(cause) || Option.exists(Cause.findErrorOption(cause), isCompanyRestored)
      ? Effect.failCause(cause)
      : Effect.as(logCause(`Attempt ${id}: its outcome could not be recorded; it will be asked for`, cause), undefined)
  )

/** Ends this process's lease of an attempt without an outcome; fails when the attempt is gone, with what its company was. */
const rest = Effect.fnUntraced(function* ({ leases, records }: AttemptContext, { companyId, id }: Attempt) {
  const lease = yield* leases.take(id)
  if (Option.isSome(lease)) yield* leases.giveBack(lease.value)
  else yield* records.load(companyId, { typeId: "attempt", id }, id)
  return undefined
})

/** Begins an attempt and carries it, when it did begin it. */
const beginAndCarry = Effect.fnUntraced(function* <A extends AttemptLeft, E, R>(
  context: AttemptContext,
  id: AttemptId,
  begin: Effect.Effect<CommandResult<A>, E, R>,
  key: PaymentKey
): Effect.fn.Return<CommandResult<A>, E | StoreError, R> {
  const ran = yield* begin
  if (ran._tag !== "Done") return ran
  const { attempt, payment } = ran.value
  if (payment === undefined || attempt?.id !== id || attempt.result !== undefined) return ran
  const ask = context.providers.ask(attempt, payment)
  const ended = yield* orUnknown(id, carry(context, attempt, payment, ask, key))
  if (ended === undefined) {
    yield* orUnknown(id, rest(context, attempt))
    return ran
  }
  return done({ ...ran.value, payment: ended, attempt: attemptIn(ended, id) })
})

const perform = <A extends AttemptLeft, E, R>(
  context: AttemptContext,
  id: AttemptId,
  begin: Effect.Effect<CommandResult<A>, E, R>,
  key: PaymentKey
): Effect.Effect<CommandResult<A>, E | StoreError, R> =>
  // A client that hangs up does not stop money that is on its way.
  Effect.uninterruptible(context.running.run(id, beginAndCarry(context, id, begin, key), context.leases.renewing(id)))

/** Asks the provider about an attempt, as the one of this process that is at it. */
const askAgain = (context: AttemptContext, attempt: Attempt, payment: PaymentContext, key: PaymentKey) =>
  context.running
    .run(
      attempt.id,
      carry(context, attempt, payment, context.providers.askAgain(attempt, payment), key),
      context.leases.renewing(attempt.id)
    )
    .pipe(Effect.uninterruptible)

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
    const other = running.running(id)
    if (Option.isSome(other)) yield* other.value
    const payment = yield* records.load(companyId, transaction, id)
    const attempt = attemptIn(payment, id)
    if (attempt === undefined || attempt.result !== undefined) return yield* records.complete(payment, attempt, key)
    // It ran here and has no outcome: for now no other process can know it.
    if (Option.isSome(other)) return undefined
    const lease = yield* leases.take(id)
    if (Option.isSome(lease)) {
      const ended = yield* orUnknown(id, askAgain(context, attempt, payment, key))
      if (ended === undefined) yield* leases.giveBack(lease.value)
      return ended
    }
    if ((yield* Clock.currentTimeMillis) >= deadline) return undefined
    yield* Effect.sleep(lookEvery)
  }
})

const resolve = Spans.fn("PaymentAttempts.resolve")(function* (
  context: AttemptContext,
  companyId: CompanyId,
  id: AttemptId
) {
  const other = context.running.running(id)
  if (Option.isSome(other)) yield* other.value
  const payment = yield* context.records.load(companyId, { typeId: "attempt", id }, id)
  const attempt = attemptIn(payment, id)
  if (attempt === undefined) return "gone"
  if (attempt.result !== undefined) return attempt.result.outcome
  const ended = yield* askAgain(context, attempt, payment, undefined)
  return ended === undefined ? undefined : attemptIn(ended, id)?.result?.outcome
})

const attemptIn = ({ attempts }: PaymentContext, id: AttemptId): Attempt | undefined =>
  attempts.find((attempt) => attempt.id === id)

/**
 * @category models
 * @since 0.1.0
 */
export interface RunningAttempts {
  /** Runs an effect as the one that is at this attempt, and `meanwhile` until it ends. */
  readonly run: <A, E, R>(
    id: AttemptId,
    effect: Effect.Effect<A, E, R>,
    meanwhile: Effect.Effect<never>
  ) => Effect.Effect<A, E, R>
  /** The end of the run that is at this attempt, to wait for. */
  readonly running: (id: AttemptId) => Option.Option<Effect.Effect<void>>
  /** How many run now. */
  readonly count: Effect.Effect<number>
}

/**
 * @category constructors
 * @since 0.1.0
 */
const make: Effect.Effect<RunningAttempts> = Effect.sync(() => {
  const running = new Map<AttemptId, Deferred.Deferred<void>>()
  return {
    run: Effect.fnUntraced(function* (id, effect, meanwhile) {
      const ended = Deferred.makeUnsafe<void>()
      running.set(id, ended)
      const fiber = yield* Effect.forkChild(meanwhile)
      return yield* Effect.onExit(effect, () => {
        fiber.interruptUnsafe()
        running.delete(id)
        Deferred.doneUnsafe(ended, Effect.void)
        return Effect.void
      })
    }),
    running: (id) => Option.map(Option.fromUndefinedOr(running.get(id)), Deferred.await),
    count: Effect.sync(() => running.size)
  }
})
