/**
 * The records of attempts: their payment, their outcome, their lease, and the response under the `Idempotency-Key` of
 * the command that started them.
 *
 * @since 0.1.0
 */
import { type Attempt, AttemptId } from "@parcela/core/attempts/Attempt"
import { type AttemptOutcome, resultOf } from "@parcela/core/attempts/AttemptOutcome"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import { MachineTime } from "@parcela/core/time/Instant"
import { mustRegisterAgain, pendingAttemptOf } from "@parcela/core/transactions/TransactionState"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import { randomBackoff } from "@parcela/core/attempts/Backoff"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Secrets } from "../authentication/Secrets.ts"
import { type Command, Commands, withoutKey } from "../command/Command.ts"
import { type KeyPart, type KeyUse, storingView } from "../command/IdempotencyKey.ts"
import { type RefusalsOf } from "../command/Decided.ts"
import { LeaseOwner } from "../command/LeaseOwner.ts"
import type { PaymentContext, PaymentRef } from "../command/LoadedPayments.ts"
import { DueWork, type LeasedWork, type TakeRequest } from "../ports/DueWork.ts"
import { companyRestored, type StoreError } from "../ports/StoreError.ts"
import { machineNow } from "../ports/WriteContext.ts"
import { Settings } from "../Settings.ts"
import { supervised } from "../Supervised.ts"
import { conclude, readPayment, type PaymentResult, termsOf } from "./PaymentDecisions.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface AttemptRecords {
  /** Returns the current payment with the named attempt. */
  readonly load: (
    companyId: CompanyId,
    transaction: PaymentRef,
    attempt?: AttemptId
  ) => Effect.Effect<PaymentContext, StoreError>
  /**
   * Records the outcome of an attempt and completes the key. A final denial does not complete the key, because a repeat
   * reads the denial from the attempt. If the store fails after its reruns, the attempt remains open and a worker asks
   * the provider for the outcome again.
   */
  readonly record: (
    attempt: Attempt,
    payment: PaymentContext,
    outcome: AttemptOutcome,
    key: PaymentKey
  ) => Effect.Effect<PaymentContext, StoreError>
  /** Completes the key with a payment whose attempt has ended, except after a final denial. */
  readonly complete: (
    payment: PaymentContext,
    attempt: Attempt | undefined,
    key: PaymentKey
  ) => Effect.Effect<PaymentContext, StoreError>
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<AttemptRecords, never, Commands | Secrets> = Effect.gen(function* () {
  const commands = yield* Commands
  const secrets = yield* Secrets

  const run = (
    command: Omit<Command<"payment", PaymentResult, RefusalsOf<typeof conclude>>, "load" | "missing">
  ): Effect.Effect<PaymentContext, StoreError> =>
    withoutKey(commands.run({ load: "payment", missing: companyRestored, ...command })).pipe(
      Effect.map(({ payment }) => payment),
      // A transaction and its attempts are written together. A refusal means inconsistent rows.
      Effect.catchTag("BillingError", Effect.die)
    )

  const recordOutcome = (
    attempt: Attempt,
    payment: PaymentContext,
    outcome: AttemptOutcome,
    key: PaymentKey,
    documentKey = ""
  ) =>
    run({
      args: { companyId: attempt.companyId, transaction: bySvcPayId(attempt.transactionId), attempt: attempt.id },
      loaded: payment,
      key: completing(isFinalDenial(attempt, outcome) ? undefined : key),
      decide: conclude(attempt.id, outcome, { documentKey, terms: termsOf(payment.owner) })
    })

  return {
    load: (companyId, transaction, attempt) => run({ args: { companyId, transaction, attempt }, decide: readPayment }),
    record: (attempt, payment, outcome, key) =>
      // Only a boleto or a Pix has a document with an address of its own.
      attempt.kind === "register"
        ? Effect.flatMap(secrets.newDocumentKey, (documentKey) =>
            recordOutcome(attempt, payment, outcome, key, documentKey)
          )
        : recordOutcome(attempt, payment, outcome, key),
    complete: (payment, attempt, key) => {
      if (key === undefined || finalDenialOf(attempt) !== undefined || mustRegisterAgain(payment.transaction)) {
        return Effect.succeed(payment)
      }
      const args = { companyId: payment.companyId, transaction: bySvcPayId(payment.transaction.id) }
      // The payment may have changed since it was loaded. The key stores the returned version, so that a repeat gets
      // the same response.
      const shown = completing({ name: key.name, respond: () => key.respond(payment) })
      return Effect.as(run({ args, key: shown, decide: readPayment }), payment)
    }
  }
})

