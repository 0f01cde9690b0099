/**
 * Carries one attempt to its end: asks the provider with no transaction open, then records the outcome. A response that
 * was lost leaves the attempt under way; it is resolved by asking the provider about that attempt, and the same attempt
 * never moves money twice.
 *
 * **Details**
 *
 * All attempts of this process are registered here while they run, whoever began them (a request, the sweeper, a
 * recovery), so that a second request for the same attempt waits for it instead of asking the provider beside it.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/Attempt"
import type { AttemptId } from "@parcela/core/AttemptId"
import { type AttemptOutcome, type RegistrationOutcome, resultOf } from "@parcela/core/AttemptOutcome"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { bySvcPayId } from "@parcela/core/Identifier"
import { recordOutcome } from "@parcela/core/TransactionOutcome"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Attempts, type LeasedAttempt } from "./Attempts.ts"
import { BoletoBank } from "./BoletoBank.ts"
import { CardOperator } from "./CardOperator.ts"
import { makeRegistry } from "./internal/AttemptRegistry.ts"
import { inTime } from "./InTime.ts"
import { Listings } from "./Listings.ts"
import type { OutsideError } from "./OutsideError.ts"
import { PixProvider } from "./PixProvider.ts"
import { Recorder, type Shown } from "./Recorder.ts"
import { Secrets } from "./Secrets.ts"
import { Settings } from "./Settings.ts"
import type { StoreError } from "./StoreError.ts"
import { Transactions } from "./Transactions.ts"
import { UnitOfWork } from "./UnitOfWork.ts"

/** How often an attempt that another process holds is looked at. */
const lookEvery = Duration.millis(250)

/**
 * @category services
 * @since 0.1.0
 */
export class AttemptRunner extends Context.Service<
  AttemptRunner,
  {
    /**
     * Commits what begins the attempt `id`, then asks the provider; nobody is asked when `commit` began none. What goes
     * wrong after the commit is no failure of the command: the attempt stays under way, and the log says why.
     */
    readonly perform: <A extends { readonly attempt: LeasedAttempt | undefined }, E>(
      id: AttemptId,
      commit: Effect.Effect<A, E>
    ) => Effect.Effect<A, E>
    /** Asks what became of an attempt, and only if the provider never heard of it, asks for it again. */
    readonly resolve: (attempt: LeasedAttempt) => Effect.Effect<void, StoreError>
    /**
     * Waits for an attempt, and resolves it when nobody is at it; false when its outcome is still unknown. Another
     * process that holds it has until the attempt timeout.
     */
    readonly join: (id: AttemptId) => Effect.Effect<boolean, StoreError>
    /** Whether the outcome of an attempt is recorded. */
    readonly isSettled: (id: AttemptId) => Effect.Effect<boolean, StoreError>
  }
