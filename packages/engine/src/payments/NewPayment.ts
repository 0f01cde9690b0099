/**
 * What adding a payment and creating a charge have in common.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CardInput } from "@parcela/core/cards/CardInput"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { underWayOf } from "@parcela/core/transactions/TransactionState"
import * as Effect from "effect/Effect"
import { PaymentAttempts } from "./PaymentAttempts.ts"
import {
  type Command,
  Commands,
  readingKey,
  type CommandOutcome,
  done,
  type KeyReused,
  readSubject,
  type RefusalsOf
} from "../command/Command.ts"
import type { CardQuery, PaymentContext } from "../command/LoadedPayments.ts"
import type { LoadName } from "../command/Loads.ts"
import { afterCommit, type StoreError } from "../ports/StoreError.ts"
import { CardVaulting, tried, type VaultingFailure } from "../cards/CardVaulting.ts"
import type { PaymentLeft } from "./PaymentDecisions.ts"
import { type PaymentKey, storingPayment } from "./PaymentKey.ts"
import { queryOf, type RequestedCard } from "../cards/RequestedCard.ts"
import * as ShowPayment from "./PaymentView.ts"

/**
 * What making a payment may fail with, beside what its own decisions refuse.
 *
 * @category errors
 * @since 0.1.0
 */
export type NewPaymentFailure =
  | RefusalsOf<ShowPayment.ShowPayment["respond"]>
  | KeyReused
  | StoreError
  | VaultingFailure

/**
 * A new payment: what it rests on, and what is decided with the card that its request means.
 *
 * @category models
 * @since 0.1.0
 */
export interface Creation<N extends LoadName, R, Missing> {
  readonly companyId: CompanyId
  readonly attemptId: AttemptId
  readonly card: CardInput | undefined
  readonly key: PaymentKey
  /** What is loaded, with the card that is looked for. */
  readonly unit: (card: CardQuery | undefined) => Pick<Command<N, PaymentLeft, R, Missing>, "args" | "load" | "missing">
  readonly decide: (requested: RequestedCard | undefined) => Command<N, PaymentLeft, R>["decide"]
}

/**
 * Makes a payment: a new card goes to the vault first, unless the payment is refused with it or its key is known; then it is
 * written, and its attempt is carried. When the provider's outcome is unknown, it is returned as it stands.
 *
 * @category models
 * @since 0.1.0
 */
export type MakePayment = <N extends LoadName, R, Missing>(
  creation: Creation<N, R, Missing>
) => Effect.Effect<CommandOutcome<PaymentContext>, NewPaymentFailure | R | Missing>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<MakePayment, never, CardVaulting | Commands | PaymentAttempts> = Effect.gen(
  function* () {
    const attempts = yield* PaymentAttempts
    const cardVaulting = yield* CardVaulting
    const commands = yield* Commands
    const { respond, resume } = yield* ShowPayment.make

    return Effect.fnUntraced(function* ({ attemptId, card, companyId, decide, key, unit }) {
      // Most payments have no card of their own, so the vault is left out before its span is begun.
      const taken =
        card === undefined
          ? done(undefined)
          : yield* cardVaulting.take(companyId, card, (expected) =>
              commands.run({ ...unit(expected.query), key: readingKey(key), decide: tried(expected, decide) })
            )
      const write = (requested: RequestedCard | undefined) =>
        commands.run({ ...unit(queryOf(requested)), key: storingPayment(key), decide: decide(requested) })
      const ran = taken._tag === "Done" ? yield* attempts.perform(attemptId, write(taken.value), key) : taken
      switch (ran._tag) {
        case "Replayed":
          return ran
        case "Resumed":
          return yield* afterCommit(resume(companyId, readSubject(ran.subject).id, key))
        case "Done": {
          const { attempt, payment } = ran.value
          // Written by a run whose commit had no response: the first command that finds it carries its attempt.
          if (attempt === undefined && underWayOf(payment.transaction) !== undefined) {
            return yield* afterCommit(resume(companyId, payment.transaction.id, key))
          }
          const isComplete = key === undefined || underWayOf(payment.transaction) === undefined
          return isComplete ? done(payment) : yield* afterCommit(respond(payment, key))
        }
      }
    })
  }
)
