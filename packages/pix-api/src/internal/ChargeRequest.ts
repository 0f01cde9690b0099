/**
 * Conversions between the engine's Pix requests and charges of API Pix: the request body, the txid and the Pix code.
 *
 * @since 0.1.0
 */
import { addDays, daysBetween, type LocalDate } from "@parcela/core/time/LocalDate"
import { dateAt } from "@parcela/core/time/Instant"
import type { PixRequest } from "@parcela/engine/ports/PixProvider"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type ChargeKind, DueDateCharge, type DueDateValue, ImmediateCharge, type Charge } from "../messages/Charge.ts"
import type { PixAccount } from "../PixAccount.ts"
import { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import type { ProviderRequest } from "@parcela/engine/ports/ProviderRequest"
import * as PixBrCode from "@parcela/core/pix/PixBrCode"
import { plainText } from "@parcela/core/pix/PixContent"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** A charge to create: the segment of its path, and its body. */
export interface ChargeRequest {
  readonly kind: ChargeKind
  readonly body: unknown
}

/** The maximum of `int32`. */
const maxInt32 = 2 ** 31 - 1

/** The deadline of a charge without one in its terms, as in core's `TransactionExpiry`. */
const defaultDeadline = { type: "days", value: 30 } as const

/**
 * Returns the charge of a request. A deadline in minutes needs an immediate charge, because its `expiracao` counts from the
 * creation. A deadline in days needs a charge with a due date. Fails for requests that API Pix cannot represent: a value of
 * zero, or a document that is neither CPF nor CNPJ.
 *
 * @category conversions
 * @since 0.1.0
 */
export const chargeRequestOf = (
  request: PixRequest,
  account: PixAccount,
  zone: DateTime.TimeZone
): Effect.Effect<ChargeRequest, Schema.SchemaError> => {
  const { payer, terms, value } = request
  const { type, value: length } = terms.Deadline ?? defaultDeadline
  const common = {
    devedor: debtorOf(payer),
    chave: account.key,
    ...(terms.instructions === undefined ? {} : { solicitacaoPagador: terms.instructions.slice(0, 140) })
  }
  if (type === "minutes") {
    return encodeImmediate({
      ...common,
      calendario: { expiracao: Math.min(length * 60, maxInt32) },
      valor: { original: value }
    }).pipe(Effect.map((body) => ({ kind: "cob", body })))
  }
  const today = dateAt(request.at, zone)
  // API Pix refuses a due date in the past, so a late payment is due today.
  const due = request.dueDate < today ? today : request.dueDate
  return encodeDueDate({
    ...common,
    calendario: { dataDeVencimento: due, validadeAposVencimento: Math.min(length, maxInt32) },
    valor: { original: value, ...changesOf(terms, due, today) }
  }).pipe(Effect.map((body) => ({ kind: "cobv", body })))
}

// The schemas check the request, so that a charge that API Pix would refuse fails here.
const encodeImmediate = (charge: typeof ImmediateCharge.Type) => Schema.encodeEffect(ImmediateCharge)(charge)
const encodeDueDate = (charge: typeof DueDateCharge.Type) => Schema.encodeEffect(DueDateCharge)(charge)

const debtorOf = ({ document, name }: PixRequest["payer"]) => {
  const nome = name.slice(0, 200)
  return document.length === 11 ? { cpf: document, nome } : { cnpj: document, nome }
}

/** Returns fine, interest and discount, if there are any. */
const changesOf = (
  { Discount, fine = 0, interest = 0 }: PixRequest["terms"],
  due: LocalDate,
  today: LocalDate
): Omit<typeof DueDateValue.Type, "original"> => {
  return {
    ...(fine > 0 ? { multa: { modalidade: 2, valorPerc: fine } } : {}),
    // 3: percent per month by calendar days, as in the interface.
    ...(interest > 0 ? { juros: { modalidade: 3, valorPerc: interest } } : {}),
    // A discount whose last day is over is left out.
    ...(Discount !== undefined && daysBetween(today, due) >= Discount.qtdDaysBeforePayDay && Discount.value > 0
      ? {
          desconto: {
            modalidade: Discount.type === "fixed" ? 1 : 2,
            descontoDataFixa: [{ data: addDays(due, -Discount.qtdDaysBeforePayDay), valorPerc: Discount.value }]
          }
        }
      : {})
  }
}

/** Minimum length of a txid. */
const minLength = 26

/** `svcPayId` has at most 11 digits (`int 11`). */
const digits = 11

/** Characters for the number of a later registration: the letter R and two base-36 digits. */
const registrationLength = 3

/**
 * Returns the txid of a registration: the same for every attempt, so that repeated requests create one charge. It is the
 * account's prefix and the transaction's number, padded with zeros to 26 characters. A provider refuses a used txid, so a
 * later registration has `R`, its own number and the transaction's number, both in base 36.
 *
 * @category conversions
 * @since 0.1.0
 */
export const txidOf = (
  { txidPrefix }: Pick<PixAccount, "txidPrefix">,
  { registration = 1, transactionId }: Pick<ProviderRequest, "registration" | "transactionId">
): DynamicTxid => {
  const room = Math.max(digits, minLength - txidPrefix.length)
  const number =
    registration === 1
      ? String(transactionId).padStart(room, "0")
      : `R${registration.toString(36).padStart(registrationLength - 1, "0")}${transactionId.toString(36).padStart(room - registrationLength, "0")}`
  return DynamicTxid.make(txidPrefix + number)
}

/** Maximum length of a code in the interface (section 2.6). API Pix allows 512. */
const maxCodeLength = 255

/**
 * Returns the code that a payer scans or pastes: the provider's code (API Pix 2.6 and later), or a code for the charge's
 * location. None if the charge has neither.
 *
 * @category conversions
 * @since 0.1.0
 */
export const pixCodeOf = (
  { loc, location, pixCopiaECola }: Charge,
  { merchantCity, merchantName }: PixAccount
): Option.Option<string> => {
  if (pixCopiaECola !== undefined && pixCopiaECola.length <= maxCodeLength) return Option.some(pixCopiaECola)
  const address = location ?? loc?.location
  if (address === undefined) return Option.none()
  return Result.getSuccess(
    PixBrCode.build({
      _tag: "PixDynamic",
      // The code has no scheme. Some providers return one.
      location: address.replace(/^https:\/\//u, ""),
      merchantName: plainText(merchantName, 25),
      merchantCity: plainText(merchantCity, 15)
    })
  )
}
