/**
 * `parcela customers create`, `edit`, `deactivate` and `list`.
 *
 * @since 0.1.0
 */
import type { CreateCustomer, EditCustomer } from "@parcela/core/customers/Customer"
import { customerList } from "@parcela/core/lists/EntityLists"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { action, write } from "../Run.ts"
import { bodyFlag, BodyOf } from "../Body.ts"
import { extraFieldFlags, extraFieldsOf } from "../EntityFlags.ts"
import { idempotencyKey, key, keys, many, numbers, text, argument, ofEntity, refOf } from "../Flags.ts"
import * as Entities from "../Entities.ts"
import { listCommand } from "../Lists.ts"

const fields = {
  myId: text("my-id", "Your identifier of the customer", "id"),
  name: text("name", "Name of the person or of the company"),
  document: text("document", "CPF or CNPJ, digits only", "digits"),
  email: many("email", "E-mail address", "address"),
  phone: many("phone", "Telephone number, digits only", "digits"),
  ...extraFieldFlags,
  body: bodyFlag
}

const fieldsOf = (given: Omit<Command.Command.Config.Infer<typeof fields>, "body">) => ({
  ...key("myId", given.myId),
  ...key("name", given.name),
  ...key("document", given.document),
  ...keys("emails", given.email),
  ...keys("phones", numbers(given.phone)),
  ...extraFieldsOf(given)
})

const create = Command.make("create", { ...fields, idempotencyKey }, (given) =>
  write(
    given,
    () => Effect.succeed(fieldsOf(given)),
    (client, body: typeof CreateCustomer.Encoded, options) => client.customers.create(body, options),
    (response, paint) => Entities.customers(paint, [response.Customer])
  )
).pipe(
  Command.annotate(BodyOf, "createCustomer"),
  Command.withDescription("Create a customer without subscriptions and charges."),
  Command.withShortDescription("Create a customer"),
  Command.withExamples([
    {
      command:
        'parcela customers create --my-id maria --name "Maria Souza" --document 52998224725 --email maria@example.com',
      description: "With the required fields"
    }
  ])
)

const edit = Command.make("edit", { customer: argument("customer"), ...fields, ...ofEntity }, (given) =>
  write(
    given,
    () => Effect.succeed(fieldsOf(given)),
    (client, body: typeof EditCustomer.Encoded, options) =>
      client.customers.edit(refOf(given.by, given.customer), body, options),
    (response, paint) => Entities.customers(paint, [response.Customer])
  )
).pipe(
  Command.annotate(BodyOf, "editCustomer"),
  Command.withDescription("Change the given fields of a customer. Lists are replaced as a whole."),
  Command.withShortDescription("Edit a customer"),
  Command.withExamples([
    { command: 'parcela customers edit maria --name "Maria Lima"', description: "By your identifier" }
  ])
)

const deactivate = action(
  "deactivate",
  "customer",
  (client, customer, options) => client.customers.deactivate(customer, options),
  () => "The customer is inactive."
).pipe(
  Command.withDescription("Deactivate a customer. Subscriptions and charges remain active: cancel them first."),
  Command.withShortDescription("Deactivate a customer"),
  Command.withExamples([{ command: "parcela customers deactivate maria", description: "By your identifier" }])
)

const list = listCommand({
  definition: customerList,
  key: "Customers",
  of: ({ customers }) => customers,
  show: Entities.customers
}).pipe(
  Command.withDescription("List customers with today's status, one page or --all."),
  Command.withShortDescription("List customers"),
  Command.withExamples([
    { command: "parcela customers list --status delayed", description: "Customers with late payments" }
  ])
)

export const customers = Command.make("customers").pipe(
  Command.withDescription("Create, edit, deactivate and list customers"),
  Command.withSubcommands([create, edit, deactivate, list])
)
