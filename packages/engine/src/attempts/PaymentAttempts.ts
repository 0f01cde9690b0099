/**
 * Carries attempts to their end: asks the provider with no transaction open, then records the outcome. A response that
 * was lost leaves the attempt under way; it is resolved by asking the provider about that attempt, and the same attempt
 * never moves money twice.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/Attempt"
import type { AttemptId } from "@parcela/core/AttemptId"
import type { AttemptOutcome } from "@parcela/core/AttemptOutcome"
import type { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { bySvcPayId, type EntityRef } from "@parcela/core/Identifier"
import { refuse } from "@parcela/core/BillingError"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Commands, type KeyPart, type KeyUse, type Ran } from "../commands/Command.ts"
import type { OutsideError } from "../OutsideError.ts"
import type { PaymentContext, PaymentRef } from "../ports/CommandStore.ts"
import { DueWork, type LeasedWork } from "../ports/DueWork.ts"
import { Secrets } from "../Secrets.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../StoreError.ts"
import { logCause } from "../StoreOutage.ts"
import * as Decisions from "../usecases/PaymentDecisions.ts"
import { backoff } from "@parcela/webhooks/Backoff"
import { LeaseOwner } from "../workers/LeaseOwner.ts"
import { ProviderRequests } from "./ProviderRequests.ts"
import * as RunningAttempts from "./RunningAttempts.ts"

/** How often an attempt that another process holds is looked at. */
const lookEvery = Duration.millis(250)

/** How long an attempt without an outcome rests before a worker asks about it: again, longer each time. */
const firstBackoff = Duration.seconds(1)
const longestBackoff = Duration.minutes(10)

/** The key that the outcome completes. */
export type CompletedKey = KeyUse<PaymentContext> | undefined

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
     * command, the attempt stays under way, and the log says why.
     */
    readonly perform: <A extends Decisions.PaymentLeft, E, R>(
      id: AttemptId,
      begin: Effect.Effect<Ran<A>, E, R>,
      key?: CompletedKey
    ) => Effect.Effect<Ran<A>, E, R>
    /**
     * Waits for the attempt that is under way, and resolves it when nobody is at it. Another process that has it has
     * until the attempt timeout. Undefined when its outcome is still unknown.
     */
    readonly join: (
      companyId: CompanyId,
      transaction: EntityRef,
      id: AttemptId,
      key?: CompletedKey
    ) => Effect.Effect<PaymentContext | undefined, StoreError>
    /** Asks what became of an attempt that this worker has leased; false when that is still unknown. */
    readonly resolve: (companyId: CompanyId, id: AttemptId) => Effect.Effect<boolean, StoreError>
  }
