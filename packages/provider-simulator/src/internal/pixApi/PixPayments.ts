/**
 * Payments of charges at the simulated API Pix, and `GET /pix`.
 *
 * @since 0.1.0
 */
import { amountDue } from "@parcela/core/money/AmountDue"
import { Cents } from "@parcela/core/money/Cents"
import { Percentage } from "@parcela/core/money/Percentage"
import { daysBetween } from "@parcela/core/time/LocalDate"
import { dateAt } from "@parcela/core/time/Instant"
import { pixClosesAt } from "@parcela/core/transactions/TransactionDeadlines"
import { DueDateCharge, ImmediateCharge, ReceivedPix } from "@parcela/pix-api/messages/Charge"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Transaction from "../../StoreTransactions.ts"
import type { StoredCharge } from "./PixCharges.ts"
import { invalidOperation, type PixResponse, problem } from "./Responses.ts"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import type { SimulatedPixClient } from "./PixClients.ts"
import { SimulatorStore } from "../../SimulatorStore.ts"

const Row = Schema.Struct({
  endToEndId: Schema.String,
  txid: Schema.String,
  companyId: Schema.Int,
  value: Cents,
  paidAt: Schema.Int,
  reportTries: Schema.Int
})

/**
 * A row of a payment.
 *
 * @category models
 * @since 0.1.0
 */
export type StoredPayment = typeof Row.Type

const decodeRows = Schema.decodeUnknownSync(Schema.Array(Row))
const decodeImmediate = Schema.decodeSync(ImmediateCharge)
const decodeDueDate = Schema.decodeSync(DueDateCharge)
const encodePix = Schema.encodeSync(ReceivedPix)

const columns = `
  end_to_end_id AS "endToEndId", txid, company_id AS "companyId", value, paid_at AS "paidAt", report_tries AS "reportTries"`

const findPayments = `SELECT ${columns} FROM pix_api_payments WHERE txid = ? ORDER BY paid_at, end_to_end_id`

const complete = "UPDATE pix_api_charges SET status = 'CONCLUIDA' WHERE txid = ? AND status = 'ATIVA' RETURNING txid"

const insert = Transaction.insertInto("pix_api_payments", [
  "end_to_end_id",
  "txid",
  "company_id",
  "value",
  "paid_at",
  "report_at",
  "report_tries"
])

/**
 * Returns the payments of a charge.
 *
 * @category getters
 * @since 0.1.0
 */
export function* of(txid: string): Transaction.Body<ReadonlyArray<StoredPayment>> {
  return decodeRows(yield* Transaction.read(findPayments, txid))
}

/**
 * Pays a charge with the amount due today, under an unused end-to-end id. Fails with the response of the payer's bank if the
 * charge cannot be paid.
 *
 * @category commands
 * @since 0.1.0
 */
export function* pay(
  charge: StoredCharge,
  endToEndId: string,
  now: number
): Transaction.Body<Result.Result<StoredPayment, PixResponse>> {
  if (charge.status !== "ATIVA") return Result.fail(invalidOperation(charge.kind, `A cobrança está ${charge.status}`))
  const due = dueOf(charge, now)
  if (Result.isFailure(due)) return Result.fail(due.failure)
  const { companyId, txid } = charge
  const paid: StoredPayment = { endToEndId, txid, companyId, value: due.success, paidAt: now, reportTries: 0 }
  const completed = yield* Transaction.write(complete, txid)
  // A concurrent request paid or removed the charge.
  if (completed.length === 0) return Result.fail(invalidOperation(charge.kind, "A cobrança não está mais ATIVA"))
  yield* Transaction.write(insert, endToEndId, txid, companyId, paid.value, now, now, 0)
  return Result.succeed(paid)
}

/**
 * Returns the query of payments, oldest first.
 *
 * @category constructors
 * @since 0.1.0
 */
export const listing = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (where: ReturnType<typeof sql.and>, limit = 1_000, offset = 0) {
    const rows = yield* sql`
      SELECT ${sql.literal(columns)} FROM pix_api_payments WHERE ${where} ORDER BY paid_at, end_to_end_id
      LIMIT ${limit} OFFSET ${offset}`
    return decodeRows(rows)
  })

/** Returns the amount due, or the response that refuses the payment. */
const dueOf = ({ body, createdAt, kind }: StoredCharge, now: number): Result.Result<Cents, PixResponse> => {
  if (body.kind === "cob") {
    const { calendario, valor } = decodeImmediate(body.charge)
    return now < createdAt + calendario.expiracao * 1_000
      ? Result.succeed(valor.original)
      : Result.fail(invalidOperation(kind, "A cobrança expirou"))
  }
  return dueOn(decodeDueDate(body.charge), now)
}

