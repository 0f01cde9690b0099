/**
 * Payers of boletos and Pix charges at the simulated providers, and the providers' reports of payments.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { AmountDue } from "@parcela/core/money/AmountDue"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/Instant"
import type { IncomingPayment } from "@parcela/core/transactions/IncomingReport"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import { Settings } from "@parcela/engine/Settings"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { companyRestoresOf } from "./StoreTransactions.ts"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as Payables from "./internal/Payables.ts"
import { SimulatorStore } from "./SimulatorStore.ts"

/**
 * The provider refuses the payment: there is no registration, it is cancelled or expired, the Pix is already paid, the amount
 * of a Pix is wrong, or the name belongs to another order.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotPayable extends Schema.TaggedError<NotPayable>()("NotPayable", {
  reason: Schema.Literals(["NotRegistered", "Cancelled", "Expired", "PaidAlready", "OtherValue", "OtherOrder"]),
  /** The amount due, if it is known. */
  due: Schema.optionalKey(Cents)
}) {
  override get message() {
    return this.reason === "OtherValue" ? `${sentences.OtherValue}: ${this.due ?? 0} cents` : sentences[this.reason]
  }
}

const sentences = {
  NotRegistered: "There is nothing to pay: only a boleto or a Pix with a code can be paid here",
  Cancelled: "It was cancelled: its provider refuses the payment",
  Expired: "It has expired: its provider refuses the payment",
  PaidAlready: "A Pix can be paid only once",
  OtherValue: "A Pix can be paid only with the amount due",
  OtherOrder:
    "An order with that name paid another transaction, another value or another number of times: choose another name"
} as const

/**
 * An order to pay a transaction, at a time of the company's clock.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentOrder {
  readonly companyId: CompanyId
  readonly transactionId: SvcPayId
  readonly at: BusinessTime
  /** In cents. Defaults to the amount due. */
  readonly value?: Cents | undefined
  /** Number of payments. Defaults to 1. */
  readonly times?: number | undefined
  /** Name of the order. A repeated name is the same order, which is paid once. */
  readonly name?: string | undefined
}

/**
 * A payment in the provider's store.
 *
 * @category models
 * @since 0.1.0
 */
export interface Payment {
  /** Grows with each payment. */
  readonly number: number
  readonly id: string
  readonly method: "boleto" | "pix"
  readonly transactionId: SvcPayId
  readonly value: Cents
  readonly paidAt: BusinessTime
  /** Time of the report to the service. */
  readonly reportAt: BusinessTime
  /** True if the service acknowledged the report. */
  readonly isAcknowledged: boolean
}

/**
 * A page of payments.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentPage {
  /** The number of the last payment of the previous page, or 0. */
  readonly after: number
  readonly limit: number
  /** Only payments of this transaction. */
  readonly transactionId?: SvcPayId | undefined
}

/**
 * @category services
 * @since 0.1.0
 */
export class Payers extends Context.Service<
  Payers,
  {
    /** Makes all payments of an order or none. */
    readonly pay: (order: PaymentOrder) => Effect.Effect<ReadonlyArray<Payment>, NotPayable | ProviderError>
    /** Returns the amount due at a time of the company's clock, with discount, fine and interest. */
    readonly due: (order: PaymentOrder) => Effect.Effect<AmountDue, NotPayable | ProviderError>
    /** Returns the payments of a company, or of one transaction, oldest first. */
    readonly list: (companyId: CompanyId, page: PaymentPage) => Effect.Effect<ReadonlyArray<Payment>, ProviderError>
    /** The methods of the port `PaymentReports`. */
    readonly reports: {
      readonly list: (
        companyId: CompanyId,
        now: BusinessTime,
        limit: number
      ) => Effect.Effect<ReadonlyArray<IncomingPayment>, ProviderError>
      readonly acknowledge: (
        payment: IncomingPayment,
        since: { readonly restores: number }
      ) => Effect.Effect<void, ProviderError>
      readonly next: (companyId: CompanyId) => Effect.Effect<Option.Option<BusinessTime>, ProviderError>
    }
  }
