/**
 * The requests that the simulated providers received, and what they did: the providers' record, not the service's.
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
 * What a request changed at the provider. Money moves with `captured` and `reversed` alone; a denial, a look-up and a
 * request that was asked again change nothing.
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
 * One request that a provider received. There is no card in it: no number, no CVV, no mask and no key.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LedgerEntry = Schema.Struct({
  /** Grows with each request of the store. */
  id: Schema.Int,
  provider: Schema.Literals(["card operator", "boleto bank", "Pix provider"]),
  call: Call,
  /** The idempotency key of the request; null for the vault. */
  attemptId: Schema.NullOr(AttemptId),
  /** Null where the request names none. */
  companyId: Schema.NullOr(CompanyId),
  transactionId: Schema.NullOr(SvcPayId),
  /** In cents; null where the request has none. */
  value: Schema.NullOr(Cents),
  /** The outcome, by name (`Captured`, `Denied`, `Registered` ..); null where nothing was decided. */
  outcome: Schema.NullOr(Schema.String),
  /** The code of a denial. */
  code: Schema.NullOr(Schema.String),
  /** The provider's own name of what came to be: `tid`, barcode or `txid`. */
  reference: Schema.NullOr(Schema.String),
  effect: LedgerEffect,
  /** The attempt was made before (or the card was sent before), and this response is the same one. */
  isRepeat: Schema.Boolean,
  /** The planned fault that befell the request or its response, by name. */
  fault: Schema.NullOr(Schema.String),
  /** The company's business time that the request named. */
  at: Schema.NullOr(BusinessTime),
  receivedAt: MachineTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type LedgerEntry = typeof LedgerEntry.Type

/**
 * Which requests are listed; what is left out does not matter.
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

/** The most entries of one page, and the default. */
const longestPage = 100

/**
 * @category services
 * @since 0.1.0
 */
export class ProviderLedger extends Context.Service<
  ProviderLedger,
  {
    /** A page of the requests that the filter names and whose id is above `after`, in the order they were received. */
    readonly list: (
      filter?: LedgerFilter,
      page?: { readonly after?: number | undefined; readonly limit?: number | undefined }
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>, SqlError>
    /** All of them, page by page: for tests, whose ledgers are short. */
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
          limit = longestPage
        }: {
          readonly after?: number | undefined
          readonly limit?: number | undefined
        } = {}
      ) {
        const named = [
          sql`id > ${after}`,
          ...(companyId === undefined ? [] : [sql`company_id = ${companyId}`]),
          ...(attemptId === undefined ? [] : [sql`attempt_id = ${attemptId}`]),
          ...(transactionId === undefined ? [] : [sql`transaction_id = ${transactionId}`])
        ]
        const rows = yield* sql`
          SELECT id, provider, kind AS call, attempt_id AS "attemptId", company_id AS "companyId",
            transaction_id AS "transactionId", value, outcome, code, reference, effect, is_repeat AS "isRepeat", fault, at,
            received_at AS "receivedAt"
          FROM ledger WHERE ${sql.and(named)} ORDER BY id LIMIT ${Math.min(Math.max(1, limit), longestPage)}`
        return yield* Effect.orDie(decodeRows(rows))
      })

      const all = Effect.fnUntraced(function* (filter?: LedgerFilter) {
        const entries: Array<LedgerEntry> = []
        for (;;) {
          const page = yield* list(filter, { after: entries.at(-1)?.id })
          entries.push(...page)
          if (page.length < longestPage) return entries
        }
      })

      return ProviderLedger.of({ list, all })
    })
  )
}

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(LedgerEntry.mapFields((fields) => ({ ...fields, isRepeat: Schema.BooleanFromBit })))
)
