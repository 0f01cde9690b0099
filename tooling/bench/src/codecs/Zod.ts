/** The same subscription, with the same limits, in zod 4. */
import * as z from "zod"
import { type Contender, hasAtMost, isDay, isStorable, subscriptionStatuses, transactionStatuses } from "./Contender.ts"

const text = z.string().refine(isStorable)
const string = (maximum: number) => text.refine(hasAtMost(maximum))
const some = (maximum: number) => string(maximum).min(1)
const int = (digits: number) =>
  z
    .int()
    .min(0)
    .max(Math.min(10 ** digits - 1, Number.MAX_SAFE_INTEGER))
const id = z.int().min(1).max(99_999_999_999)
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine(isDay)
const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/)
  .refine((value) => isDay(value.slice(0, 10)))

const brand = z.object({ id: string(255), name: string(255), maxInstallment: int(11), operatorIds: text })
const card = z.object({
  myId: some(255).optional(),
  svcPayId: id,
  number: string(30),
  createdAt: time,
  updatedAt: time,
  expiresAt: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/),
  Brand: brand
})

const transaction = z.object({
  myId: some(255).optional(),
  svcPayId: id,
  value: int(11),
  payday: day,
  payedOutsideSvcPay: z.boolean(),
  additionalInfo: text.optional(),
  installment: int(11),
  status: z.enum(transactionStatuses),
  statusDescription: string(255),
  reasonDenied: string(255).optional(),
  tid: string(255).optional(),
  authorizationCode: string(255).optional(),
  AbecsReasonDenied: z.object({ code: string(4), message: string(255) }).optional(),
  CreditCard: z.object({ Card: card }).optional(),
  Pix: z.object({ qrCode: string(255), reference: string(255), image: string(255), page: string(255) }).optional(),
  Boleto: z
    .object({ pdf: string(255), bankLine: string(255), bankAgency: string(255), bankAccount: string(255) })
    .optional(),
  Transaction3DS: z.object({ urlAuthentication: text }).optional()
})

const subscription = z.object({
  svcPayId: id,
  myId: some(255),
  mainPaymentMethodId: z.enum(["creditcard", "boleto", "pix"]),
  status: z.enum(subscriptionStatuses),
  additionalInfo: text.optional(),
  Customer: z.object({
    svcPayId: id,
    myId: some(255).optional(),
    name: some(255),
    document: string(14),
    emails: z.array(some(255)),
    phones: z.array(int(11)),
    createdAt: time,
    updatedAt: time,
    Address: z
      .object({
        zipCode: string(8),
        street: string(255),
        number: string(255),
        complement: string(255).optional(),
        neighborhood: string(255),
        city: string(255),
        state: some(2)
      })
      .optional()
  }),
  PaymentMethodCreditCard: z.object({ Card: card.extend({ isBackup: z.boolean() }) }).optional(),
  PaymentMethodBoleto: z
    .object({
      fine: int(11).optional(),
      interest: int(11).optional(),
      instructions: string(255).optional(),
      deadlineDays: int(11).optional()
    })
    .optional(),
  PaymentMethodPix: z
    .object({
      fine: int(11).optional(),
      interest: int(11).optional(),
      instructions: string(255).optional(),
      Deadline: z.object({ type: z.enum(["days", "minutes"]), value: int(11) }).optional()
    })
    .optional(),
  Transactions: z.array(transaction)
})

export const zod: Contender = {
  decode: (json) => subscription.parse(json),
  encode: (value) => z.encode(subscription, value)
}
