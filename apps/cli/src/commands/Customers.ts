/**
 * `parcela customers create`, `edit`, `deactivate` and `list`.
 *
 * @since 0.1.0
 */
import type { CreateCustomer, EditCustomer } from "@parcela/core/customers/CustomerRequests"
import { customerList } from "@parcela/core/lists/CustomerList"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { bodyFlag, readJson } from "../Body.ts"
import { exitCodeHelp } from "../Failure.ts"
import { by, idempotencyKey, key, keys, many, mixed, numbers, text } from "../Flags.ts"
import { listFlags } from "../ListFlags.ts"
import { refOf } from "../Refs.ts"
import * as Registers from "../Registers.ts"
import { run } from "../Run.ts"
import { runList } from "../RunList.ts"

const fields = {
  body: bodyFlag,
  myId: text("my-id", "Your identifier of the customer", "id"),
  name: text("name", "Name of the person or of the company"),
  document: text("document", "CPF or CNPJ, digits only", "digits"),
  email: many("email", "E-mail address", "address"),
  phone: many("phone", "Telephone number, digits only", "digits"),
  idempotencyKey
}

type Fields = {
  readonly body: Option.Option<string>
  readonly email: ReadonlyArray<string>
  readonly phone: ReadonlyArray<string>
} & { readonly [Name in "myId" | "name" | "document"]: Option.Option<string> }

const bodyOf = Effect.fnUntraced(function* (given: Fields) {
  const body = {
    ...key("myId", given.myId),
    ...key("name", given.name),
    ...key("document", given.document),
    ...keys("emails", given.email),
    ...keys("phones", numbers(given.phone))
  }
  if (Option.isNone(given.body)) return body
  return Object.keys(body).length > 0 ? yield* mixed(Object.keys(body)) : yield* readJson("--body", given.body.value)
})

const customer = Argument.String("customer").pipe(Argument.withDescription("Identifier of the customer"))

const create = Command.make("create", fields, (given) =>
  run(
    (client) =>
      Effect.flatMap(bodyOf(given), (body) =>
        client.customers.create(
          // The client decodes it before it is sent, and says what is wrong.
          body as typeof CreateCustomer.Encoded,
          key("idempotencyKey", given.idempotencyKey)
        )
      ),
    (answer, paint) => Registers.customers(paint, [answer.Customer])
  )
).pipe(
  Command.withDescription(`Create a customer, who has nothing to pay yet. ${exitCodeHelp}`),
  Command.withShortDescription("Create a customer"),
  Command.withExamples([
    {
      command:
        'parcela customers create --my-id maria --name "Maria Souza" --document 52998224725 --email maria@example.com',
      description: "With all that is required"
    }
  ])
)

const edit = Command.make("edit", { customer, by, ...fields }, (given) =>
  run(
    (client) =>
      Effect.flatMap(bodyOf(given), (body) =>
        client.customers.edit(
          refOf(given.by, given.customer),
          // As above.
          body as typeof EditCustomer.Encoded,
          key("idempotencyKey", given.idempotencyKey)
        )
      ),
    (answer, paint) => Registers.customers(paint, [answer.Customer])
  )
).pipe(
  Command.withDescription(`Change what is given of a customer; lists are replaced as a whole. ${exitCodeHelp}`),
  Command.withShortDescription("Edit a customer"),
  Command.withExamples([
    { command: 'parcela customers edit maria --name "Maria Lima"', description: "By your identifier" }
  ])
)

const deactivate = Command.make("deactivate", { customer, by, idempotencyKey }, (given) =>
  run(
    (client) =>
      client.customers.deactivate(refOf(given.by, given.customer), key("idempotencyKey", given.idempotencyKey)),
    () => "The customer is inactive."
  )
).pipe(
  Command.withDescription(
    `Make a customer inactive. Subscriptions and charges are not touched: cancel them first. ${exitCodeHelp}`
  ),
  Command.withShortDescription("Deactivate a customer"),
  Command.withExamples([{ command: "parcela customers deactivate maria", description: "By your identifier" }])
)

const list = Command.make(
  "list",
  listFlags(customerList),
  runList({
    definition: customerList,
    key: "Customers",
    of: ({ customers }) => customers,
    show: Registers.customers
  })
).pipe(
  Command.withDescription(`List customers with their status of today, one page at a time or --all. ${exitCodeHelp}`),
  Command.withShortDescription("List customers"),
  Command.withExamples([{ command: "parcela customers list --status delayed", description: "Who is behind" }])
)

export const customers = Command.make("customers").pipe(
  Command.withDescription("Create, edit, deactivate and list customers"),
  Command.withSubcommands([create, edit, deactivate, list])
)
