/**
 * `parcela subscriptions create`, `create-manual`, `edit`, `edit-payment`, `cancel` and `list`.
 *
 * @since 0.1.0
 */
import { PaymentMethodId } from "@parcela/core/paymentMethods/PaymentMethod"
import { Periodicity } from "@parcela/core/plans/Plan"
import type {
  CreateManualSubscription,
  CreateSubscription,
  EditSubscription
} from "@parcela/core/subscriptions/Subscription"
import { subscriptionList } from "@parcela/core/lists/EntityLists"
import { Effect, type Option } from "effect"
import { Command, Flag } from "effect/cli"
import { action, write } from "../Run.ts"
import { bodyFlag, BodyOf } from "../Body.ts"
import { todayWithout, type Connection } from "../Connection.ts"
import {
  cardFlags,
  cardOf,
  cardTermFlags,
  extraFieldFlags,
  extraFieldsOf,
  planFlags,
  planOf,
  customerFlags,
  customerOf
} from "../EntityFlags.ts"
import * as Entities from "../Entities.ts"
import { cents, day, idempotencyKey, key, text, argument, ofEntity, refOf } from "../Flags.ts"
import { listCommand } from "../Lists.ts"

/** The flags of a subscription's own data. */
const dataFlags = {
  myId: text("my-id", "Your identifier of the subscription; required for a new subscription", "id"),
  info: text("info", "Note for internal use"),
  ...extraFieldFlags
}

const dataOf = (given: Command.Command.Config.Infer<typeof dataFlags>) => ({
  ...key("myId", given.myId),
  ...key("additionalInfo", given.info),
  ...extraFieldsOf(given)
})

/** The flags of the payment method. */
const paymentFlags = {
  method: Flag.Literals("method", PaymentMethodId.literals).pipe(Flag.withDescription("Payment method"), Flag.optional),
  ...cardFlags,
  ...cardTermFlags
}

const paymentOf = Effect.fnUntraced(function* (
  given: Command.Command.Config.Infer<typeof paymentFlags>,
  to: Connection
) {
  return { ...key("mainPaymentMethodId", given.method), ...(yield* cardOf(given, to)) }
})

const create = Command.make(
  "create",
  {
    ...dataFlags,
    ...planFlags,
    value: cents("value", "Price of each payment in cents: 12990 is R$ 129,90; default: the plan's price"),
    periodicity: Flag.Literals("periodicity", Periodicity.literals).pipe(
      Flag.withDescription("Interval of payments; default: the plan's"),
      Flag.optional
    ),
    quantity: Flag.Int("quantity").pipe(
      Flag.withDescription("Number of payments, 0 for no end; default: the plan's"),
      Flag.optional
    ),
    firstPayday: day("first-payday", "Due date of the first payment; default: today in Brazil by the company's clock"),
    ...customerFlags,
    ...paymentFlags,
    body: bodyFlag,
    idempotencyKey
  },
  (given) =>
    write(
      given,
      (to) =>
        Effect.map(paymentOf(given, to), (payment) => ({
          ...dataOf(given),
          ...planOf(given),
          ...key("value", given.value),
          ...key("periodicity", given.periodicity),
          ...key("quantity", given.quantity),
          ...key("firstPayDayDate", given.firstPayday),
          Customer: customerOf(given),
          ...payment
        })),
      (client, body: typeof CreateSubscription.Encoded, options) => client.subscriptions.create(body, options),
      (response, paint) => Entities.subscription(paint, response.Subscription),
      todayWithout("firstPayDayDate")
    )
).pipe(
  Command.annotate(BodyOf, "createSubscription"),
  Command.withDescription(
    "Create a subscription with regular payments, from a plan or with its own price, periodicity and quantity. Payments are created in advance. A first payment that is due today is charged at once. Different instalments and other fields need --body."
  ),
  Command.withShortDescription("Create a subscription"),
  Command.withExamples([
    {
      command:
        "parcela subscriptions create --my-id contract-1 --plan box --method creditcard --customer-my-id maria --test-card approved",
      description: "From a plan, by card, in the sandbox"
    },
    {
      command:
        "parcela subscriptions create --my-id contract-2 --value 4990 --periodicity monthly --quantity 0 --first-payday 2030-01-31 --method pix --customer-my-id maria",
      description: "Without a plan and without end, by Pix"
    },
    {
      command: "parcela subscriptions create --body - < subscription.json",
      description: "From a file, so that card data does not appear in the shell's history"
    }
  ])
)

