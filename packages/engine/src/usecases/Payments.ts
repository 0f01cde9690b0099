/**
 * Use cases: add a payment to a subscription, and retry one (interface sections 4.1 and 4.3).
 *
 * @since 0.1.0
 */
import type { AddPayment } from "@parcela/core/AddPayment"
import { type BillingError, refuse } from "@parcela/core/BillingError"
import type { AttemptId } from "@parcela/core/AttemptId"
import type { CardInput } from "@parcela/core/CardInput"
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EpochMillis } from "@parcela/core/EpochMillis"
import { bySvcPayId, type EntityRef, type SvcPayId } from "@parcela/core/Identifier"
import { underWayOf } from "@parcela/core/TransactionState"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import { Commands, type KeyPart, type KeyUse } from "../commands/Command.ts"
import type { KeyReused } from "../commands/KeyReused.ts"
import { OutcomeUnknown } from "../OutcomeUnknown.ts"
import type { OutsideError } from "../OutsideError.ts"
import type { PaymentContext } from "../ports/CommandStore.ts"
import { Secrets } from "../Secrets.ts"
import { Sequences } from "../Sequences.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../StoreError.ts"
import { logCause } from "../StoreOutage.ts"
import { Cardholding } from "./Cardholding.ts"
import { type CardInHand, queryOf } from "./CardInHand.ts"
import type { Completed } from "./Completed.ts"
import * as Decisions from "./PaymentDecisions.ts"
import { readSubject, type Subject } from "./Subject.ts"

type PaymentKey = KeyUse<PaymentContext> | undefined

/**
 * @category services
 * @since 0.1.0
 */
export class Payments extends Context.Service<
  Payments,
  {
    /**
     * Adds a payment. A card payment that is due, a boleto and a Pix are taken to their provider before it returns; when
     * the provider's outcome is unknown, the transaction is returned as it stands.
     */
    readonly add: (
      companyId: CompanyId,
      subscription: EntityRef,
      command: AddPayment,
      key?: PaymentKey
    ) => Effect.Effect<Completed<PaymentContext>, BillingError | KeyReused | OutsideError | StoreError>
    /**
     * Tries a capture again. Two at once are one attempt, and both get its outcome; one that comes while an outcome is
     * unknown joins that attempt.
     */
    readonly retry: (
      companyId: CompanyId,
      transaction: EntityRef,
      key?: PaymentKey
    ) => Effect.Effect<Completed<PaymentContext>, BillingError | KeyReused | OutcomeUnknown | StoreError>
    /** Sends a transaction that is due, if it still wants that; returns when it is due again, if it was too early. */
    readonly sendDue: (
      companyId: CompanyId,
      transaction: SvcPayId
    ) => Effect.Effect<EpochMillis | undefined, StoreError>
    /** A transaction as it stands; an attempt that is under way is waited for, or resolved, first. */
    readonly show: (
      companyId: CompanyId,
      transaction: EntityRef
    ) => Effect.Effect<PaymentContext, BillingError | StoreError>
  }