>()("@parcela/engine/attempts/PaymentAttempts") {
  static readonly layer: Layer.Layer<
    PaymentAttempts,
    never,
    Commands | DueWork | LeaseOwner | ProviderRequests | Secrets
  > = Layer.effect(
    PaymentAttempts,
    Effect.gen(function* () {
      const commands = yield* Commands
      const dueWork = yield* DueWork
      const owner = yield* LeaseOwner
      const providers = yield* ProviderRequests
      const secrets = yield* Secrets
      const { attemptTimeout, claim } = yield* Settings
      const running = yield* RunningAttempts.make

      const instant = Effect.map(Clock.currentTimeMillis, (now) => EpochMillis.make(now))

      /** The payment of an attempt as it stands. */
      const load = Effect.fnUntraced(
        function* (companyId: CompanyId, transaction: PaymentRef) {
          const ran = yield* commands.run({
            load: "payment",
            args: { companyId, transaction },
            decide: (found) => Decisions.look(found),
            missing: notThere
          })
          return valueOf(ran).payment
        },
        Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
      )

      /** Records an outcome, over and over until it is done: the provider is not asked again for it. */
      const record = Effect.fnUntraced(
        function* (attempt: Attempt, payment: PaymentContext, outcome: AttemptOutcome, key: CompletedKey) {
          const documentKey = yield* secrets.newDocumentKey
          const ran = yield* commands.run({
            load: "payment",
            args: { companyId: attempt.companyId, transaction: bySvcPayId(attempt.transactionId) },
            known: payment,
            key: key === undefined ? undefined : completing(key),
            decide: Decisions.conclude(attempt.id, outcome, documentKey),
            missing: notThere
          })
          return valueOf(ran).payment
          // The attempt and the transaction were written together: the outcome fits, or our own books are wrong.
        },
        Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
      )

      /** Ends this process's lease of an attempt without an outcome: a worker asks about it soon. */
      const rest = Effect.fnUntraced(function* (id: AttemptId) {
        const lease = yield* take(id)
        if (Option.isSome(lease)) yield* giveBack(lease.value)
      })

      const take = Effect.fnUntraced(function* (id: AttemptId) {
        const now = yield* instant
        const until = EpochMillis.make(now + Duration.toMillis(claim))
        return yield* dueWork.take({ kind: "resolve attempt", subject: id, owner, now, until })
      })

      const giveBack = Effect.fnUntraced(function* (lease: LeasedWork) {
        const now = yield* instant
        const wait = yield* backoff(lease.tries, firstBackoff, longestBackoff)
        yield* dueWork.postpone(lease, { now, at: EpochMillis.make(now + Duration.toMillis(wait)), problem: noOutcome })
      })

      /** The payment with the outcome; undefined when there is none yet. */
      const carry = Effect.fnUntraced(function* (
        attempt: Attempt,
        payment: PaymentContext,
        ask: Effect.Effect<AttemptOutcome, OutsideError>,
        key: CompletedKey
      ) {
        const outcome = yield* Effect.result(ask)
        if (outcome._tag === "Success") return yield* record(attempt, payment, outcome.success, key)
        yield* Effect.logWarning(`Attempt ${attempt.id}: ${outcome.failure.message}; it will be asked about again`)
        return undefined
      })

      /** The payment with the outcome; what goes wrong is logged, and leaves the outcome unknown. */
      const orUnknown = <E>(
        id: AttemptId,
        carried: Effect.Effect<PaymentContext | undefined, E>
      ): Effect.Effect<PaymentContext | undefined> =>
        Effect.catchCause(carried, (cause) =>
          // Interrupts alone hold no error.
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.as(
                logCause(`Attempt ${id}: its outcome could not be recorded; it will be asked for`, cause),
                undefined
              )
        )

      const perform = <A extends Decisions.PaymentLeft, E, R>(
        id: AttemptId,
        begin: Effect.Effect<Ran<A>, E, R>,
        key?: CompletedKey
      ): Effect.Effect<Ran<A>, E, R> =>
        Effect.gen(function* () {
          const ran = yield* begin
          if (ran._tag !== "Done") return ran
          const { attempt, payment } = ran.value
          if (attempt?.id !== id || attempt.result !== undefined) return ran
          const ended = yield* orUnknown(id, carry(attempt, payment, providers.ask(attempt, payment), key))
          if (ended === undefined) {
            yield* orUnknown(id, Effect.as(rest(id), undefined))
            return ran
          }
          return { _tag: "Done", value: { ...ran.value, payment: ended, attempt: attemptIn(ended, id) } } as const
          // A client that hangs up does not stop money that is on its way.
        }).pipe((effect) => running.run(id, effect), Effect.uninterruptible)

      const resolveNow = (attempt: Attempt, payment: PaymentContext, key: CompletedKey) =>
        running
          .run(attempt.id, carry(attempt, payment, providers.askAgain(attempt, payment), key))
          .pipe(Effect.uninterruptible)

      const complete = Effect.fnUntraced(
        function* (payment: PaymentContext, key: CompletedKey) {
          if (key === undefined) return payment
          const { company, transaction } = payment
          yield* commands.run({
            load: "payment",
            args: { companyId: company.id, transaction: bySvcPayId(transaction.id) },
            key: completing(key),
            decide: (found) => Decisions.look(found),
            missing: notThere
          })
          return payment
        },
        Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
      )

      const join = Effect.fn("PaymentAttempts.join")(function* (
        companyId: CompanyId,
        transaction: EntityRef,
        id: AttemptId,
        key?: CompletedKey
      ) {
        const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(attemptTimeout)
        while (true) {
          const other = running.running(id)
          if (Option.isSome(other)) yield* other.value
          const payment = yield* load(companyId, transaction)
          const attempt = attemptIn(payment, id)
          if (attempt === undefined || attempt.result !== undefined) return yield* complete(payment, key)
          // It ran here and has no outcome: nobody knows better for now.
          if (Option.isSome(other)) return undefined
          const lease = yield* take(id)
          if (Option.isSome(lease)) {
            const ended = yield* orUnknown(id, resolveNow(attempt, payment, key))
            if (ended === undefined) yield* giveBack(lease.value)
            return ended
          }
          if ((yield* Clock.currentTimeMillis) >= deadline) return undefined
          yield* Effect.sleep(lookEvery)
        }
      })

      const resolve = Effect.fn("PaymentAttempts.resolve")(function* (companyId: CompanyId, id: AttemptId) {
        const other = running.running(id)
        if (Option.isSome(other)) yield* other.value
        const payment = yield* load(companyId, { typeId: "attempt", id })
        const attempt = attemptIn(payment, id)
        if (attempt === undefined || attempt.result !== undefined) return true
        return (yield* resolveNow(attempt, payment, undefined)) !== undefined
      })

      return PaymentAttempts.of({ perform, join, resolve })
    })
  )
}

/** What stands with the work of an attempt without an outcome. */
const noOutcome = "No outcome could be had yet"

const notThere = () => refuse({ _tag: "TransactionNotFound", typeId: "svcPayId" })

const attemptIn = ({ attempts }: PaymentContext, id: AttemptId): Attempt | undefined =>
  attempts.find((attempt) => attempt.id === id)

const completing = ({ name, respond }: KeyUse<PaymentContext>): KeyPart<Decisions.PaymentLeft> => ({
  _tag: "Complete",
  name,
  respond: ({ payment }) => respond(payment)
})

/** The value of a command that looks at no key. */
const valueOf = <A>(ran: Ran<A>): A => {
  if (ran._tag === "Done") return ran.value
  throw new Error("A command without a key met one")
}
