/**
 * The ledger of the simulated providers: every request that they received, and its effect.
 *
 * @since 0.1.0
 */
import { Cents } from "@parcela/core/money/Cents"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { Call } from "./InjectedFailures.ts"
import { SimulatorStore } from "./SimulatorStore.ts"

/**
 * The effect of a request at the provider. Only `captured` and `reversed` move money. A denial, a lookup and a repeated request
 * have the effect `none`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LedgerEffect = Schema.Literals([
  "none",
  "tokenized",
  "authorized",
  "captured",
  "reversed",
  "registered",
  "canceled"
])

/**
 * @category models
 * @since 0.1.0
 */
export type LedgerEffect = typeof LedgerEffect.Type

/**
 * A request that a provider received. It contains no card data: no number, no CVV, no mask and no token.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LedgerEntry = Schema.Struct({
  /** Grows with each request. */
  id: Schema.Int,
  provider: Schema.Literals(["card operator", "boleto bank", "Pix provider"]),
  call: Call,
  /** The idempotency key of the request; null for the vault. */
  attemptId: Schema.NullOr(AttemptId),
  /** Null for a request without a company. */
  companyId: Schema.NullOr(CompanyId),
  transactionId: Schema.NullOr(SvcPayId),
  /** In cents. Null for a request without a value. */
  value: Schema.NullOr(Cents),
  /** The name of the outcome (`Captured`, `Denied`, `Registered` ..). Null if the request was ignored. */
  outcome: Schema.NullOr(Schema.String),
  /** The code of a denial. */
  code: Schema.NullOr(Schema.String),
  /** The provider's reference: `tid`, barcode or `txid`. */
  reference: Schema.NullOr(Schema.String),
  effect: LedgerEffect,
  /** True if an earlier request of this attempt, or of this card, had the same response. */
  isRepeat: Schema.Boolean,
  /** The name of the injected failure. */
  fault: Schema.NullOr(Schema.String),
  /** The business time of the request. */
  at: Schema.NullOr(BusinessTime),
  receivedAt: MachineTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type LedgerEntry = typeof LedgerEntry.Type

/**
 * A filter of requests. An absent field matches every request.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LedgerFilter = Schema.Struct({
  companyId: Schema.optionalKey(CompanyId),
  attemptId: Schema.optionalKey(AttemptId),
  transactionId: Schema.optionalKey(SvcPayId)
})

/**
 * @category models
 * @since 0.1.0
 */
export type LedgerFilter = typeof LedgerFilter.Type

/** Maximum page size, and the default. */
const maxPageSize = 100

/**
 * @category services
 * @since 0.1.0
 */
export class ProviderLedger extends Context.Service<
  ProviderLedger,
  {
    /** Returns the matching requests with an id above `after`, in the order of their receipt. */
    readonly list: (
      filter?: LedgerFilter,
      page?: { readonly after?: number | undefined; readonly limit?: number | undefined }
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>, SqlError>
    /** Returns all matching requests. For tests, which have short ledgers. */
    readonly all: (filter?: LedgerFilter) => Effect.Effect<ReadonlyArray<LedgerEntry>, SqlError>
  }
>()("@parcela/provider-simulator/ProviderLedger") {
  static readonly layer: Layer.Layer<ProviderLedger, never, SimulatorStore> = Layer.effect(
    ProviderLedger,
    Effect.gen(function* () {
      const sql = yield* SimulatorStore

      const list = Effect.fn("ProviderLedger.list")(function* (
        { attemptId, companyId, transactionId }: LedgerFilter = {},
        {
          after = 0,
          limit = maxPageSize
        }: {
          readonly after?: number | undefined
          readonly limit?: number | undefined
        } = {}
      ) {
        const conditions = [
          sql`id > ${after}`,
          ...(companyId === undefined ? [] : [sql`company_id = ${companyId}`]),
          ...(attemptId === undefined ? [] : [sql`attempt_id = ${attemptId}`]),
          ...(transactionId === undefined ? [] : [sql`transaction_id = ${transactionId}`])
        ]
        const rows = yield* sql`
          SELECT id, provider, kind AS call, attempt_id AS "attemptId", company_id AS "companyId",
            transaction_id AS "transactionId", value, outcome, code, reference, effect, is_repeat AS "isRepeat", fault, at,
            received_at AS "receivedAt"
          FROM ledger WHERE ${sql.and(conditions)} ORDER BY id LIMIT ${Math.min(Math.max(1, limit), maxPageSize)}`
        return yield* Effect.orDie(decodeRows(rows))
      })

      const all = Effect.fnUntraced(function* (filter?: LedgerFilter) {
        const entries: Array<LedgerEntry> = []
        for (;;) {
          const page = yield* list(filter, { after: entries.at(-1)?.id })
          entries.push(...page)
          if (page.length < maxPageSize) return entries
        }
      })

      return ProviderLedger.of({ list, all })
    })
  )
}

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(LedgerEntry.mapFields((fields) => ({ ...fields, isRepeat: Schema.BooleanFromBit })))
)
