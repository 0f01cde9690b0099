/**
 * Use case: send a due payment to its provider, also again after a withdrawal.
 *
 * @since 0.1.0
 */
import type { AttemptResult } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/Instant"
import { bySvcPayId, type SvcPayId } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import { PaymentAttempts } from "./PaymentAttempts.ts"
import { Commands, type CommandOutcome } from "../command/Command.ts"
import { type KeyReused } from "../command/IdempotencyKey.ts"
import { type RefusalsOf } from "../command/Decided.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Settings } from "../Settings.ts"
import type { Sequences } from "../ports/Sequences.ts"
import { companyRestored, type StoreError, afterCommit } from "../ports/StoreError.ts"
import { makeName } from "./Instalments.ts"
import * as Decisions from "./SendDecisions.ts"
import * as Spans from "../Spans.ts"
import { mustRegisterAgain, pendingAttemptOf } from "@parcela/core/transactions/TransactionState"
import * as Cause from "effect/Cause"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { logCause } from "../Supervised.ts"
import type { PaymentKey } from "./AttemptRecords.ts"
import * as ShowPayment from "./ShowPayment.ts"

/**
 * The result of a due job: the outcome of the attempt, and the new due time if the job ran too early.
 *
 * @category models
 * @since 0.1.0
 */
export interface SendResult {
  readonly dueAt?: BusinessTime
  readonly outcome: AttemptResult["outcome"] | "unknown" | "not sent"
}

/**
 * Sends a due transaction, if it is still to be sent.
 *
 * @category models
 * @since 0.1.0
 */
export type SendPayment = (companyId: CompanyId, transaction: SvcPayId) => Effect.Effect<SendResult, StoreError>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<SendPayment, never, Commands | PaymentAttempts | Secrets | Sequences> = Effect.gen(
  function* () {
    const attempts = yield* PaymentAttempts
    const commands = yield* Commands
    const secrets = yield* Secrets
    const newName = yield* makeName
    const { zone } = yield* Settings
    return Spans.fn("Payments.sendDue")(
      function* (
        companyId,
        id
      ): Effect.fn.Return<SendResult, RefusalsOf<typeof Decisions.send> | KeyReused | StoreError> {
        const attemptId = yield* secrets.newAttemptId
        const next = yield* newName
        const begin = commands.run({
          load: "payment",
          args: { companyId, transaction: bySvcPayId(id), attempt: attemptId },
          decide: Decisions.send(attemptId, next, zone),
          // Entities are never deleted individually, so only a restore explains a missing payment.
          missing: companyRestored
        })
        const ran = yield* attempts.perform(attemptId, begin)
        if (ran._tag !== "Done") return { outcome: "not sent" }
        const { attempt, dueAt } = ran.value
        if (attempt?.id === attemptId) return { outcome: attempt.result?.outcome ?? "unknown" }
        return dueAt === undefined ? { outcome: "not sent" } : { outcome: "not sent", dueAt }
      },
      // The job was scheduled by the same rules, so a refusal is a defect of this program.
      Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
    )
  }
)

/**
 * Registers a payment again that an edit withdrew, and returns the result of the edit. If the registration fails, the
 * returned payment is unregistered and a job registers it later.
 *
 * @category models
 * @since 0.1.0
 */
export type RegisterAgain = (
  companyId: CompanyId,
  edited: CommandOutcome<PaymentContext>,
  key: PaymentKey
) => Effect.Effect<
  CommandOutcome<PaymentContext>,
  RefusalsOf<ShowPayment.ShowPayment["resume"]> | KeyReused | StoreError
>

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeRegisterAgain: Effect.Effect<RegisterAgain, never, Commands | PaymentAttempts | Secrets | Sequences> =
  Effect.gen(function* () {
    const sendDue = yield* make
    const { resume } = yield* ShowPayment.make

    return Effect.fnUntraced(function* (companyId, edited, key) {
      if (edited._tag === "Replayed") return edited
      const { transaction } = edited.value
      const { id } = transaction
      if (mustRegisterAgain(transaction)) {
        yield* sendDue(companyId, id).pipe(
          Effect.catch((error) => logCause(`Payment ${id} is registered again later`, Cause.fail(error)))
        )
      } else if (pendingAttemptOf(transaction) === undefined) return edited
      return yield* afterCommit(resume(companyId, id, key))
    })
  })
