/**
 * The body of "create manual subscription" (interface section 4.1). The interface does not show it; its fields are
 * decided in `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { CustomerInput } from "../customers/CustomerInput.ts"
import { contractInputs } from "../internal/contractInputs.ts"
import { MyId } from "../values/Identifier.ts"
import { paymentMethodInputs } from "../paymentMethods/PaymentMethodInputs.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { FreeText } from "../values/Text.ts"

/**
 * The whole body, read strictly.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreateManualSubscription = Schema.Struct({
  myId: described(MyId, "Identifier that the subscription gets in the client system; unique per company."),
  mainPaymentMethodId: described(PaymentMethodId, "Main payment method: the one of payments that are added."),
  additionalInfo: described(Schema.optionalKey(FreeText), "Free text for internal notes."),
  Customer: described(CustomerInput, "The payer."),
  ...paymentMethodInputs,
  ...contractInputs
}).annotate({
  identifier: "CreateManualSubscription",
  description: "A subscription to be created, without payments."
})

/**
 * @category models
 * @since 0.1.0
 */
export type CreateManualSubscription = typeof CreateManualSubscription.Type
