/**
 * Use case: send a payment that is due to its provider.
 *
 * @since 0.1.0
 */
import type { AttemptResult } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import { bySvcPayId, type SvcPayId } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import { PaymentAttempts } from "./PaymentAttempts.ts"
import { Commands, type KeyReused, type RefusalsOf, type CommandOutcome } from "../command/Command.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Settings } from "../Settings.ts"
import type { Sequences } from "../ports/Sequences.ts"
import { companyRestored, type StoreError, afterCommit } from "../ports/StoreError.ts"
import { makeName } from "./Instalments.ts"
import * as Decisions from "./SendDecisions.ts"
import * as Spans from "../Spans.ts"
import { isToBeRegisteredAnew, underWayOf } from "@parcela/core/transactions/TransactionState"
import * as Cause from "effect/Cause"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { logCause } from "../Supervised.ts"
import type { PaymentKey } from "./PaymentKey.ts"
import * as ShowPayment from "./PaymentView.ts"

/**
 * What became of a transaction that was due: when it is due again, if it was too early, or the outcome of its attempt.
 *
 * @category models
 * @since 0.1.0
 */
export interface Sent {
  readonly dueAt?: BusinessTime
  readonly outcome: AttemptResult["outcome"] | "unknown" | "not sent"
}

/**
 * Sends a transaction that is due, if it still wants that.
 *
 * @category models
 * @since 0.1.0
 */
export type SendPayment = (companyId: CompanyId, transaction: SvcPayId) => Effect.Effect<Sent, StoreError>

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
      function* (companyId, id): Effect.fn.Return<Sent, RefusalsOf<typeof Decisions.send> | KeyReused | StoreError> {
        const attemptId = yield* secrets.newAttemptId
        const next = yield* newName
        const begin = commands.run({
          load: "payment",
          args: { companyId, transaction: bySvcPayId(id), attempt: attemptId },
          decide: Decisions.send(attemptId, next, zone),
          // Due work is about what is there.
          missing: companyRestored
        })
        const ran = yield* attempts.perform(attemptId, begin)
        if (ran._tag !== "Done") return { outcome: "not sent" }
        const { attempt, dueAt } = ran.value
        if (attempt?.id === attemptId) return { outcome: attempt.result?.outcome ?? "unknown" }
        return dueAt === undefined ? { outcome: "not sent" } : { outcome: "not sent", dueAt }
      },
      // What is due was decided by the same rules: a refusal is a fault of ours.
      Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
    )
  }
)

/**
 * The outcome of an edit, once what it withdrew is registered anew. Where that does not come about in time, the payment
 * is shown as it stands: due work registers it.
 *
 * @category models
 * @since 0.1.0
 */
export type RegisterAnew = (
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
export const makeRegisterAgain: Effect.Effect<RegisterAnew, never, Commands | PaymentAttempts | Secrets | Sequences> =
  Effect.gen(function* () {
    const sendDue = yield* make
    const { resume } = yield* ShowPayment.make

    return Effect.fnUntraced(function* (companyId, edited, key) {
      if (edited._tag === "Replayed") return edited
      const { transaction } = edited.value
      const { id } = transaction
      if (isToBeRegisteredAnew(transaction)) {
        yield* sendDue(companyId, id).pipe(
          Effect.catch((error) => logCause(`Payment ${id} is registered again later`, Cause.fail(error)))
        )
      } else if (underWayOf(transaction) === undefined) return edited
      return yield* afterCommit(resume(companyId, id, key))
    })
  })
