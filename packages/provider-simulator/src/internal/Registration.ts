/**
 * What a bank and a Pix provider have in common: something is registered once for each transaction, kept in a table, and
 * taken back.
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
import * as Attempts from "./ProviderRequests.ts"
import * as Requests from "./ProviderRequests.ts"
import * as Transaction from "../StoreTransactions.ts"

/** What is to be paid, by when, and how. */
interface Registering extends ProviderRequest {
  readonly value: Cents
  readonly dueDate: LocalDate
  readonly terms: object
}

/** What was made for a transaction, and the values of the columns that say it. */
export interface Made<T> {
  readonly made: T
  readonly values: ReadonlyArray<string>
}

interface RegistrationOptions<R, T, O, E> {
  readonly provider: Parameters<typeof Requests.makeReceive>[0]
  readonly kind: "register" | "open"
  readonly table: Parameters<typeof makeCancellation>[0]
  /** The columns of the table that say what was made. */
  readonly columns: ReadonlyArray<string>
  /** What was made, as it is selected: its fields as names. */
  readonly selected: string
  readonly outcomes: Schema.Codec<O | FinalDenial, O | FinalDenial>
  /** Before the work in the store, which does not need it where something is registered. */
  readonly create: (request: R) => Effect.Effect<Result.Result<Made<T>, FinalDenial>, E>
  readonly outcomeOf: (made: T) => O
  /** The name that the ledger gives it. */
  readonly referenceOf: (outcome: O | FinalDenial) => string | undefined
}

/** What is registered in a table. */
const makeRows = <R extends Registering, T extends object>(
  table: string,
  own: ReadonlyArray<string>,
  selected: string
) => {
  const find = `SELECT ${selected} FROM ${table} WHERE transaction_id = ? AND canceled_at IS NULL`
  const anew = ["company_id", "value", "due_date", "terms", "opened_at", ...own, "created_at"]
  // What was taken back is made anew, in its place.
  const insert = `
    ${Transaction.insertInto(table, ["transaction_id", ...anew])}
    ON CONFLICT (transaction_id) DO UPDATE SET ${anew.map((column) => `${column} = excluded.${column}`).join(", ")},
      canceled_at = NULL
    WHERE ${table}.canceled_at IS NOT NULL RETURNING transaction_id`

  return {
    *kept({ transactionId }: R): Transaction.Body<T | undefined> {
      const [row] = yield* Transaction.read<T>(find, transactionId)
      return row === undefined ? undefined : { ...row }
    },
    /** False when something is registered. */
    *keep({ at, companyId, dueDate, terms, transactionId, value }: R, values: Made<T>["values"], now: number) {
      const asked = [value, dueDate, JSON.stringify(terms), at]
      const inserted = yield* Transaction.write(insert, transactionId, companyId, ...asked, ...values, now)
      return inserted.length > 0
    }
  }
}

/**
 * Registers at one provider, and cancels what was registered.
 *
 * **Details**
 *
 * Registering a transaction again returns what was made first, until that was taken back. Of two requests at once the first
 * to be kept counts.
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
  const attempts = Attempts.attemptsOf(outcomes)
  const cancel = makeCancellation(table)
  const rows = makeRows<R, T>(table, columns, selected)

  const fresh = (outcome: O | FinalDenial, effect: LedgerEffect = "none") => ({ outcome, effect })

  function* issue(
    request: R,
    created: Result.Result<Made<T>, FinalDenial>,
    now: number
  ): Transaction.Body<Attempts.FirstOutcome<O | FinalDenial>> {
    const earlier = yield* rows.kept(request)
    if (earlier !== undefined) return fresh(outcomeOf(earlier))
    if (Result.isFailure(created)) return fresh(created.failure)
    const { made, values } = created.success
    if (yield* rows.keep(request, values, now)) return fresh(outcomeOf(made), "registered")
    // Another request registered the transaction meanwhile: what that one made counts.
    return fresh(outcomeOf((yield* rows.kept(request)) ?? made))
  }

  function* register(
    request: R,
    created: Result.Result<Made<T>, FinalDenial>,
    now: number,
    planned: FinalDenial | undefined
  ) {
    const deciding = () => Attempts.unlessDenied(planned, () => issue(request, created, now))
    const recorded = yield* attempts.once<never>({ ...request, kind }, now, deciding)
    return Attempts.decisionOf(recorded, referenceOf(recorded.outcome))
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

const Outcome = Schema.Union([Schema.TaggedStruct("Cancelled", {}), Attempts.FinallyDenied])

/**
 * Cancels what a table holds. What is not there, or was paid, is denied; what was cancelled before stays so.
 *
 * @category constructors
 * @since 0.1.0
 */
const makeCancellation = (table: "boletos" | "pix_charges") => {
  const attempts = Attempts.attemptsOf(Outcome)
  const cancel = `
    UPDATE ${table} SET canceled_at = ? WHERE transaction_id = ? AND canceled_at IS NULL AND paid_at IS NULL
    RETURNING transaction_id`
  const find = `SELECT paid_at FROM ${table} WHERE transaction_id = ?`

  function* decide(
    { transactionId }: ProviderRequest,
    now: number
  ): Transaction.Body<Attempts.FirstOutcome<CancellationOutcome>> {
    const canceled: Attempts.FirstOutcome<CancellationOutcome> = { outcome: { _tag: "Cancelled" }, effect: "canceled" }
    const changed = yield* Transaction.write(cancel, now, transactionId)
    if (changed.length > 0) return canceled
    const [there] = yield* Transaction.read<{ paid_at: number | null }>(find, transactionId)
    if (there === undefined) return unknown
    return there.paid_at === null ? { ...canceled, effect: "none" as const } : paid
  }

  return function* (request: ProviderRequest, now: number, planned: FinalDenial | undefined) {
    const asked = { ...request, kind: "cancel" } as const
    const deciding = () => Attempts.unlessDenied(planned, () => decide(request, now))
    return Attempts.decisionOf(yield* attempts.once<never>(asked, now, deciding), undefined)
  }
}

const unknown: Attempts.FirstOutcome<CancellationOutcome> = {
  outcome: { _tag: "FinallyDenied", code: "notFound", message: "Nothing was registered for the transaction" },
  effect: "none"
}

const paid: Attempts.FirstOutcome<CancellationOutcome> = {
  outcome: { _tag: "FinallyDenied", code: "paid", message: "It was paid" },
  effect: "none"
}
