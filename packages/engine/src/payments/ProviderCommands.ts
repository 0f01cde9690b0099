/**
 * Use cases that ask a provider about a payment, and respond with its outcome or with none: retry (interface section
 * 4.3), reverse, capture and cancel.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ReverseTransaction } from "@parcela/core/transactions/ReverseTransaction"
import { bySvcPayId, type SvcPayId } from "@parcela/core/values/Identifier"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { finalDenialOf, OutcomeUnknown, type PaymentKey, storingPayment } from "./PaymentKey.ts"
import { PaymentAttempts } from "./PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import {
  Commands,
  type CommandResult,
  withoutKey,
  type CommandOutcome,
  done,
  type KeyReused,
  readSubject,
  type RefusalsOf
} from "../command/Command.ts"
import type { PaymentContext, PaymentRef } from "../command/LoadedPayments.ts"
import { isCompanyRestored, type StoreError } from "../ports/StoreError.ts"
import { logCause } from "../Supervised.ts"
import { noCharge, noTransaction } from "../command/Missing.ts"
import { look, type PaymentLeft } from "./PaymentDecisions.ts"
import * as Decisions from "./ProviderDecisions.ts"
import * as ShowPayment from "./PaymentView.ts"
import * as Spans from "../Spans.ts"

/**
 * What waiting for the outcome of an attempt may fail with, beside what its decision refuses.
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
 * A command on a payment. Two at once that ask for the same are one attempt, and both get its outcome; one that comes
 * while an outcome is unknown joins that attempt. `Decision` says what it refuses.
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
  /** Tries a capture again. */
  readonly retry: ProviderCommand<typeof Decisions.retry>
  /** Captures what is authorized. */
  readonly capture: ProviderCommand<typeof Decisions.capture>
  /** Gives card money back, whole or in part; releases what is authorized. */
  readonly reverse: (
    companyId: CompanyId,
    transaction: PaymentRef,
    command: ReverseTransaction,
    key?: PaymentKey
  ) => Outcome<RefusalsOf<typeof Decisions.reverse | typeof notFound>>
  /**
   * Cancels what has not been paid; a boleto or a Pix is withdrawn at its provider first. No money moves, so an unknown
   * outcome is no failure: the payment is returned as it is, and due work goes on with the withdrawal.
   */
  readonly cancel: ProviderCommand<ReturnType<typeof Decisions.cancel>>
  /** Waives what has not been paid; a boleto or a Pix is withdrawn at its provider first. */
  readonly waive: ProviderCommand<typeof Decisions.waive>
}

/**
 * Runs what may begin an attempt, and waits for the outcome of the attempt that it began or joined.
 *
 * @category models
 * @since 0.1.0
 */
export type AwaitOutcome = <E>(
  companyId: CompanyId,
  begin: (attemptId: AttemptId) => Effect.Effect<CommandResult<PaymentLeft>, E>,
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

    /** The payment with the outcome of an attempt that another began, or an earlier run under the key. */
    const join = (companyId: CompanyId, id: SvcPayId, attemptId: AttemptId, key: PaymentKey) =>
      attempts.join(companyId, bySvcPayId(id), attemptId, key).pipe(
        // The attempt was committed before the store failed: what became of it is not known here.
        Effect.catchTag("StoreError", (error) =>
          isCompanyRestored(error)
            ? Effect.fail(error)
            : Effect.as(logCause(`Attempt ${attemptId}: the store could not be read`, Cause.fail(error)), undefined)
        ),
        // Without an outcome the status is still the one before, and would read as the outcome of this attempt.
        Effect.flatMap((ended): Outcome =>
          ended === undefined
            ? Effect.fail(new OutcomeUnknown({ attemptId }))
            : outcomeOf({ payment: ended, attempt: ended.attempts.find(({ id }) => id === attemptId) })
        ),
        Effect.flatMap((outcome) => (outcome._tag === "Done" ? stored(outcome.value, key) : Effect.succeed(outcome)))
      )

    return Effect.fnUntraced(function* <E>(
      companyId: CompanyId,
      begin: (attemptId: AttemptId) => Effect.Effect<CommandResult<PaymentLeft>, E>,
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
            ? yield* resume(companyId, subject.id, key)
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

    const asked = <R>(
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

    /** The payment as it is: due work goes on with its attempt. */
    const shown = (companyId: CompanyId, transaction: PaymentRef) =>
      withoutKey(
        commands.run({
          load: "payment",
          args: { companyId, transaction },
          decide: look,
          missing: () => notFound(transaction)
        })
      ).pipe(Effect.map(({ payment }) => done(payment)))

    return {
      retry: Spans.fn("Payments.retry")((company, transaction, key) =>
        asked(company, transaction, Decisions.retry, key)
      ),
      capture: Spans.fn("Payments.capture")((company, transaction, key) =>
        asked(company, transaction, Decisions.capture, key)
      ),
      reverse: Spans.fn("Payments.reverse")((company, transaction, command, key) =>
        asked(company, transaction, Decisions.reverse(command, key !== undefined, entityOf(transaction)), key)
      ),
      cancel: Spans.fn("Payments.cancel")((company, transaction, key) =>
        asked(company, transaction, Decisions.cancel(entityOf(transaction)), key).pipe(
          Effect.catchTag("OutcomeUnknown", () => shown(company, transaction))
        )
      ),
      waive: Spans.fn("Payments.waive")((company, transaction, key) =>
        asked(company, transaction, Decisions.waive, key)
      )
    }
  }
)

const entityOf = ({ typeId }: PaymentRef): Decisions.AskedEntity => (typeId === "charge" ? "Charge" : "Transaction")

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

/** The payment, unless its provider denied what was asked for. */
const outcomeOf = ({
  attempt,
  payment
}: PaymentLeft): Effect.Effect<CommandOutcome<PaymentContext>, RefusalsOf<typeof finalDenialOf>> => {
  const denial = finalDenialOf(attempt)
  return denial === undefined ? Effect.succeed(done(payment)) : Effect.fail(denial)
}