>()("@parcela/engine/AttemptRunner") {
  static readonly layer: Layer.Layer<
    AttemptRunner,
    never,
    Attempts | BoletoBank | CardOperator | Listings | PixProvider | Recorder | Secrets | Transactions | UnitOfWork
  > = Layer.effect(
    AttemptRunner,
    Effect.gen(function* () {
      const attempts = yield* Attempts
      const bank = yield* BoletoBank
      const operator = yield* CardOperator
      const listings = yield* Listings
      const provider = yield* PixProvider
      const recorder = yield* Recorder
      const secrets = yield* Secrets
      const transactions = yield* Transactions
      const unitOfWork = yield* UnitOfWork
      const { attemptTimeout } = yield* Settings
      const registry = yield* makeRegistry

      const requestOf = (attempt: Attempt) =>
        Effect.map(Clock.currentTimeMillis, (now) => ({
          attemptId: attempt.id,
          companyId: attempt.companyId,
          transactionId: attempt.transactionId,
          value: attempt.value,
          at: EpochMillis.make(now)
        }))

      const charge = Effect.fnUntraced(function* (attempt: Attempt, { card, transaction }: Shown) {
        if (card === undefined) return yield* Effect.die(new Error(`attempt ${attempt.id} has no card`))
        const request = yield* requestOf(attempt)
        return yield* (
          attempt.kind === "capture" && transaction.status === "authorized"
            ? operator.capture({ ...request, authorizedAs: transaction.authorization.tid })
            : operator.charge({ ...request, card: card.vaultToken })
        ).pipe(inTime("card operator", attemptTimeout))
      })

      const registerAt = Effect.fnUntraced(function* (
        attempt: Attempt,
        { customer, subscription, transaction }: Shown
      ): Effect.fn.Return<RegistrationOutcome, OutsideError> {
        const request = { ...(yield* requestOf(attempt)), dueDate: transaction.payday, payer: customer }
        return yield* attempt.provider === "pixProvider"
          ? provider.open({ ...request, terms: subscription.pix ?? {} }).pipe(inTime("Pix provider", attemptTimeout))
          : bank.register({ ...request, terms: subscription.boleto ?? {} }).pipe(inTime("boleto bank", attemptTimeout))
      })

      const lookup = (attempt: Attempt) =>
        operator
          .lookup({ attemptId: attempt.id, companyId: attempt.companyId })
          .pipe(inTime("card operator", attemptTimeout))

      const notBegun = (attempt: Attempt) =>
        Effect.die(new Error(`Nothing begins a ${attempt.kind} yet (attempt ${attempt.id})`))

      const ask = (attempt: Attempt, shown: Shown): Effect.Effect<AttemptOutcome, OutsideError> => {
        switch (attempt.kind) {
          case "charge":
          case "capture":
            return charge(attempt, shown).pipe(
              // The response is lost, the money perhaps not: ask before anything else is done.
              Effect.catchTag("OutsideError", (lost) =>
                Effect.flatMap(
                  lookup(attempt),
                  Option.match({ onNone: () => Effect.fail(lost), onSome: Effect.succeed })
                )
              )
            )
          case "register":
            return registerAt(attempt, shown)
          default:
            return notBegun(attempt)
        }
      }

      const askAgain = (attempt: Attempt, shown: Shown): Effect.Effect<AttemptOutcome, OutsideError> =>
        // A boleto or a Pix that is asked for again is the same one; a card is looked up first.
        attempt.kind === "charge" || attempt.kind === "capture"
          ? Effect.flatMap(
              lookup(attempt),
              Option.match({ onNone: () => charge(attempt, shown), onSome: Effect.succeed })
            )
          : ask(attempt, shown)

      const write = Effect.fnUntraced(function* (attempt: Attempt, outcome: AttemptOutcome, documentKey: string) {
        const now = EpochMillis.make(yield* Clock.currentTimeMillis)
        // Somebody else resolved it meanwhile: the outcome is the same one, and is recorded already.
        if (!(yield* attempts.settle(attempt.id, resultOf(outcome, now)))) return
        const state = yield* load(attempt)
        // The attempt and the transaction were written together, so the outcome fits or our own books are wrong.
        const { events, next } = yield* Effect.orDie(
          Effect.fromResult(recordOutcome(state, attempt, outcome, { now, settledAt: now, documentKey }))
        )
        yield* transactions.update(next)
        yield* recorder.record({
          companyId: attempt.companyId,
          now,
          events,
          shown: yield* listings.shown(next)
        })
      })

      const load = (attempt: Attempt) =>
        transactions
          .findForUpdate(attempt.companyId, bySvcPayId(attempt.transactionId))
          .pipe(Effect.map(Option.getOrThrowWith(() => new Error(`attempt ${attempt.id} has no transaction`))))

      /** Asks the provider and records the outcome; the attempt stays under way when there is none. */
      const carry = Effect.fnUntraced(function* (
        attempt: LeasedAttempt,
        how: (attempt: Attempt, shown: Shown) => Effect.Effect<AttemptOutcome, OutsideError>
      ) {
        const found = yield* transactions.find(attempt.companyId, bySvcPayId(attempt.transactionId))
        const shown = yield* listings.shown(
          Option.getOrThrowWith(found, () => new Error(`attempt ${attempt.id} has no transaction`))
        )
        const outcome = yield* Effect.result(how(attempt, shown))
        if (outcome._tag === "Success") {
          const documentKey = yield* secrets.newDocumentKey
          return yield* unitOfWork.transact(write(attempt, outcome.success, documentKey))
        }
        registry.abandon(attempt)
        yield* Effect.logWarning(`Attempt ${attempt.id}: ${outcome.failure.message}; it will be asked about again`)
      }, Effect.uninterruptible) // A client that hangs up does not stop money that is on its way.

      /** What goes wrong once the attempt is committed is logged, and leaves its outcome unknown; a defect too. */
      const orUnknown = <E>(attempt: LeasedAttempt, effect: Effect.Effect<void, E>): Effect.Effect<void> =>
        Effect.catchCause(effect, (cause) => {
          registry.abandon(attempt)
          // Interrupts alone hold no error.
          if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
          return Effect.logError(
            `Attempt ${attempt.id}: its outcome could not be recorded; it will be asked for`,
            cause
          )
        })

      const resolve = (attempt: LeasedAttempt): Effect.Effect<void, StoreError> =>
        Option.getOrElse(registry.running(attempt.id), () =>
          registry.register(attempt.id, carry(attempt, askAgain)).pipe(Effect.uninterruptible)
        )

      const isSettled = (id: AttemptId) =>
        Effect.map(
          attempts.find(id),
          Option.exists(({ result }) => result !== undefined)
        )

      const join = Effect.fn("AttemptRunner.join")(function* (id: AttemptId) {
        const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(attemptTimeout)
        for (let now = 0; now < deadline;) {
          const running = registry.running(id)
          if (Option.isSome(running)) {
            yield* running.value
            return yield* isSettled(id)
          }
          const attempt = Option.getOrThrow(yield* attempts.find(id))
          if (attempt.result !== undefined) return true
          now = yield* Clock.currentTimeMillis
          if (attempt.claimedUntil <= now || registry.isAbandoned(attempt)) {
            yield* orUnknown(attempt, resolve(attempt))
            return yield* isSettled(id)
          }
          yield* Effect.sleep(lookEvery)
        }
        return false
      })

      return AttemptRunner.of({
        perform: (id, commit) =>
          registry
            .register(
              id,
              Effect.tap(commit, ({ attempt }) =>
                attempt === undefined ? Effect.void : orUnknown(attempt, carry(attempt, ask))
              )
            )
            .pipe(Effect.uninterruptible),
        resolve: Effect.fn("AttemptRunner.resolve")(resolve),
        join,
        isSettled
      })
    })
  )
}
