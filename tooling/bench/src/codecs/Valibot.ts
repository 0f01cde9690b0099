/** The same subscription, with the same limits, in valibot. It has no encoder, so writing checks the value once more. */
import * as v from "valibot"
import { type Contender, hasAtMost, isDay, isStorable, subscriptionStatuses, transactionStatuses } from "./Contender.ts"

const text = v.pipe(v.string(), v.check(isStorable))
const string = (maximum: number) => v.pipe(v.string(), v.check(isStorable), v.check(hasAtMost(maximum)))
const some = (maximum: number) => v.pipe(v.string(), v.minLength(1), v.check(isStorable), v.check(hasAtMost(maximum)))
const int = (digits: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(Math.min(10 ** digits - 1, Number.MAX_SAFE_INTEGER)))
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(99_999_999_999))
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/), v.check(isDay))
const time = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/),
  v.check((value) => isDay(value.slice(0, 10)))
)

const brand = v.object({ id: string(255), name: string(255), maxInstallment: int(11), operatorIds: text })
const card = v.object({
  myId: v.optional(some(255)),
  svcPayId: id,
  number: string(30),
  createdAt: time,
  updatedAt: time,
  expiresAt: v.pipe(v.string(), v.regex(/^\d{4}-(0[1-9]|1[0-2])$/)),
  Brand: brand
})

const transaction = v.object({
  myId: v.optional(some(255)),
  svcPayId: id,
  value: int(11),
  payday: day,
  payedOutsideSvcPay: v.boolean(),
  additionalInfo: v.optional(text),
  installment: int(11),
  status: v.picklist(transactionStatuses),
  statusDescription: string(255),
  reasonDenied: v.optional(string(255)),
  tid: v.optional(string(255)),
  authorizationCode: v.optional(string(255)),
  AbecsReasonDenied: v.optional(v.object({ code: string(4), message: string(255) })),
  CreditCard: v.optional(v.object({ Card: card })),
  Pix: v.optional(v.object({ qrCode: string(255), reference: string(255), image: string(255), page: string(255) })),
  Boleto: v.optional(
    v.object({ pdf: string(255), bankLine: string(255), bankAgency: string(255), bankAccount: string(255) })
  ),
  Transaction3DS: v.optional(v.object({ urlAuthentication: text }))
})

const subscription = v.object({
  svcPayId: id,
  myId: some(255),
  mainPaymentMethodId: v.picklist(["creditcard", "boleto", "pix"]),
  status: v.picklist(subscriptionStatuses),
  additionalInfo: v.optional(text),
  Customer: v.object({
    svcPayId: id,
    myId: v.optional(some(255)),
    name: some(255),
    document: string(14),
    emails: v.array(some(255)),
    phones: v.array(int(11)),
    createdAt: time,
    updatedAt: time,
    Address: v.optional(
      v.object({
        zipCode: string(8),
        street: string(255),
        number: string(255),
        complement: v.optional(string(255)),
        neighborhood: string(255),
        city: string(255),
        state: some(2)
      })
    )
  }),
  PaymentMethodCreditCard: v.optional(v.object({ Card: v.object({ ...card.entries, isBackup: v.boolean() }) })),
  PaymentMethodBoleto: v.optional(
    v.object({
      fine: v.optional(int(11)),
      interest: v.optional(int(11)),
      instructions: v.optional(string(255)),
      deadlineDays: v.optional(int(11))
    })
  ),
  PaymentMethodPix: v.optional(
    v.object({
      fine: v.optional(int(11)),
      interest: v.optional(int(11)),
      instructions: v.optional(string(255)),
      Deadline: v.optional(v.object({ type: v.picklist(["days", "minutes"]), value: int(11) }))
    })
  ),
  Transactions: v.array(transaction)
})

const parse = (value: unknown) => v.parse(subscription, value)

export const valibot: Contender = { decode: parse, encode: parse }