>()("@parcela/provider-simulator/Payers") {
  /** The payers, with the caller's source of random numbers. */
  static readonly layerNoDeps: Layer.Layer<Payers, never, SimulatorStore | SecureRandom.SecureRandom> = Layer.effect(
    Payers,
    Effect.gen(function* () {
      const deps: Deps = {
        sql: yield* SimulatorStore,
        random: yield* SecureRandom.SecureRandom,
        zone: (yield* Settings).zone
      }
      return Payers.of({
        pay: Effect.fn("Payers.pay")((order: PaymentOrder) => deps.sql.withTransaction(pay(deps, order)), lost),
        due: Effect.fn("Payers.due")(
          (order: PaymentOrder) => Effect.map(payableOf(deps, order), ({ due }) => due),
          lost
        ),
        list: Effect.fn("Payers.list")(
          (companyId: CompanyId, { after, limit, transactionId }: PaymentPage) =>
            select(
              deps.sql,
              deps.sql`
              WHERE company_id = ${companyId} AND payments.id > ${after}
                ${transactionId === undefined ? deps.sql`` : deps.sql`AND transaction_id = ${transactionId}`}
              ORDER BY payments.id LIMIT ${limit}`
            ),
          lostOnly
        ),
        reports: makeReports(deps.sql)
      })
    })
  )
}

interface Deps {
  readonly sql: SqlClient.SqlClient
  readonly random: SecureRandom.SecureRandom["Service"]
  readonly zone: (typeof Settings)["Service"]["zone"]
}

/** Fee of the provider for each payment, in cents. */
const fees = { boleto: 199, pix: 99 }

/** Bank and Pix provider share one store. */
const provider = "boleto bank or Pix provider"

/** Converts failures of the providers' store to `ProviderError`. */
const lost = <A, R>(effect: Effect.Effect<A, unknown, R>) =>
  Effect.mapError(effect, (cause) => (cause instanceof NotPayable ? cause : new ProviderError({ provider, cause })))

/** Like `lost`, for effects without `NotPayable`. */
const lostOnly = <A, R>(effect: Effect.Effect<A, unknown, R>) =>
  Effect.mapError(effect, (cause) => new ProviderError({ provider, cause }))

const Row = Schema.Struct({
  number: Schema.Int,
  id: Schema.String,
  method: Schema.Literals(["boleto", "pix"]),
  transactionId: SvcPayId,
  reference: Schema.String,
  value: Cents,
  fee: Cents,
  paidAt: BusinessTime,
  reportAt: BusinessTime,
  isAcknowledged: Schema.BooleanFromBit
})

const select = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, where: Fragment) {
  const rows = yield* sql`
    SELECT id AS number, payment_id AS id, method, transaction_id AS "transactionId", reference, value, fee,
      paid_at AS "paidAt", report_at AS "reportAt",
      CASE WHEN acknowledged_at IS NULL THEN 0 ELSE 1 END AS "isAcknowledged"
    FROM payments ${where}`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Row))(rows)
})

/** Returns the registration and the amount due, or fails if the order cannot be paid. */
const payableOf = Effect.fnUntraced(function* ({ sql, zone }: Deps, { at, companyId, transactionId }: PaymentOrder) {
  const payable = yield* Payables.find(sql, companyId, transactionId)
  if (payable === undefined) return yield* new NotPayable({ reason: "NotRegistered" })
  const due = Payables.dueAt(payable, at, zone)
  if (payable.canceledAt !== null) return yield* new NotPayable({ reason: "Cancelled" })
  if (payable.method === "pix" && payable.paidAt !== null) return yield* new NotPayable({ reason: "PaidAlready" })
  if (at >= Payables.closesAt(payable, zone)) return yield* new NotPayable({ reason: "Expired" })
  return { payable, due }
})

