/**
 * The shared steps of adding a payment and of creating a charge.
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
import type { PaymentResult } from "./PaymentDecisions.ts"
import { type PaymentKey, storingPayment } from "./PaymentKey.ts"
import { queryOf, type RequestedCard } from "../cards/RequestedCard.ts"
import * as ShowPayment from "./PaymentView.ts"

/**
 * The failures of a new payment, in addition to the refusals of its own decisions.
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
 * A new payment: its load and its decision.
 *
 * @category models
 * @since 0.1.0
 */
export interface Creation<N extends LoadName, R, Missing> {
  readonly companyId: CompanyId
  readonly attemptId: AttemptId
  readonly card: CardInput | undefined
  readonly key: PaymentKey
  /** Returns the load, with the card to search for. */
  readonly unit: (
    card: CardQuery | undefined
  ) => Pick<Command<N, PaymentResult, R, Missing>, "args" | "load" | "missing">
  readonly decide: (requested: RequestedCard | undefined) => Command<N, PaymentResult, R>["decide"]
}

/**
 * Creates a payment: stores a new card in the vault, writes the payment, and executes its attempt. The card is not
 * stored if the payment would be refused or its key is known. If the provider's outcome is unknown, the returned
 * payment is still open.
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
      // Most payments have no card, so the span of the vault starts only for a card.
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
          // An earlier run wrote the payment, and the reply to its commit was lost. This command executes its
          // attempt.
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
