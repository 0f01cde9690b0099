/**
 * Payments of the charges of the simulator of API Pix.
 *
 * @since 0.1.0
 */
import { amountDue } from "@parcela/core/money/AmountDue"
import { Cents } from "@parcela/core/money/Cents"
import { Percentage } from "@parcela/core/money/Percentage"
import { daysBetween } from "@parcela/core/time/LocalDate"
import { dateAt } from "@parcela/core/time/WallClock"
import { pixClosesAt } from "@parcela/core/transactions/PaymentDeadline"
import { DueDateCharge, ImmediateCharge } from "@parcela/pix-api/messages/Charge"
import { ReceivedPix } from "@parcela/pix-api/messages/ReceivedPix"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SimulatorStore } from "../../SimulatorStore.ts"
import * as PayerEndToEndId from "../PayerEndToEndId.ts"
import type { KeptCharge } from "./Charges.ts"
import { invalidOperation, type Said } from "./Problems.ts"

const Row = Schema.Struct({
  endToEndId: Schema.String,
  txid: Schema.String,
  companyId: Schema.Int,
  value: Cents,
  paidAt: Schema.Int,
  reportTries: Schema.Int
})

/**
 * A payment as the store has it.
 *
 * @category models
 * @since 0.1.0
 */
export type KeptPayment = typeof Row.Type

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))
const decodeImmediate = Schema.decodeEffect(ImmediateCharge)
const decodeDueDate = Schema.decodeEffect(DueDateCharge)
const encodePix = Schema.encodeSync(ReceivedPix)

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const sql = yield* SimulatorStore
  const random = yield* SecureRandom.SecureRandom
  const columns = sql.literal(
    `end_to_end_id AS "endToEndId", txid, company_id AS "companyId", value, paid_at AS "paidAt", report_tries AS "reportTries"`
  )

  const list = Effect.fnUntraced(function* (where: ReturnType<typeof sql.and>, limit = 1_000, offset = 0) {
    return yield* decodeRows(
      yield* sql`
        SELECT ${columns} FROM pix_api_payments WHERE ${where} ORDER BY paid_at, end_to_end_id
        LIMIT ${limit} OFFSET ${offset}`
    )
  })

  /** Pays a charge with what is due today; refuses what cannot be paid, as the payer's bank would. */
  const pay = Effect.fnUntraced(function* (charge: KeptCharge) {
    const now = yield* Clock.currentTimeMillis
    if (charge.status !== "ATIVA") return Result.fail(invalidOperation(charge.kind, `A cobrança está ${charge.status}`))
    const due = yield* dueOf(charge, now)
    if (Result.isFailure(due)) return Result.fail(due.failure)
    const endToEndId = yield* PayerEndToEndId.make(random, now)
    const { companyId, txid } = charge
    const paid: KeptPayment = { endToEndId, txid, companyId, value: due.success, paidAt: now, reportTries: 0 }
    const taken = yield* sql`
      UPDATE pix_api_charges SET status = 'CONCLUIDA' WHERE txid = ${txid} AND status = 'ATIVA' RETURNING txid`
    // Another request paid or removed it meanwhile.
    if (taken.length === 0) return Result.fail(invalidOperation(charge.kind, "A cobrança não está mais ATIVA"))
    yield* sql`INSERT INTO pix_api_payments ${sql.insert({
      end_to_end_id: endToEndId,
      txid,
      company_id: companyId,
      value: paid.value,
      paid_at: now,
      report_at: now,
      report_tries: 0,
      reported_at: null
    })}`
    return Result.succeed(paid)
  })

  /** What paid a charge. */
  const of = (txid: string) => list(sql.and([sql`txid = ${txid}`]))

  return { list, of, pay }
})

/** What is to be paid now, or why nothing can be. */
const dueOf = Effect.fnUntraced(function* (
  { body, createdAt, kind }: KeptCharge,
  now: number
): Effect.fn.Return<Result.Result<Cents, Said>, Schema.SchemaError> {
  if (body.kind === "cob") {
    const { calendario, valor } = yield* decodeImmediate(body.charge)
    return now < createdAt + calendario.expiracao * 1_000
      ? Result.succeed(valor.original)
      : Result.fail(invalidOperation(kind, "A cobrança expirou"))
  }
  return dueOn(yield* decodeDueDate(body.charge), now)
})

/** What the value of a charge with a due date is today: of several discounts the one that leaves the least. */
const dueOn = ({ calendario, valor }: DueDateCharge, now: number): Result.Result<Cents, Said> => {
  const { abatimento, desconto, juros, multa, original } = valor
  const { dataDeVencimento: due, validadeAposVencimento: value } = calendario
  // Only a deadline in minutes counts from when it was opened.
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
 * A payment as callbacks and lists have it.
 *
 * @category conversions
 * @since 0.1.0
 */
export const pixOf = ({ endToEndId, paidAt, txid, value }: KeptPayment, chave: string) =>
  encodePix({ endToEndId, txid, valor: value, horario: DateTime.makeUnsafe(paidAt), chave })
