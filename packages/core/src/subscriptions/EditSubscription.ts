/**
 * The body of "edit subscription". Source: public use, where it is two pages of one path: what a subscription says, and how
 * it is paid. Both may be edited at once.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { CreateSubscription } from "./CreateSubscription.ts"

const fields = Struct.pick(CreateSubscription.fields, [
  "myId",
  "additionalInfo",
  "mainPaymentMethodId",
  "value",
  "planMyId",
  "planSvcPayId",
  "PaymentMethodCreditCard",
  "PaymentMethodBoleto",
  "PaymentMethodPix",
  "InvoiceConfig",
  "ExtraFields",
  "Split"
])

/**
 * What is absent stays. Value, method, card and plan hold for the open payments too.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditSubscription = Schema.Struct({
  ...fields,
  myId: Schema.optionalKey(CreateSubscription.fields.myId).annotateKey({
    description: "Identifier that the subscription gets in the client system; unique per company."
  }),
  mainPaymentMethodId: Schema.optionalKey(CreateSubscription.fields.mainPaymentMethodId).annotateKey({
    description: "Main payment method, of the open payments too."
  })
}).annotate({
  identifier: "EditSubscription",
  description: "Changes of a subscription; absent fields stay unchanged."
})

/**
 * @category models
 * @since 0.1.0
 */
export type EditSubscription = typeof EditSubscription.Type