const createManual = Command.make(
  "create-manual",
  { ...dataFlags, ...customerFlags, ...paymentFlags, body: bodyFlag, idempotencyKey },
  (given) =>
    write(
      given,
      (to) =>
        Effect.map(paymentOf(given, to), (payment) => ({
          ...dataOf(given),
          Customer: customerOf(given),
          ...payment
        })),
      (client, body: typeof CreateManualSubscription.Encoded, options) =>
        client.subscriptions.createManual(body, options),
      (response, paint) => Entities.subscription(paint, response.Subscription)
    )
).pipe(
  Command.annotate(BodyOf, "createManualSubscription"),
  Command.withDescription('Create a manual subscription. It has no payments yet: add them with "transactions add".'),
  Command.withShortDescription("Create a subscription without payments"),
  Command.withExamples([
    {
      command:
        'parcela subscriptions create-manual --my-id contract-3 --method pix --customer-my-id maria --customer-name "Maria Souza" --customer-document 52998224725 --customer-email maria@example.com',
      description: "For a new customer, paid by Pix"
    }
  ])
)

interface Edited {
  readonly subscription: string
  readonly body: Option.Option<string>
  readonly by: Parameters<typeof refOf>[0]
  readonly idempotencyKey: Option.Option<string>
}

/** Edits the subscription with the fields of `fieldsOf`, or with the JSON of `--body`. */
const change = <E, R>(given: Edited, fieldsOf: (to: Connection) => Effect.Effect<object, E, R>) =>
  write(
    given,
    fieldsOf,
    (client, body: typeof EditSubscription.Encoded, options) =>
      client.subscriptions.edit(refOf(given.by, given.subscription), body, options),
    (response, paint) => Entities.subscription(paint, response.Subscription)
  )

const edit = Command.make(
  "edit",
  { subscription: argument("subscription"), ...dataFlags, body: bodyFlag, ...ofEntity },
  (given) => change(given, () => Effect.succeed(dataOf(given)))
).pipe(
  Command.annotate(BodyOf, "editSubscription"),
  Command.withDescription("Change the given fields of a subscription. For price and payment method see edit-payment."),
  Command.withShortDescription("Change a subscription"),
  Command.withExamples([
    { command: 'parcela subscriptions edit contract-1 --info "New address"', description: "Another note" }
  ])
)

const editPayment = Command.make(
  "edit-payment",
  {
    subscription: argument("subscription"),
    value: cents("value", "New price of each payment, in cents"),
    ...planFlags,
    ...paymentFlags,
    body: bodyFlag,
    ...ofEntity
  },
  (given) =>
    change(given, (to) =>
      Effect.map(paymentOf(given, to), (payment) => ({ ...key("value", given.value), ...planOf(given), ...payment }))
    )
).pipe(
  Command.annotate(BodyOf, "editSubscription"),
  Command.withDescription(
    "Change price, payment method, card or plan of a subscription. This changes open payments too, except those with a running attempt. Payments that are registered at a bank or a Pix provider only change their price, and are registered again."
  ),
  Command.withShortDescription("Change price, method or card"),
  Command.withExamples([
    { command: "parcela subscriptions edit-payment contract-1 --value 5990", description: "A new price" },
    { command: "parcela subscriptions edit-payment contract-1 --card-file - < card.json", description: "Another card" }
  ])
)

const cancel = action(
  "cancel",
  "subscription",
  (client, subscription, options) => client.subscriptions.cancel(subscription, options),
  () => "The subscription is cancelled, and its open payments with it."
).pipe(
  Command.withDescription(
    "Cancel a subscription with its open payments. Payments with a running attempt are not cancelled."
  ),
  Command.withShortDescription("Cancel a subscription"),
  Command.withExamples([
    { command: "parcela subscriptions cancel contract-1", description: "By your identifier" },
    { command: "parcela subscriptions cancel 7 --by svcPayId", description: "By the service's identifier" }
  ])
)

const list = listCommand({
  definition: subscriptionList,
  key: "Subscriptions",
  of: ({ subscriptions }) => subscriptions,
  show: Entities.subscriptions
}).pipe(
  Command.withDescription("List subscriptions, one page or --all."),
  Command.withShortDescription("List subscriptions"),
  Command.withExamples([
    { command: "parcela subscriptions list --status active --order createdAt.desc", description: "The newest first" },
    { command: "parcela subscriptions list --my-id contract-1 --json", description: "One, as JSON" }
  ])
)

export const subscriptions = Command.make("subscriptions").pipe(
  Command.withDescription("Create, edit, cancel and list subscriptions (contracts)"),
  Command.withSubcommands([create, createManual, edit, editPayment, cancel, list])
)
