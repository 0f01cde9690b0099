/**
 * A simulated bank that issues boletos from one account.
 *
 * The free field (25 digits) of its barcodes is wallet (3), transaction number (11, padded with zeros), agency (4) and
 * account (7). Every bank defines its own layout.
 *
 * @since 0.1.0
 */
import * as BankLine from "@parcela/core/boleto/BankLine"
import * as BoletoBarcode from "@parcela/core/boleto/BoletoBarcode"
import { BoletoSlip } from "@parcela/core/transactions/RegisteredTransaction"
import { BoletoBank, type BoletoOutcome, type BoletoRequest } from "@parcela/engine/ports/BoletoBank"
import type { FinalDenial } from "@parcela/core/attempts/AttemptOutcome"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Requests from "./internal/ProviderRequests.ts"
import * as Registration from "./internal/Registration.ts"
import type { SimulatorStore } from "./SimulatorStore.ts"

const Outcome = Schema.Union([Schema.TaggedStruct("BoletoRegistered", { slip: BoletoSlip }), Requests.FinallyDenied])

const digits = (count: number) =>
  Schema.String.check(Schema.isPattern(new RegExp(`^\\d{${count}}$`, "u"), { expected: `${count} digits` }))

/**
 * The account that boletos are paid into: digits with leading zeros.
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

/** An unassigned bank code, so that no simulated boleto is paid by mistake. */
const defaultAccount: IssuerAccount = { bank: "999", agency: "0001", account: "0000001", wallet: "001" }

/** Returns the free field of a transaction's barcode. */
const freeFieldOf = (
  { account, agency, wallet }: IssuerAccount,
  transactionId: BoletoRequest["transactionId"]
): string => `${wallet}${String(transactionId).padStart(11, "0")}${agency}${account}`

/**
 * Returns the bank. Fails if the account is malformed.
 *
 * **Details**
 *
 * A repeated registration of a transaction returns the first slip, even if value, due date or the bank's account changed. A
 * value of more than ten digits, or a due date that a barcode cannot encode, is denied. `payer` is not stored. A paid boleto
 * (see `Payers`) cannot be cancelled.
 */
const make = Effect.fnUntraced(function* (options: Partial<IssuerAccount> = {}) {
  const account = yield* Schema.decodeUnknownEffect(IssuerAccount)({ ...defaultAccount, ...options })
  const boletos = yield* Registration.make({
    provider: "boleto bank",
    kind: "register",
    table: "boletos",
    columns: ["barcode", "bank_line", "bank_agency", "bank_account"],
    selected: 'barcode, bank_line AS "bankLine", bank_agency AS "bankAgency", bank_account AS "bankAccount"',
    outcomes: Outcome,
    create: (request: BoletoRequest) =>
      Effect.succeed(Result.mapBoth(slipOf(account, request), { onFailure: denied, onSuccess: rowed })),
    outcomeOf: (slip): BoletoOutcome => ({ _tag: "BoletoRegistered", slip }),
    referenceOf: (outcome) => (outcome._tag === "BoletoRegistered" ? outcome.slip.barcode : undefined)
  })

  return BoletoBank.of({
    register: Spans.fn("BoletoBank.register")(boletos.register),
    cancel: Spans.fn("BoletoBank.cancel")(boletos.cancel)
  })
})

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = (account?: Partial<IssuerAccount>): Layer.Layer<BoletoBank, Schema.SchemaError, SimulatorStore> =>
  Layer.effect(BoletoBank, make(account))

const slipOf = (account: IssuerAccount, { dueDate, transactionId, value }: BoletoRequest) =>
  Result.map(
    BoletoBarcode.build({ bank: account.bank, dueDate, value, freeField: freeFieldOf(account, transactionId) }),
    (barcode): BoletoSlip => ({
      barcode,
      bankLine: BankLine.fromBarcode(barcode),
      bankAgency: account.agency,
      bankAccount: account.account
    })
  )

const rowed = (slip: BoletoSlip): Registration.Made<BoletoSlip> => ({
  made: slip,
  values: [slip.barcode, slip.bankLine, slip.bankAgency, slip.bankAccount]
})

const denied = ({ _tag, message }: { readonly _tag: string; readonly message: string }): FinalDenial => ({
  _tag: "FinallyDenied",
  code: _tag,
  message
})
