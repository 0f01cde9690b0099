/**
 * Flags that identify or create the customer.
 *
 * @since 0.1.0
 */
import { type Command, Flag } from "effect/cli"
import { key, keys, many, numbers, text } from "./Flags.ts"

export const customerFlags = {
  customerMyId: text("customer-my-id", "Customer: your identifier, of a known or a new one", "id"),
  customerId: Flag.Int("customer-id").pipe(
    Flag.withDescription("Customer: the service's identifier of a known one"),
    Flag.optional
  ),
  customerName: text("customer-name", "Customer: name"),
  customerDocument: text("customer-document", "Customer: CPF or CNPJ, digits only", "digits"),
  customerEmail: many("customer-email", "Customer: e-mail address", "address"),
  customerPhone: many("customer-phone", "Customer: telephone number, digits only", "digits")
}

/** Returns the node `Customer` of a body. */
export const customerOf = (given: Command.Command.Config.Infer<typeof customerFlags>) => ({
  ...key("svcPayId", given.customerId),
  ...key("myId", given.customerMyId),
  ...key("name", given.customerName),
  ...key("document", given.customerDocument),
  ...keys("emails", given.customerEmail),
  ...keys("phones", numbers(given.customerPhone))
})
