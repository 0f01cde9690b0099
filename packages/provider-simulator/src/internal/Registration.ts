/**
 * What a bank and a Pix provider have in common: something is registered once for each transaction, kept in a table, and
 * taken back.
 *
 * @since 0.1.0
 */
import type { FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import type { Cents } from "@parcela/core/money/Cents"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { LedgerEffect } from "../ProviderLedger.ts"
import { SimulatorStore } from "../SimulatorStore.ts"
import * as Attempts from "./Attempts.ts"
import * as Cancellation from "./Cancellation.ts"
import * as Requests from "./Requests.ts"

/** What is to be paid, by when, and how. */
interface Registering extends ProviderRequest {
  readonly value: Cents
  readonly dueDate: LocalDate
  readonly terms: object
}

/** What was made for a transaction, and the columns of its table that say it. */
export interface Made<T> {
  readonly made: T
  readonly columns: Readonly<Record<string, string>>
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
>(options: {
  readonly provider: Parameters<typeof Requests.make>[0]
  readonly kind: "register" | "open"
  readonly table: Parameters<typeof Cancellation.make>[0]
  /** The columns of the table that are what was made, under its names. */
  readonly columns: string
  readonly outcomes: Schema.Codec<O | FinalDenial, string>
  readonly create: (request: R) => Effect.Effect<Result.Result<Made<T>, FinalDenial>, E>
  readonly outcomeOf: (made: T) => O
  /** The name that the ledger gives it. */
  readonly referenceOf: (outcome: O | FinalDenial) => string | undefined
}) {
  const { create, kind, outcomeOf, outcomes, provider, referenceOf, table } = options
  const sql = yield* SimulatorStore
  const receive = yield* Requests.make(provider)
  const attempts = yield* Attempts.make(outcomes)
  const cancel = yield* Cancellation.make(table)
  const columns = sql.literal(options.columns)

  const kept = ({ transactionId }: R) =>
    Effect.map(
      sql<T>`SELECT ${columns} FROM ${sql(table)} WHERE transaction_id = ${transactionId} AND canceled_at IS NULL`,
      ([row]): T | undefined => (row === undefined ? undefined : { ...row })
    )

  const keep = Effect.fnUntraced(function* (request: R, own: Made<T>["columns"]) {
    const { at, companyId, dueDate, terms, transactionId, value } = request
    const asked = { value, due_date: dueDate, terms: JSON.stringify(terms), opened_at: at }
    const row = { transaction_id: transactionId, company_id: companyId, ...asked, ...own }
    const made = { ...row, created_at: yield* Clock.currentTimeMillis }
    const { transaction_id: _, ...anew } = made
    // What was taken back is made anew, in its place.
    const inserted = yield* sql`
      INSERT INTO ${sql(table)} ${sql.insert(made)}
      ON CONFLICT (transaction_id) DO UPDATE SET ${sql.update({ ...anew, canceled_at: null })}
      WHERE ${sql(table)}.canceled_at IS NOT NULL RETURNING transaction_id`
    return inserted.length > 0
  })

  const issue = Effect.fnUntraced(function* (request: R) {
    const fresh = (outcome: O | FinalDenial, effect: LedgerEffect = "none") => ({ outcome, effect })
    const earlier = yield* kept(request)
    if (earlier !== undefined) return fresh(outcomeOf(earlier))
    const created = yield* create(request)
    if (Result.isFailure(created)) return fresh(created.failure)
    const { columns, made } = created.success
    if (yield* keep(request, columns)) return fresh(outcomeOf(made), "registered")
    // Another request registered the transaction meanwhile: what that one made counts.
    return fresh(outcomeOf((yield* kept(request)) ?? made))
  })

  const register = Effect.fnUntraced(function* (request: R, planned: FinalDenial | undefined) {
    const recorded = yield* attempts.once({ ...request, kind }, Attempts.unlessDenied(planned, issue(request)))
    return Attempts.decisionOf(recorded, referenceOf(recorded.outcome))
  })

  return {
    register: (request: R) => receive({ ...request, kind }, (planned) => register(request, planned)),
    cancel: (request: ProviderRequest) => receive({ ...request, kind: "cancel" }, (planned) => cancel(request, planned))
  }
})
