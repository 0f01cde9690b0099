/**
 * What adding a payment and creating a charge have in common: the card goes to the vault, the payment is written, and its
 * attempt is carried.
 *
 * @since 0.1.0
 */
import type { CardInput } from "@parcela/core/cards/CardInput"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { underWayOf } from "@parcela/core/transactions/TransactionState"
import * as Effect from "effect/Effect"
import type { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import type { Commands, Ran } from "../commands/Command.ts"
import { type CommandOutcome, done } from "../commands/CommandOutcome.ts"
import type { KeyReused } from "../commands/KeyReused.ts"
import { readSubject } from "../commands/KeySubject.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { PaymentContext } from "../ports/CommandStore.ts"
import { afterCommit, type StoreError } from "../ports/StoreError.ts"
import { CardVaulting, type ExpectedCard, type VaultingFailure } from "./CardVaulting.ts"
import type { PaymentLeft } from "./PaymentDecisions.ts"
import type { PaymentKey } from "./PaymentKey.ts"
import type { RequestedCard } from "./RequestedCard.ts"
import * as ShowPayment from "./ShowPayment.ts"

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
 * @category models
 * @since 0.1.0
 */
export interface NewPaymentSteps<Unchecked, Unwritten> {
  readonly companyId: CompanyId
  readonly card: CardInput | undefined
  readonly key: PaymentKey
  /** Finds a known key, and refuses what is refused with the card as it is expected. */
  readonly check: (expected: ExpectedCard) => Effect.Effect<Ran<void>, Unchecked>
  /** Writes the payment, and carries the attempt that it begins. */
  readonly write: (requested: RequestedCard | undefined) => Effect.Effect<Ran<PaymentLeft>, Unwritten>
}

/**
 * Makes a payment. When the provider's outcome is unknown, it is returned as it stands.
 *
 * @category models
 * @since 0.1.0
 */
export type MakePayment = <Unchecked, Unwritten>(
  steps: NewPaymentSteps<Unchecked, Unwritten>
) => Effect.Effect<CommandOutcome<PaymentContext>, NewPaymentFailure | Unchecked | Unwritten>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<MakePayment, never, CardVaulting | Commands | PaymentAttempts> = Effect.gen(
  function* () {
    const cardVaulting = yield* CardVaulting
    const { respond, resume } = yield* ShowPayment.make

    return Effect.fnUntraced(function* ({ card, check, companyId, key, write }) {
      const taken = yield* cardVaulting.take(companyId, card, check)
      const ran = taken._tag === "Done" ? yield* write(taken.value) : taken
      switch (ran._tag) {
        case "Replayed":
          return ran
        case "Resumed":
          return done(yield* afterCommit(resume(companyId, readSubject(ran.subject).id, key)))
        case "Done": {
          const { attempt, payment } = ran.value
          // Written by a run whose commit had no response: the first command that finds it carries its attempt.
          if (attempt === undefined && underWayOf(payment.transaction) !== undefined) {
            return done(yield* afterCommit(resume(companyId, payment.transaction.id, key)))
          }
          const isComplete = key === undefined || underWayOf(payment.transaction) === undefined
          return done(isComplete ? payment : yield* afterCommit(respond(payment, key)))
        }
      }
    })
  }
)
