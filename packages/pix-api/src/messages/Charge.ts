/**
 * Messages of API Pix: immediate charges (`cob`), charges with a due date (`cobv`), and received payments (`pix`).
 *
 * Requests are validated strictly. Of responses only the fields that are used are decoded.
 *
 * Source: Banco Central do Brasil, `bacen/pix-api`, 2.9.0.
 *
 * @since 0.1.0
 */
import { Cents } from "@parcela/core/money/Cents"
import { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import { LocalDate } from "@parcela/core/time/LocalDate"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const HundredthsText = Schema.String.check(
  Schema.isPattern(/^\d{1,10}\.\d{2}$/u, { expected: "1 to 10 digits, a dot and 2 digits" })
)

const hundredths = SchemaTransformation.transform({
  decode: (text: string) => Number(text.replace(".", "")),
  encode: (value: number) => `${Math.trunc(value / 100)}.${String(value % 100).padStart(2, "0")}`
})

/** An amount in reais as text, `129.90`, decoded to cents. */
const Amount = HundredthsText.pipe(Schema.decodeTo(Cents, hundredths))

/** An amount or a percentage in hundredths. The field `modalidade` selects the meaning. */
const AmountOrPercent = HundredthsText.pipe(Schema.decodeTo(Schema.Natural, hundredths))

const text = (maxLength: number) => Schema.String.check(Schema.isMaxLength(maxLength))
const int32 = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 }))

/**
 * The two kinds of charges, which are the first segments of their paths.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ChargeKind = Schema.Literals(["cob", "cobv"])

/**
 * @category models
 * @since 0.1.0
 */
export type ChargeKind = typeof ChargeKind.Type

/** The payer: a person by `cpf`, a company by `cnpj`. */
const Debtor = Schema.Union([
  Schema.Struct({ cpf: Schema.String.check(Schema.isPattern(/^\d{11}$/u)), nome: text(200) }),
  Schema.Struct({ cnpj: Schema.String.check(Schema.isPattern(/^[0-9A-Z]{14}$/u)), nome: text(200) })
])

const common = {
  /** The receiver's Pix key. */
  chave: text(77),
  solicitacaoPagador: Schema.optionalKey(text(140))
}

/**
 * The body of `PUT /cob/{txid}`. `expiracao` is in seconds from the creation of the charge.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ImmediateCharge = Schema.Struct({
  calendario: Schema.Struct({ expiracao: int32.check(Schema.isGreaterThan(0)) }),
  devedor: Schema.optionalKey(Debtor),
  valor: Schema.Struct({ original: Amount.check(Schema.isGreaterThan(0)) }),
  ...common
})

/**
 * @category models
 * @since 0.1.0
 */
export type ImmediateCharge = typeof ImmediateCharge.Type

const modality = (highest: number) => Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: highest }))

/**
 * The value of a charge with a due date, and its changes. `modalidade` has these meanings:
 *
 * - `multa` (fine): 1 an amount, 2 a percentage.
 * - `juros` (interest), by calendar days: 1 an amount per day, 2 percent per day, 3 per month, 4 per year; 5 to 8 the same by
 *   business days.
 * - `abatimento` (deduction): 1 an amount, 2 a percentage.
 * - `desconto` (discount): 1 an amount, 2 a percentage, until each of at most three dates.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DueDateValue = Schema.Struct({
  original: Amount.check(Schema.isGreaterThan(0)),
  multa: Schema.optionalKey(Schema.Struct({ modalidade: modality(2), valorPerc: AmountOrPercent })),
  juros: Schema.optionalKey(Schema.Struct({ modalidade: modality(8), valorPerc: AmountOrPercent })),
  abatimento: Schema.optionalKey(Schema.Struct({ modalidade: modality(2), valorPerc: AmountOrPercent })),
  desconto: Schema.optionalKey(
    Schema.Struct({
      modalidade: modality(2),
      descontoDataFixa: Schema.Array(Schema.Struct({ data: LocalDate, valorPerc: AmountOrPercent })).check(
        Schema.isBetweenLength(1, 3)
      )
    })
  )
})

/**
 * The body of `PUT /cobv/{txid}`. `validadeAposVencimento` is in calendar days.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DueDateCharge = Schema.Struct({
  calendario: Schema.Struct({ dataDeVencimento: LocalDate, validadeAposVencimento: int32 }),
  devedor: Debtor,
  valor: DueDateValue,
  ...common
})

/**
 * @category models
 * @since 0.1.0
 */
export type DueDateCharge = typeof DueDateCharge.Type

/**
 * The status of a charge. An expired charge is still `ATIVA`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ChargeStatus = Schema.Literals([
  "ATIVA",
  "CONCLUIDA",
  "REMOVIDA_PELO_USUARIO_RECEBEDOR",
  "REMOVIDA_PELO_PSP"
])

/**
 * @category models
 * @since 0.1.0
 */
export type ChargeStatus = typeof ChargeStatus.Type

const EndToEndId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{32}$/u))

/**
 * A received payment, in `GET /pix` and in callbacks. Without `txid` the payment belongs to no charge. `horario` is the time
 * of its settlement.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReceivedPix = Schema.Struct({
  endToEndId: EndToEndId,
  txid: Schema.optionalKey(Schema.String),
  valor: Amount,
  horario: Schema.DateTimeUtcFromString,
  chave: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type ReceivedPix = typeof ReceivedPix.Type

/**
 * A charge in a response. A body with a missing or unknown status fails to decode, because the status decides about money.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Charge = Schema.Struct({
  txid: DynamicTxid,
  status: ChargeStatus,
  valor: Schema.Struct({ original: Amount }),
  chave: Schema.String,
  location: Schema.optionalKey(Schema.String),
  loc: Schema.optionalKey(Schema.Struct({ location: Schema.optionalKey(Schema.String) })),
  pixCopiaECola: Schema.optionalKey(Schema.String),
  pix: Schema.optionalKey(Schema.Array(ReceivedPix))
})

/**
 * @category models
 * @since 0.1.0
 */
export type Charge = typeof Charge.Type

/**
 * A page of `GET /pix`; the first page is 0. Each payment is decoded alone, so that an invalid payment hides no other.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReceivedPage = Schema.Struct({
  parametros: Schema.Struct({ paginacao: Schema.Struct({ quantidadeDePaginas: Schema.Int }) }),
  pix: Schema.Array(Schema.Unknown)
})

/**
 * A payment in a callback, by its identifiers.
 *
 * @category schemas
 * @since 0.1.0
 */
export const NamedPix = Schema.Struct({ endToEndId: EndToEndId, txid: Schema.optionalKey(Schema.String) })

/**
 * The body of a callback. Each payment is decoded alone. Some providers send an object in place of the specified list.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Callback = Schema.Struct({ pix: Schema.Union([Schema.Array(Schema.Unknown), Schema.ObjectKeyword]) })
