/**
 * Use cases that send a request about a payment to its provider: retry (interface section 4.3), capture, reverse,
 * cancel and waive.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ReverseTransaction } from "@parcela/core/transactions/PaymentRequests"
import { bySvcPayId, type SvcPayId } from "@parcela/core/values/Identifier"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { finalDenialOf, OutcomeUnknown, type PaymentKey, storingPayment } from "./AttemptRecords.ts"
import { PaymentAttempts } from "./PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands, type CommandResult, withoutKey, type CommandOutcome, done } from "../command/Command.ts"
import { type KeyReused, readSubject } from "../command/IdempotencyKey.ts"
import { type RefusalsOf } from "../command/Decided.ts"
import type { PaymentContext, PaymentRef } from "../command/LoadedPayments.ts"
import { afterCommit, isCompanyRestored, type StoreError } from "../ports/StoreError.ts"
import { logCause } from "../Supervised.ts"
import { noCharge, noTransaction } from "../command/Missing.ts"
import { readPayment, type PaymentResult } from "./PaymentDecisions.ts"
import * as Decisions from "./ProviderDecisions.ts"
import * as ShowPayment from "./ShowPayment.ts"
import * as Spans from "../Spans.ts"

/**
 * The failures of waiting for an attempt's outcome, in addition to the refusals of its decision.
 *
 * @category errors
 * @since 0.1.0
 */
export type AwaitingFailure =
  | RefusalsOf<typeof finalDenialOf | ShowPayment.ShowPayment["resume"]>
  | KeyReused
  | OutcomeUnknown
  | StoreError

type Outcome<E = never> = Effect.Effect<CommandOutcome<PaymentContext>, E | AwaitingFailure>

/**
 * A command on a payment. Two concurrent commands with the same effect share one attempt and return its outcome. A
 * command during an attempt with an unknown outcome joins that attempt. `Decision` is the type of the decision whose
 * refusals the command fails with.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderCommand<Decision> = (
  companyId: CompanyId,
  transaction: PaymentRef,
  key?: PaymentKey
) => Outcome<RefusalsOf<Decision | typeof notFound>>

/**
 * @category models
 * @since 0.1.0
 */
export interface ProviderCommands {
  /** Repeats a failed charge or capture. */
  readonly retry: ProviderCommand<typeof Decisions.retry>
  /** Captures an authorized amount. */
  readonly capture: ProviderCommand<typeof Decisions.capture>
  /** Refunds all or a part of a card payment. Releases an authorized amount. */
  readonly reverse: (
    companyId: CompanyId,
    transaction: PaymentRef,
    command: ReverseTransaction,
    key?: PaymentKey
  ) => Outcome<RefusalsOf<typeof Decisions.reverse | typeof notFound>>
  /**
   * Cancels an unpaid payment. The provider withdraws a boleto or a Pix first.
   *
   * No money moves, so an unknown outcome is no error: the effect returns the unchanged payment, and a job continues
   * the withdrawal.
   */
  readonly cancel: ProviderCommand<ReturnType<typeof Decisions.cancel>>
  /** Waives an unpaid payment. The provider withdraws a boleto or a Pix first. */
  readonly waive: ProviderCommand<typeof Decisions.waive>
}

/**
 * Runs an effect that may start an attempt. Waits for the outcome of the attempt that it started or joined.
 *
 * @category models
 * @since 0.1.0
 */
