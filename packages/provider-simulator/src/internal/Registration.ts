/**
 * Registration and cancellation of boletos and Pix charges, which the bank and the Pix provider share. A transaction is
 * registered once.
 *
 * @since 0.1.0
 */
import type { FinalDenial, CancellationOutcome } from "@parcela/core/attempts/AttemptOutcome"
import type { Cents } from "@parcela/core/money/Cents"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { LedgerEffect } from "../ProviderLedger.ts"
import * as Requests from "./ProviderRequests.ts"
import * as Transaction from "../StoreTransactions.ts"

interface Registering extends ProviderRequest {
  readonly value: Cents
  readonly dueDate: LocalDate
  readonly terms: object
}

/** A new registration, with the values of its columns. */
export interface Made<T> {
  readonly made: T
  readonly values: ReadonlyArray<string>
}

interface RegistrationOptions<R, T, O, E> {
  readonly provider: Parameters<typeof Requests.makeReceive>[0]
  readonly kind: "register" | "open"
  readonly table: Parameters<typeof makeCancellation>[0]
  /** The columns of the registration. */
  readonly columns: ReadonlyArray<string>
  /** The `SELECT` list of the registration, with the names of its fields. */
  readonly selected: string
  readonly outcomes: Schema.Codec<O | FinalDenial, O | FinalDenial>
  /** Called before the transaction. The result is dropped if the transaction has a registration. */
  readonly create: (request: R) => Effect.Effect<Result.Result<Made<T>, FinalDenial>, E>
  readonly outcomeOf: (made: T) => O
  /** The reference in the ledger. */
  readonly referenceOf: (outcome: O | FinalDenial) => string | undefined
}

const makeRows = <R extends Registering, T extends object>(
  table: string,
  own: ReadonlyArray<string>,
  selected: string
) => {
  const find = `SELECT ${selected} FROM ${table} WHERE transaction_id = ? AND canceled_at IS NULL`
  const renewed = ["company_id", "value", "due_date", "terms", "opened_at", ...own, "created_at"]
  // A cancelled registration is replaced.
  const insert = `
    ${Transaction.insertInto(table, ["transaction_id", ...renewed])}
    ON CONFLICT (transaction_id) DO UPDATE SET ${renewed.map((column) => `${column} = excluded.${column}`).join(", ")},
      canceled_at = NULL
    WHERE ${table}.canceled_at IS NOT NULL RETURNING transaction_id`

  return {
    *find({ transactionId }: R): Transaction.Body<T | undefined> {
      const [row] = yield* Transaction.read<T>(find, transactionId)
      return row === undefined ? undefined : { ...row }
    },
    /** Returns false if the transaction has a registration. */
    *insert({ at, companyId, dueDate, terms, transactionId, value }: R, values: Made<T>["values"], now: number) {
      const columnsOfRequest = [value, dueDate, JSON.stringify(terms), at]
      const inserted = yield* Transaction.write(insert, transactionId, companyId, ...columnsOfRequest, ...values, now)
      return inserted.length > 0
    }
  }
}

/**
 * Returns registration and cancellation at one provider.
 *
 * **Details**
 *
 * A repeated registration returns the first one until it is cancelled. Of two concurrent requests the first that is stored
 * counts.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* <
  R extends Registering,
  T extends object,
  O extends { readonly _tag: string },
  E
>({
  columns,
  create,
  kind,
  outcomeOf,
  outcomes,
  provider,
  referenceOf,
  selected,
  table
}: RegistrationOptions<R, T, O, E>) {
  const receive = yield* Requests.makeReceive(provider)
  const attempts = Requests.attemptsOf(outcomes)
  const cancel = makeCancellation(table)
  const rows = makeRows<R, T>(table, columns, selected)

  const fresh = (outcome: O | FinalDenial, effect: LedgerEffect = "none") => ({ outcome, effect })

  function* issue(
    request: R,
    created: Result.Result<Made<T>, FinalDenial>,
    now: number
  ): Transaction.Body<Requests.FirstOutcome<O | FinalDenial>> {
    const earlier = yield* rows.find(request)
    if (earlier !== undefined) return fresh(outcomeOf(earlier))
    if (Result.isFailure(created)) return fresh(created.failure)
    const { made, values } = created.success
    if (yield* rows.insert(request, values, now)) return fresh(outcomeOf(made), "registered")
    // A concurrent request was stored first.
    return fresh(outcomeOf((yield* rows.find(request)) ?? made))
  }

  function* register(
    request: R,
    created: Result.Result<Made<T>, FinalDenial>,
    now: number,
    planned: FinalDenial | undefined
  ) {
    const decideOrDeny = () => Requests.unlessDenied(planned, () => issue(request, created, now))
    const recorded = yield* attempts.once<never>({ ...request, kind }, now, decideOrDeny)
    return Requests.decisionOf(recorded, referenceOf(recorded.outcome))
  }

  return {
    register: Effect.fnUntraced(function* (request: R) {
      const created = yield* Effect.mapError(create(request), (cause) => new ProviderError({ provider, cause }))
      return yield* receive({ ...request, kind }, (now, planned) => register(request, created, now, planned))
    }),
    cancel: (request: ProviderRequest) =>
      receive({ ...request, kind: "cancel" }, (now, planned) => cancel(request, now, planned))
  }
})

const Outcome = Schema.Union([Schema.TaggedStruct("Cancelled", {}), Requests.FinallyDenied])

/**
 * Returns the cancellation of a registration. A missing or paid registration is denied. A repeated cancellation succeeds.
 */
const makeCancellation = (table: "boletos" | "pix_charges") => {
  const attempts = Requests.attemptsOf(Outcome)
  const cancel = `
    UPDATE ${table} SET canceled_at = ? WHERE transaction_id = ? AND canceled_at IS NULL AND paid_at IS NULL
    RETURNING transaction_id`
  const find = `SELECT paid_at FROM ${table} WHERE transaction_id = ?`

  function* decide(
    { transactionId }: ProviderRequest,
    now: number
  ): Transaction.Body<Requests.FirstOutcome<CancellationOutcome>> {
    const canceled: Requests.FirstOutcome<CancellationOutcome> = { outcome: { _tag: "Cancelled" }, effect: "canceled" }
    const changed = yield* Transaction.write(cancel, now, transactionId)
    if (changed.length > 0) return canceled
    const [existing] = yield* Transaction.read<{ paid_at: number | null }>(find, transactionId)
    if (existing === undefined) return unknown
    return existing.paid_at === null ? { ...canceled, effect: "none" as const } : paid
  }

  return function* (
    request: ProviderRequest,
    now: number,
    planned: FinalDenial | undefined
  ): Transaction.Body<Requests.Decision<CancellationOutcome>> {
    const attempt = { ...request, kind: "cancel" } as const
    const decideOrDeny = () => Requests.unlessDenied(planned, () => decide(request, now))
    return Requests.decisionOf(yield* attempts.once<never>(attempt, now, decideOrDeny), undefined)
  }
}

const unknown: Requests.FirstOutcome<CancellationOutcome> = {
  outcome: { _tag: "FinallyDenied", code: "notFound", message: "Nothing was registered for the transaction" },
  effect: "none"
}

const paid: Requests.FirstOutcome<CancellationOutcome> = {
  outcome: { _tag: "FinallyDenied", code: "paid", message: "The charge was paid" },
  effect: "none"
}