>()("@parcela/engine/usecases/Payments") {
  static readonly layer: Layer.Layer<Payments, never, Cardholding | Commands | PaymentAttempts | Secrets | Sequences> =
    Layer.effect(
      Payments,
      Effect.gen(function* () {
        const attempts = yield* PaymentAttempts
        const cardholding = yield* Cardholding
        const commands = yield* Commands
        const secrets = yield* Secrets
        const sequences = yield* Sequences
        const { zone } = yield* Settings

        /** The payment as it stands, once the attempt that is under way has ended or its outcome stays unknown. */
        const settled = Effect.fnUntraced(function* (payment: PaymentContext, key: PaymentKey) {
          const { company, transaction } = payment
          const way = underWayOf(transaction)
          if (way === undefined) return payment
          const ended = yield* attempts.join(company.id, bySvcPayId(transaction.id), way.attemptId, key)
          return ended ?? payment
        })

        const look = Effect.fnUntraced(function* (
          companyId: CompanyId,
          transaction: EntityRef,
          key?: KeyPart<Decisions.PaymentLeft>
        ) {
          const ran = yield* commands.run({
            load: "payment",
            args: { companyId, transaction },
            key,
            decide: (found) => Decisions.look(found),
            missing: () => refuse({ _tag: "TransactionNotFound", typeId: transaction.typeId })
          })
          // A key that is completed is not looked at.
          return ran._tag === "Done" ? ran.value.payment : yield* Effect.die(new Error("A look met a key"))
        })

        const show = Effect.fn("Payments.show")(
          function* (companyId: CompanyId, transaction: EntityRef) {
            return yield* settled(yield* look(companyId, transaction), undefined)
          },
          Effect.catchTag("KeyReused", Effect.die)
        )

        /** The payment as its response shows it, stored under the key: an outcome that comes later changes no response. */
        const toldOf = ({ company, transaction }: PaymentContext, key: PaymentKey) =>
          look(company.id, bySvcPayId(transaction.id), key === undefined ? undefined : completing(key))

        /** What an earlier run of the same add wrote: its outcome completes the key. */
        const resumeAdd = Effect.fnUntraced(function* (companyId: CompanyId, { id }: Subject, key: PaymentKey) {
          const payment = yield* settled(yield* look(companyId, bySvcPayId(id)), key)
          return yield* toldOf(payment, key)
        })

        /** Hands a card to the vault, unless the payment is refused anyway: a vault forgets nothing. */
        const takeCard = Effect.fnUntraced(function* (
          companyId: CompanyId,
          subscription: EntityRef,
          { myId }: AddPayment,
          input: CardInput,
          key: PaymentKey
        ) {
          const ran = yield* commands.run({
            load: "newPayment",
            args: { companyId, subscription, myId },
            key: key === undefined ? undefined : { _tag: "Store", name: key.name, respond: () => undefined },
            decide: Decisions.mayBeAdded(myId),
            missing: () => refuse({ _tag: "SubscriptionNotFound", typeId: subscription.typeId })
          })
          return ran._tag === "Done"
            ? ({ _tag: "Done", value: yield* cardholding.take(companyId, input) } as const)
            : ran
        })

        const writeAdd = Effect.fnUntraced(function* (
          companyId: CompanyId,
          subscription: EntityRef,
          command: AddPayment,
          inHand: CardInHand | undefined,
          key: PaymentKey
        ) {
          const ids = { attemptId: yield* secrets.newAttemptId, transactionId: yield* sequences.next("transaction") }
          const begin = commands.run({
            load: "newPayment",
            args: { companyId, subscription, myId: command.myId, card: queryOf(inHand) },
            key: key === undefined ? undefined : storing(key),
            decide: Decisions.add(command, inHand, ids, zone),
            missing: () => refuse({ _tag: "SubscriptionNotFound", typeId: subscription.typeId })
          })
          return yield* attempts.perform(ids.attemptId, begin, key)
        })

        const add = Effect.fn("Payments.add")(function* (
          companyId: CompanyId,
          subscription: EntityRef,
          command: AddPayment,
          key?: PaymentKey
        ) {
          const input = command.PaymentMethodCreditCard?.Card
          const taken =
            input === undefined
              ? ({ _tag: "Done", value: undefined } as const)
              : yield* takeCard(companyId, subscription, command, input, key)
          const ran =
            taken._tag === "Done" ? yield* writeAdd(companyId, subscription, command, taken.value, key) : taken
          switch (ran._tag) {
            case "Replayed":
              return ran
            case "Resumed":
              return done(yield* resumeAdd(companyId, readSubject(ran.subject), key))
            case "Done": {
              const { payment } = ran.value
              return done(underWayOf(payment.transaction) === undefined ? payment : yield* toldOf(payment, key))
            }
          }
        })

        /** The payment with the outcome of an attempt that another began, or an earlier run under the key. */
        const joined = Effect.fnUntraced(
          function* (companyId: CompanyId, id: SvcPayId, attemptId: AttemptId, key: PaymentKey) {
            const ended = yield* attempts.join(companyId, bySvcPayId(id), attemptId, key)
            // Without an outcome the status is still the one before, and would read as the outcome of this attempt.
            return ended === undefined ? yield* new OutcomeUnknown({ attemptId }) : done(ended)
          },
          (effect, _companyId, _id, attemptId) =>
            // The attempt was committed before the store failed: what became of it is not known here.
            Effect.catchTag(effect, "StoreError", (error) =>
              Effect.andThen(
                logCause(`Attempt ${attemptId}: the store could not be read`, Cause.fail(error)),
                new OutcomeUnknown({ attemptId })
              )
            )
        )

        const retry = Effect.fn("Payments.retry")(function* (
          companyId: CompanyId,
          transaction: EntityRef,
          key?: PaymentKey
        ) {
          const attemptId = yield* secrets.newAttemptId
          const begin = commands.run({
            load: "payment",
            args: { companyId, transaction },
            key: key === undefined ? undefined : storing(key),
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
                ? done(yield* resumeAdd(companyId, subject, key))
                : yield* joined(companyId, subject.id, subject.attemptId, key)
            }
            case "Done": {
              const { attempt, payment } = ran.value
              if (attempt === undefined || attempt.result !== undefined) return done(payment)
              if (attempt.id === attemptId) return yield* new OutcomeUnknown({ attemptId })
              return yield* joined(companyId, payment.transaction.id, attempt.id, key)
            }
          }
        })

        const sendDue = Effect.fn("Payments.sendDue")(
          function* (companyId: CompanyId, id: SvcPayId) {
            const attemptId = yield* secrets.newAttemptId
            const begin = commands.run({
              load: "payment",
              args: { companyId, transaction: bySvcPayId(id) },
              decide: Decisions.send(attemptId, zone),
              missing: () => refuse({ _tag: "TransactionNotFound", typeId: "svcPayId" })
            })
            const ran = yield* attempts.perform(attemptId, begin)
            return ran._tag === "Done" ? ran.value.dueAt : undefined
          },
          // What is due was decided by the same rules: a refusal is a fault of ours.
          Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
        )

        return Payments.of({ add, retry, sendDue, show })
      })
    )
}

const done = <A>(value: A) => ({ _tag: "Done", value }) as const

/** The key with what the first unit writes: with the response, unless that waits for a provider. */
const storing = ({ name, respond }: KeyUse<PaymentContext>): KeyPart<Decisions.PaymentLeft> => ({
  _tag: "Store",
  name,
  respond: ({ payment }) => (underWayOf(payment.transaction) === undefined ? respond(payment) : undefined)
})

const completing = ({ name, respond }: KeyUse<PaymentContext>): KeyPart<Decisions.PaymentLeft> => ({
  _tag: "Complete",
  name,
  respond: ({ payment }) => respond(payment)
})