export type AwaitOutcome = <E>(
  companyId: CompanyId,
  begin: (attemptId: AttemptId) => Effect.Effect<CommandResult<PaymentResult>, E>,
  key: PaymentKey
) => Outcome<E>

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeAwaitOutcome: Effect.Effect<AwaitOutcome, never, Commands | PaymentAttempts | Secrets> = Effect.gen(
  function* () {
    const attempts = yield* PaymentAttempts
    const secrets = yield* Secrets
    const { resume, stored } = yield* ShowPayment.make

    /**
     * Returns the payment with the outcome of an attempt that another command, or an earlier run under the key,
     * started.
     */
    const join = (companyId: CompanyId, id: SvcPayId, attemptId: AttemptId, key: PaymentKey) =>
      attempts.join(companyId, bySvcPayId(id), attemptId, key).pipe(
        // The attempt was committed before the store failed, so its outcome is unknown.
        Effect.catchTag("StoreError", (error) =>
          isCompanyRestored(error)
            ? Effect.fail(error)
            : Effect.as(logCause(`Attempt ${attemptId}: the store could not be read`, Cause.fail(error)), undefined)
        ),
        // Without an outcome the payment has its previous status, which a client would take for the outcome of this
        // attempt.
        Effect.flatMap((ended): Outcome =>
          ended === undefined
            ? Effect.fail(new OutcomeUnknown({ attemptId }))
            : outcomeOf({ payment: ended, attempt: ended.attempts.find(({ id }) => id === attemptId) })
        ),
        Effect.flatMap((outcome) =>
          outcome._tag === "Done" ? afterCommit(stored(outcome.value, key)) : Effect.succeed(outcome)
        )
      )

    return Effect.fnUntraced(function* <E>(
      companyId: CompanyId,
      begin: (attemptId: AttemptId) => Effect.Effect<CommandResult<PaymentResult>, E>,
      key: PaymentKey
    ): Effect.fn.Return<CommandOutcome<PaymentContext>, E | AwaitingFailure> {
      const attemptId = yield* secrets.newAttemptId
      const ran = yield* attempts.perform(attemptId, begin(attemptId), key)
      switch (ran._tag) {
        case "Replayed":
          return ran
        case "Resumed": {
          const subject = readSubject(ran.subject)
          return subject.attemptId === undefined
            ? yield* afterCommit(resume(companyId, subject.id, key))
            : yield* join(companyId, subject.id, subject.attemptId, key)
        }
        case "Done": {
          const { attempt, payment } = ran.value
          if (attempt === undefined || attempt.result !== undefined) return yield* outcomeOf(ran.value)
          if (attempt.id === attemptId) return yield* new OutcomeUnknown({ attemptId })
          return yield* join(companyId, payment.transaction.id, attempt.id, key)
        }
      }
    })
  }
)

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<ProviderCommands, never, Commands | PaymentAttempts | Secrets> = Effect.gen(
  function* () {
    const commands = yield* Commands
    const awaitOutcome = yield* makeAwaitOutcome

    const runDecision = <R>(
      companyId: CompanyId,
      transaction: PaymentRef,
      decision: Decisions.ProviderDecision<R>,
      key: PaymentKey
    ): Outcome<R | RefusalsOf<typeof notFound>> =>
      awaitOutcome(
        companyId,
        (attemptId) =>
          commands.run({
            load: "payment",
            args: { companyId, transaction, attempt: attemptId },
            key: storingPayment(key),
            decide: decision(attemptId),
            missing: () => notFound(transaction)
          }),
        key
      )

    /** Returns the current payment. A job continues its attempt. */
    const shown = (companyId: CompanyId, transaction: PaymentRef) =>
      withoutKey(
        commands.run({
          load: "payment",
          args: { companyId, transaction },
          decide: readPayment,
          missing: () => notFound(transaction)
        })
      ).pipe(Effect.map(({ payment }) => done(payment)))

    return {
      retry: Spans.fn("Payments.retry")((company, transaction, key) =>
        runDecision(company, transaction, Decisions.retry, key)
      ),
      capture: Spans.fn("Payments.capture")((company, transaction, key) =>
        runDecision(company, transaction, Decisions.capture, key)
      ),
      reverse: Spans.fn("Payments.reverse")((company, transaction, command, key) =>
        runDecision(company, transaction, Decisions.reverse(command, key !== undefined, entityOf(transaction)), key)
      ),
      cancel: Spans.fn("Payments.cancel")((company, transaction, key) =>
        runDecision(company, transaction, Decisions.cancel(entityOf(transaction)), key).pipe(
          Effect.catchTag("OutcomeUnknown", () => afterCommit(shown(company, transaction)))
        )
      ),
      waive: Spans.fn("Payments.waive")((company, transaction, key) =>
        runDecision(company, transaction, Decisions.waive, key)
      )
    }
  }
)

const entityOf = ({ typeId }: PaymentRef): Decisions.NamedEntity => (typeId === "charge" ? "Charge" : "Transaction")

const notFound = (ref: PaymentRef) => {
  switch (ref.typeId) {
    case "charge":
      return noCharge(ref.charge)
    case "attempt":
      return noTransaction({ typeId: "svcPayId" })
    default:
      return noTransaction(ref)
  }
}

/** Returns the payment, or fails if the provider denied the request. */
const outcomeOf = ({
  attempt,
  payment
}: PaymentResult): Effect.Effect<CommandOutcome<PaymentContext>, RefusalsOf<typeof finalDenialOf>> => {
  const denial = finalDenialOf(attempt)
  return denial === undefined ? Effect.succeed(done(payment)) : Effect.fail(denial)
}
