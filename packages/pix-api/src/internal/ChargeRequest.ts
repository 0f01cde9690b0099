/**
 * The charge of API Pix that a request of the engine stands for.
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

/** Where a charge is put, and its body. */
export interface ChargeRequest {
  readonly kind: ChargeKind
  readonly body: unknown
}

/** The largest number that fits: `int32`. */
const most = 2 ** 31 - 1

/** How long a charge whose terms do not say can be paid: what core's `TransactionExpiry` counts. */
const defaultDeadline = { type: "days", value: 30 } as const

/**
 * A deadline in minutes is an immediate charge, as those count from their creation; one in days is a charge with a due date.
 * Fails where API Pix has no room for it: a value of zero, a document that is neither CPF nor CNPJ.
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
      calendario: { expiracao: Math.min(length * 60, most) },
      valor: { original: value }
    }).pipe(Effect.map((body) => ({ kind: "cob", body })))
  }
  const today = dateAt(request.at, zone)
  // API Pix has no due date before the charge was made: what is late already is due today.
  const due = request.dueDate < today ? today : request.dueDate
  return encodeDueDate({
    ...common,
    calendario: { dataDeVencimento: due, validadeAposVencimento: Math.min(length, most) },
    valor: { original: value, ...changesOf(terms, due, today) }
  }).pipe(Effect.map((body) => ({ kind: "cobv", body })))
}

// The schemas check what is written, so that what API Pix cannot hold is found here.
const encodeImmediate = (charge: typeof ImmediateCharge.Type) => Schema.encodeEffect(ImmediateCharge)(charge)
const encodeDueDate = (charge: typeof DueDateCharge.Type) => Schema.encodeEffect(DueDateCharge)(charge)

const debtorOf = ({ document, name }: PixRequest["payer"]) => {
  const nome = name.slice(0, 200)
  return document.length === 11 ? { cpf: document, nome } : { cnpj: document, nome }
}

/** Fine, interest and discount, where there is one. */
const changesOf = (
  { Discount, fine = 0, interest = 0 }: PixRequest["terms"],
  due: LocalDate,
  today: LocalDate
): Omit<typeof DueDateValue.Type, "original"> => {
  return {
    ...(fine > 0 ? { multa: { modalidade: 2, valorPerc: fine } } : {}),
    // Percent a month, by calendar days, as the interface has it.
    ...(interest > 0 ? { juros: { modalidade: 3, valorPerc: interest } } : {}),
    // One whose last day is over can be granted to nobody.
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

/** The shortest that API Pix takes. */
const shortest = 26

/** `svcPayId` has at most 11 digits (`int 11`). */
const digits = 11

/** A registration of one digit or letter more than is likely, and its mark. */
const anew = 3

/**
 * The account's prefix and the transaction's number, with zeros between them up to 26 characters. A txid is never used
 * twice, so that of a later registration has `R`, its number and the transaction's, both in letters and digits.
 *
 * @category conversions
 * @since 0.1.0
 */
export const txidOf = (
  { txidPrefix }: Pick<PixAccount, "txidPrefix">,
  { registration = 1, transactionId }: Pick<ProviderRequest, "registration" | "transactionId">
): DynamicTxid => {
  const room = Math.max(digits, shortest - txidPrefix.length)
  const number =
    registration === 1
      ? String(transactionId).padStart(room, "0")
      : `R${registration.toString(36).padStart(anew - 1, "0")}${transactionId.toString(36).padStart(room - anew, "0")}`
  return DynamicTxid.make(txidPrefix + number)
}

/** The longest code that the interface has room for (section 2.6); API Pix has 512. */
const longest = 255

/**
 * The provider's own code (API Pix 2.6 and later), or one that leads to the charge's location; none without either.
 *
 * @category conversions
 * @since 0.1.0
 */
export const pixCodeOf = (
  { loc, location, pixCopiaECola }: Charge,
  { merchantCity, merchantName }: PixAccount
): Option.Option<string> => {
  if (pixCopiaECola !== undefined && pixCopiaECola.length <= longest) return Option.some(pixCopiaECola)
  const place = location ?? loc?.location
  if (place === undefined) return Option.none()
  return Result.getSuccess(
    PixBrCode.build({
      _tag: "PixDynamic",
      // Written without a scheme; some providers write one.
      location: place.replace(/^https:\/\//u, ""),
      merchantName: plainText(merchantName, 25),
      merchantCity: plainText(merchantCity, 15)
    })
  )
}