/** Returns the amount due today of a charge with a due date. Of several discounts the largest applies. */
const dueOn = ({ calendario, valor }: DueDateCharge, now: number): Result.Result<Cents, PixResponse> => {
  const { abatimento, desconto, juros, multa, original } = valor
  const { dataDeVencimento: due, validadeAposVencimento: value } = calendario
  // `openedAt` only matters for a deadline in minutes.
  if (now >= pixClosesAt({ payday: due, openedAt: now }, { Deadline: { type: "days", value } })) {
    return Result.fail(invalidOperation("cobv", "A cobrança expirou"))
  }
  if (abatimento !== undefined || (multa?.modalidade ?? 2) !== 2 || (juros?.modalidade ?? 3) !== 3) {
    return Result.fail(invalidOperation("cobv", "O simulador paga multa em 2, juros em 3 e nenhum abatimento"))
  }
  const terms = {
    value: original,
    fine: Percentage.make(multa?.valorPerc ?? 0),
    interest: Percentage.make(juros?.valorPerc ?? 0),
    due,
    paidOn: dateAt(now)
  }
  const discounts = (desconto?.descontoDataFixa ?? []).map(({ data, valorPerc }) => ({
    qtdDaysBeforePayDay: daysBetween(data, due),
    type: desconto?.modalidade === 1 ? ("fixed" as const) : ("percent" as const),
    value: valorPerc
  }))
  return Result.all([undefined, ...discounts].map((discount) => amountDue({ ...terms, discount }))).pipe(
    Result.map((amounts) => Cents.make(Math.min(...amounts.map(({ total }) => total)))),
    Result.mapError(() => invalidOperation("cobv", "O valor com multa e juros não é pagável"))
  )
}

/**
 * Returns a payment for callbacks and lists.
 *
 * @category conversions
 * @since 0.1.0
 */
export const pixOf = ({ endToEndId, paidAt, txid, value }: StoredPayment, chave: string) =>
  encodePix({ endToEndId, txid, valor: value, horario: DateTime.makeUnsafe(paidAt), chave })

const page = (minimum: number, maximum: number) =>
  Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum }))

const Query = Schema.Struct({
  inicio: Schema.DateTimeUtcFromString,
  fim: Schema.DateTimeUtcFromString,
  txid: Schema.optionalKey(Schema.String),
  "paginacao.paginaAtual": Schema.optionalKey(page(0, 1_000_000)),
  "paginacao.itensPorPagina": Schema.optionalKey(page(1, 1_000))
})

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeReceipts = Effect.gen(function* () {
  const sql = yield* SimulatorStore
  const list = listing(sql)

  return {
    list: Effect.fnUntraced(function* (client: SimulatedPixClient, request: HttpServerRequest.HttpServerRequest) {
      const url = new URL(request.url, "http://localhost")
      const query = Option.getOrUndefined(decodeQuery(HttpServerRequest.searchParamsFromURL(url)))
      if (query === undefined) return problem(400, "PixConsultaInvalida", "inicio e fim são datas, a paginação números")
      const { "paginacao.itensPorPagina": size = 100, "paginacao.paginaAtual": current = 0, fim, inicio, txid } = query
      const where = sql.and([
        sql`company_id = ${client.companyId}`,
        sql`paid_at >= ${DateTime.toEpochMillis(inicio)}`,
        sql`paid_at <= ${DateTime.toEpochMillis(fim)}`,
        ...(txid === undefined ? [] : [sql`txid = ${txid}`])
      ])
      const found = yield* list(where, size, current * size)
      const [counted] = yield* sql<{ total: number }>`SELECT count(*) AS total FROM pix_api_payments WHERE ${where}`
      const total = Number(counted?.total ?? 0)
      const paginacao = {
        paginaAtual: current,
        itensPorPagina: size,
        quantidadeDePaginas: Math.max(1, Math.ceil(total / size)),
        quantidadeTotalDeItens: total
      }
      const parametros = { inicio: DateTime.formatIso(inicio), fim: DateTime.formatIso(fim), paginacao }
      const pix = found.map((payment) => pixOf(payment, client.key))
      return { status: 200, body: { parametros, pix } } satisfies PixResponse
    }),
    find: Effect.fnUntraced(function* (client: SimulatedPixClient, endToEndId: string) {
      const where = sql.and([sql`company_id = ${client.companyId}`, sql`end_to_end_id = ${endToEndId}`])
      const [payment] = yield* list(where)
      return payment === undefined
        ? problem(404, "PixNaoEncontrado", "Não há Pix com este endToEndId")
        : ({ status: 200, body: pixOf(payment, client.key) } satisfies PixResponse)
    })
  }
})

const decodeQuery = Schema.decodeUnknownOption(Query)