const isFinalDenial = (attempt: Attempt, outcome: AttemptOutcome): boolean =>
  finalDenialOf({ ...attempt, result: resultOf(outcome, attempt.startedAt) }) !== undefined

/** Delays before a worker asks about an attempt without an outcome. Each delay doubles the previous one. */
const firstBackoff = Duration.seconds(1)
const maxBackoff = Duration.minutes(10)

/** The problem stored with the job of an attempt without an outcome. */
export const noOutcome = "No outcome yet"

/**
 * @category models
 * @since 0.1.0
 */
export interface AttemptLeases {
  /**
   * Leases the attempt for this process. Also succeeds if this process already holds the lease. Returns none if another
   * process holds the lease or the attempt has ended.
   */
  readonly take: (id: AttemptId) => Effect.Effect<Option.Option<LeasedWork>, StoreError>
  /** Renews this process's lease of the attempt until the effect is interrupted. */
  readonly renewing: (id: AttemptId) => Effect.Effect<never>
  /** Releases the lease of an attempt without an outcome. A worker then asks about the attempt soon. */
  readonly release: (lease: LeasedWork) => Effect.Effect<void, StoreError>
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeLeases: Effect.Effect<AttemptLeases, never, DueWork | LeaseOwner> = Effect.gen(function* () {
  const dueWork = yield* DueWork
  const owner = yield* LeaseOwner
  const { attemptLease } = yield* Settings
  const requestFor = (id: AttemptId) =>
    Effect.map(machineNow, (now): TakeRequest => {
      const until = MachineTime.make(now + Duration.toMillis(attemptLease))
      return { kind: "resolve attempt", subject: id, owner, now, until }
    })
  const interval = Duration.times(attemptLease, 1 / 3)
  const renew = (id: AttemptId) => Effect.andThen(Effect.sleep(interval), Effect.flatMap(requestFor(id), dueWork.renew))
  return {
    take: (id) => Effect.flatMap(requestFor(id), dueWork.take),
    renewing: (id) => supervised(`renewal of the lease of attempt ${id}`, renew(id), () => Effect.void),
    release: Effect.fnUntraced(function* (lease) {
      const now = yield* machineNow
      const wait = yield* randomBackoff(lease.failures, firstBackoff, maxBackoff)
      const dueAt = MachineTime.make(now + Duration.toMillis(wait))
      yield* dueWork.postpone(lease, { clock: "machine", dueAt, waitsSince: now, problem: noOutcome })
    })
  }
})

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentKey = KeyUse<PaymentContext> | undefined

/**
 * Returns the key part of the first transaction. The response is stored at once, unless the payment waits for its
 * provider.
 *
 * @category conversions
 * @since 0.1.0
 */
export const storingPayment = (key: PaymentKey): KeyPart<PaymentResult> | undefined =>
  storingView(key, ({ attempt, payment }) =>
    pendingAttemptOf(payment.transaction) === undefined && finalDenialOf(attempt) === undefined ? payment : undefined
  )

/**
 * Returns the key part of a later transaction, which adds the response to the stored key.
 *
 * No response is stored while an attempt is open or a withdrawn payment waits for its new registration. A repeat then
 * returns the current payment.
 *
 * @category conversions
 * @since 0.1.0
 */
export const completing = (key: PaymentKey): KeyPart<PaymentResult> | undefined =>
  key === undefined
    ? undefined
    : {
        _tag: "Complete",
        name: key.name,
        respond: ({ payment: { transaction }, payment }) =>
          pendingAttemptOf(transaction) === undefined && !mustRegisterAgain(transaction)
            ? key.respond(payment)
            : undefined
      }

/**
 * Returns the refusal of a reversal or cancellation that the provider denied, or undefined for other attempts. A denial
 * must be an error: the payment is unchanged, so its status would not show the denial.
 *
 * @category getters
 * @since 0.1.0
 */
export const finalDenialOf = (attempt: Attempt | undefined): RefusedBy<"DeniedByProvider"> | undefined => {
  if (attempt?.result?.outcome !== "denied" || (attempt.kind !== "reverse" && attempt.kind !== "cancel")) {
    return undefined
  }
  const { code = "", message = "" } = attempt.result
  return refuse({ _tag: "DeniedByProvider", provider: attempt.provider, code, message })
}

/**
 * The provider's outcome of an attempt is unknown.
 *
 * **Gotchas**
 *
 * This error does not mean that the attempt failed. The attempt remains open, and a worker asks the provider about it.
 * If the client repeats the command, the command joins this attempt and starts no second one.
 *
 * @category errors
 * @since 0.1.0
 */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", { attemptId: AttemptId }) {
  override get message() {
    return `The outcome of attempt ${this.attemptId} is not known yet`
  }
}