const pay = Effect.fnUntraced(function* (deps: Deps, order: PaymentOrder) {
  const { random, sql, zone } = deps
  const { at, companyId, name, times = 1, transactionId } = order
  // Concurrent orders with one name are one order.
  yield* companyRestoresOf(sql).lock(companyId)
  const named = (known: string) => select(sql, sql`WHERE company_id = ${companyId} AND name = ${known} ORDER BY part`)
  const earlier = name === undefined ? [] : yield* named(name)
  const isOther = (made: Payment) =>
    made.transactionId !== transactionId || made.value !== (order.value ?? made.value) || earlier.length !== times
  if (earlier.some(isOther)) {
    return yield* new NotPayable({ reason: "OtherOrder" })
  }
  if (earlier.length > 0) return earlier
  const { due, payable } = yield* payableOf(deps, order)
  const { method, reference } = payable
  const value = order.value ?? due.total
  if (method === "pix" && times > 1) return yield* new NotPayable({ reason: "PaidAlready" })
  if (method === "pix" && value !== due.total) return yield* new NotPayable({ reason: "OtherValue", due: due.total })
  if (!(yield* Payables.claim(sql, method, transactionId, at))) return yield* new NotPayable({ reason: "Cancelled" })
  const ids: Array<string> = []
  for (let part = 1; part <= times; part++) {
    const id =
      method === "pix" ? yield* Payables.newEndToEndId(random, at) : `999-${Hex.encode(yield* random.randomBytes(8))}`
    ids.push(id)
    yield* sql`INSERT INTO payments ${sql.insert({
      method,
      payment_id: id,
      company_id: companyId,
      transaction_id: transactionId,
      reference,
      value,
      fee: Math.min(fees[method], value),
      paid_at: at,
      report_at: Payables.reportAt(payable, at, zone),
      name: name ?? null,
      part,
      created_at: yield* Clock.currentTimeMillis
    })}`
  }
  return yield* select(sql, sql`WHERE method = ${method} AND ${sql.in("payment_id", ids)} ORDER BY payments.id`)
})

/** Every request for reports returns all unacknowledged payments. */
const makeReports = (sql: SqlClient.SqlClient): Payers["Service"]["reports"] => {
  const restores = companyRestoresOf(sql)
  return {
    list: Effect.fn("Payers.reports.list")(function* (companyId: CompanyId, now: BusinessTime, limit: number) {
      const found = yield* select(
        sql,
        sql`WHERE company_id = ${companyId} AND acknowledged_at IS NULL AND report_at <= ${now}
        ORDER BY report_at, payments.id LIMIT ${limit}`
      )
      return found.map(({ fee, id, method, paidAt, reference, value }) => {
        const kind = method === "pix" ? "txid" : "barcode"
        const report: IncomingPayment = {
          method,
          id,
          reference: { kind, value: reference },
          value,
          paidAt,
          fee,
          companyId
        }
        return report
      })
    }, lostOnly),
    acknowledge: Effect.fn("Payers.reports.acknowledge")(function* (
      report: IncomingPayment,
      since: { readonly restores: number }
    ) {
      const { companyId, id, method } = report
      const now = yield* Clock.currentTimeMillis
      const note = sql`
      UPDATE payments SET acknowledged_at = ${now}
      WHERE method = ${method} AND payment_id = ${id} AND acknowledged_at IS NULL`
      // Fails after a restore, because the company no longer has the report.
      yield* companyId === undefined
        ? note
        : sql.withTransaction(Effect.andThen(restores.check(companyId, since.restores), note))
    }, lostOnly),
    next: Effect.fn("Payers.reports.next")(function* (companyId: CompanyId) {
      const [row] = yield* sql<{ at: number | null }>`
      SELECT min(report_at) AS at FROM payments WHERE company_id = ${companyId} AND acknowledged_at IS NULL`
      return Option.map(Option.fromNullishOr(row?.at), (at) => BusinessTime.make(Number(at)))
    }, lostOnly)
  }
}
