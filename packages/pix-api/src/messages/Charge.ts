/**
 * Charges of API Pix: immediate ones (`cob`) and those with a due date (`cobv`).
 *
 * Source: Banco Central do Brasil, `bacen/pix-api`, 2.9.0. Written strictly; of what comes back only what is used is read.
 *
 * @since 0.1.0
 */
import { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import { LocalDate } from "@parcela/core/time/LocalDate"
import * as Schema from "effect/Schema"
import { Amount, AmountOrPercent } from "./Hundredths.ts"
import { ReceivedPix } from "./ReceivedPix.ts"

const text = (longest: number) => Schema.String.check(Schema.isMaxLength(longest))
const int32 = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 }))

/**
 * The two kinds of charges, by the first part of their paths.
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

/** Who owes: a person by `cpf`, a company by `cnpj`. */
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
 * The body of `PUT /cob/{txid}`. `expiracao` counts seconds from the charge's creation.
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
 * What may change the value of a charge with a due date.
 *
 * - `multa` (fine): 1 an amount, 2 a percentage.
 * - `juros` (interest), by calendar days: 1 an amount a day, 2 percent a day, 3 a month, 4 a year; 5 to 8 the same by business
 *   days.
 * - `abatimento` (a deduction): 1 an amount, 2 a percentage.
 * - `desconto` (a discount): 1 an amount and 2 a percentage until one of three dates.
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
 * The body of `PUT /cobv/{txid}`. `validadeAposVencimento` counts calendar days.
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
 * The status of a charge. One that is over (expired) is still `ATIVA`.
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

/**
 * A charge as the provider has it. A body without status, or with another one, cannot be read: what it means for money
 * would be a guess.
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
