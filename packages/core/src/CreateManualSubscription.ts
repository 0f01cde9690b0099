/**
 * The body of "create manual subscription" (interface section 4.1). The interface does not show it; its fields are
 * decided in `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Address } from "./Address.ts"
import { CardInput } from "./CardInput.ts"
import { Document } from "./Document.ts"
import { MyId, SvcPayId } from "./Identifier.ts"
import { PaymentMethodId } from "./PaymentMethodId.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "./PaymentMethods.ts"
import { int, nonEmptyString, Text } from "./Text.ts"

const email = nonEmptyString(255).check(Schema.isPattern(/^[^\s@]+@[^\s@]+$/u, { expected: "an e-mail address" }))

/**
 * Who pays: a customer that is known by `svcPayId`, `myId` or `document`, or a new one and then with `name`,
 * `document` and `emails`. Fields beside the identifier of a known customer update it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CustomerInput = Schema.Struct({
  svcPayId: Schema.optionalKey(SvcPayId),
  myId: Schema.optionalKey(MyId),
  name: Schema.optionalKey(nonEmptyString(255)),
  document: Schema.optionalKey(Document),
  emails: Schema.optionalKey(Schema.Array(email).check(Schema.isNonEmpty({ expected: "at least one e-mail address" }))),
  phones: Schema.optionalKey(Schema.Array(int(11))),
  Address: Schema.optionalKey(Address)
})

/**
 * @category models
 * @since 0.1.0
 */
export type CustomerInput = typeof CustomerInput.Type

/**
 * The whole body, read strictly.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreateManualSubscription = Schema.Struct({
  myId: MyId,
  mainPaymentMethodId: PaymentMethodId,
  additionalInfo: Schema.optionalKey(Text),
  Customer: CustomerInput,
  PaymentMethodCreditCard: Schema.optionalKey(Schema.Struct({ Card: Schema.optionalKey(CardInput) })),
  PaymentMethodBoleto: Schema.optionalKey(PaymentMethodBoleto),
  PaymentMethodPix: Schema.optionalKey(PaymentMethodPix)
})

/**
 * @category models
 * @since 0.1.0
 */
export type CreateManualSubscription = typeof CreateManualSubscription.Type
