/**
 * Use case: retry a payment (interface section 4.3).
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import { type BillingError, refuse } from "@parcela/core/errors/BillingError"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, type EntityRef, type SvcPayId } from "@parcela/core/values/Identifier"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import { Commands } from "../commands/Command.ts"
import type { KeyReused } from "../commands/KeyReused.ts"
import { OutcomeUnknown } from "../attempts/OutcomeUnknown.ts"
import type { PaymentContext } from "../ports/CommandStore.ts"
import { Secrets } from "../authentication/Secrets.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { logCause } from "../workers/StoreOutage.ts"
import type { CommandOutcome } from "../commands/CommandOutcome.ts"
import * as Decisions from "./PaymentDecisions.ts"
import { type PaymentKey, storing } from "./PaymentKey.ts"
import * as ShowPayment from "./ShowPayment.ts"
import { readSubject } from "../commands/KeySubject.ts"

/**
 * Tries a capture again. Two at once are one attempt, and both get its outcome; one that comes while an outcome is
 * unknown joins that attempt.
 *
 * @category models
 * @since 0.1.0
 */
export type RetryPayment = (
  companyId: CompanyId,
  transaction: EntityRef,
  key?: PaymentKey
) => Effect.Effect<CommandOutcome<PaymentContext>, BillingError | KeyReused | OutcomeUnknown | StoreError>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<RetryPayment, never, Commands | PaymentAttempts | Secrets> = Effect.gen(function* () {
  const attempts = yield* PaymentAttempts
  const commands = yield* Commands
  const secrets = yield* Secrets
  const { resume } = yield* ShowPayment.make

  /** The payment with the outcome of an attempt that another began, or an earlier run under the key. */
  const join = (companyId: CompanyId, id: SvcPayId, attemptId: AttemptId, key: PaymentKey) =>
    attempts.join(companyId, bySvcPayId(id), attemptId, key).pipe(
      // The attempt was committed before the store failed: what became of it is not known here.
      Effect.catchTag("StoreError", (error) =>
        Effect.as(logCause(`Attempt ${attemptId}: the store could not be read`, Cause.fail(error)), undefined)
      ),
      // Without an outcome the status is still the one before, and would read as the outcome of this attempt.
      Effect.flatMap((ended) =>
        ended === undefined ? Effect.fail(new OutcomeUnknown({ attemptId })) : Effect.succeed(done(ended))
      )
    )

  return Effect.fn("Payments.retry")(function* (companyId, transaction, key) {
    const attemptId = yield* secrets.newAttemptId
    const begin = commands.run({
      load: "payment",
      args: { companyId, transaction },
      key: storing(key),
      decide: Decisions.retry(attemptId),
      missing: () => refuse({ _tag: "TransactionNotFound", typeId: transaction.typeId })
    })
    const ran = yield* attempts.perform(attemptId, begin, key)
    switch (ran._tag) {
      case "Replayed":
        return ran
      case "Resumed": {
        const subject = readSubject(ran.subject)
        return subject.attemptId === undefined
          ? done(yield* resume(companyId, subject.id, key))
          : yield* join(companyId, subject.id, subject.attemptId, key)
      }
      case "Done": {
        const { attempt, payment } = ran.value
        if (attempt === undefined || attempt.result !== undefined) return done(payment)
        if (attempt.id === attemptId) return yield* new OutcomeUnknown({ attemptId })
        return yield* join(companyId, payment.transaction.id, attempt.id, key)
      }
    }
  })
})

const done = <A>(value: A) => ({ _tag: "Done", value }) as const
