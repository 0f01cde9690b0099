/**
 * A bank that issues boletos from one account, and keeps them in the table `operator_boletos`.
 *
 * Its free field (25 digits) is wallet (3), our number (11: the transaction, with zeros before it), agency (4) and
 * account (7). Every bank lays that field out in its own way; this way is ours.
 *
 * @since 0.1.0
 */
import * as BankLine from "@parcela/core/BankLine"
import * as BoletoBarcode from "@parcela/core/BoletoBarcode"
import type { BoletoSlip } from "@parcela/core/BoletoTransaction"
import { BoletoBank, type BoletoRequest } from "@parcela/engine/BoletoBank"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Edge from "./internal/Edge.ts"
import { making } from "./internal/Tables.ts"

const digits = (count: number) =>
  Schema.String.check(Schema.isPattern(new RegExp(`^\\d{${count}}$`, "u"), { expected: `${count} digits` }))

/**
 * The account that boletos are paid into. All of it is digits, zeros before them included: bank 3, agency 4,
 * account 7, wallet 3.
 *
 * @category options
 * @since 0.1.0
 */
export const IssuerAccount = Schema.Struct({
  bank: digits(3),
  agency: digits(4),
  account: digits(7),
  wallet: digits(3)
})

/**
 * @category options
 * @since 0.1.0
 */
export type IssuerAccount = typeof IssuerAccount.Type

/**
 * An account at a bank code that no bank is known to have, so that nobody pays a simulated boleto by mistake.
 *
 * @category options
 * @since 0.1.0
 */
export const defaultAccount: IssuerAccount = { bank: "999", agency: "0001", account: "0000001", wallet: "001" }

/**
 * The free field of a transaction's barcode.
 *
 * @category getters
 * @since 0.1.0
 */
export const freeFieldOf = (
  { account, agency, wallet }: IssuerAccount,
  transactionId: BoletoRequest["transactionId"]
): string => `${wallet}${String(transactionId).padStart(11, "0")}${agency}${account}`

/**
 * Makes the bank's table where it is missing, and answers a bank over it. Fails when the account is malformed.
 *
 * **Details**
 *
 * Registering a transaction again answers the slip that was registered first, also when value, due date or the bank's
 * account changed since. A value of more than ten digits, or a due date that no barcode can say, is an OutsideError
 * whose cause tells which. `payer` and `terms` are not kept.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (options: Partial<IssuerAccount> = {}) {
  const account = yield* Schema.decodeUnknownEffect(IssuerAccount)({ ...defaultAccount, ...options })
  const sql = yield* SqlClient.SqlClient
  const send = yield* Edge.make("boleto bank")
  yield* making(sql, setUp(sql))

  const issue = Effect.fnUntraced(function* ({ dueDate, transactionId, value }: BoletoRequest) {
    const freeField = freeFieldOf(account, transactionId)
    const barcode = yield* Effect.fromResult(BoletoBarcode.build({ bank: account.bank, dueDate, value, freeField }))
    const slip: BoletoSlip = {
      barcode,
      bankLine: BankLine.fromBarcode(barcode),
      bankAgency: account.agency,
      bankAccount: account.account
    }
    yield* sql`
      INSERT INTO operator_boletos ${sql.insert({
        transaction_id: transactionId,
        value,
        due_date: dueDate,
        barcode: slip.barcode,
        bank_line: slip.bankLine,
        bank_agency: slip.bankAgency,
        bank_account: slip.bankAccount,
        created_at: yield* Clock.currentTimeMillis
      })} ON CONFLICT (transaction_id) DO NOTHING`
    return slip
  })

  const registered = (request: BoletoRequest) => sql<BoletoSlip>`
    SELECT barcode, bank_line AS "bankLine", bank_agency AS "bankAgency", bank_account AS "bankAccount"
    FROM operator_boletos WHERE transaction_id = ${request.transactionId}`

  const settle = Effect.fnUntraced(function* (request: BoletoRequest) {
    const [earlier] = yield* registered(request)
    if (earlier !== undefined) return { ...earlier }
    const slip = yield* issue(request)
    // Another call may have registered the transaction meanwhile; then its slip counts.
    const [kept] = yield* registered(request)
    return { ...slip, ...kept }
  })

  return BoletoBank.of({
    register: Effect.fn("BoletoBank.register")((request) => send("register", sql.withTransaction(settle(request))))
  })
})

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  account?: Partial<IssuerAccount>
): Layer.Layer<BoletoBank, SqlError | Schema.SchemaError, SqlClient.SqlClient> =>
  Layer.effect(BoletoBank, make(account))

const setUp = (sql: SqlClient.SqlClient) => sql`
  CREATE TABLE IF NOT EXISTS operator_boletos (
    transaction_id BIGINT PRIMARY KEY,
    value BIGINT NOT NULL,
    due_date TEXT NOT NULL,
    barcode TEXT NOT NULL UNIQUE,
    bank_line TEXT NOT NULL,
    bank_agency TEXT NOT NULL,
    bank_account TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`
