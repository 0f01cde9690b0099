/**
 * `parcela subscriptions create` and `list`.
 *
 * @since 0.1.0
 */
import type { CreateManualSubscription } from "@parcela/core/subscriptions/CreateManualSubscription"
import { PaymentMethodId } from "@parcela/core/paymentMethods/PaymentMethodId"
import { subscriptionList } from "@parcela/core/lists/SubscriptionList"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { bodyFlag, readJson } from "../Body.ts"
import { cardFlags, cardOf } from "../CardFlags.ts"
import { customerFlags, customerOf } from "../CustomerFlags.ts"
import * as Entities from "../Entities.ts"
import { exitCodeHelp } from "../Failure.ts"
import { by, idempotencyKey, key, mixed, text } from "../Flags.ts"
import { listFlags } from "../ListFlags.ts"
import { refOf } from "../Refs.ts"
import { run } from "../Run.ts"
import { runList } from "../RunList.ts"

const create = Command.make(
  "create",
  {
    body: bodyFlag,
    myId: text("my-id", "Your identifier of the subscription", "id"),
    method: Flag.Literals("method", PaymentMethodId.literals).pipe(
      Flag.withDescription("How it is paid"),
      Flag.optional
    ),
    info: text("info", "Note for internal use"),
    ...customerFlags,
    ...cardFlags,
    idempotencyKey
  },
  Effect.fn(function* (given) {
    yield* run(
      (client, to) =>
        Effect.gen(function* () {
          const fields = {
            ...key("myId", given.myId),
            ...key("mainPaymentMethodId", given.method),
            ...key("additionalInfo", given.info),
            ...(yield* cardOf(given, to.baseUrl))
          }
          const customer = customerOf(given)
          const names = [...Object.keys(fields), ...Object.keys(customer)]
          if (Option.isSome(given.body) && names.length > 0) return yield* mixed(names)
          const body = Option.isSome(given.body)
            ? yield* readJson("--body", given.body.value)
            : { ...fields, Customer: customer }
          // What is missing or wrong is found by the client's check, under its Entity.field.
          return yield* client.subscriptions.createManual(
            // The client decodes it before it is sent, and says what is wrong.
            body as typeof CreateManualSubscription.Encoded,
            key("idempotencyKey", given.idempotencyKey)
          )
        }),
      (response, paint) => Entities.subscription(paint, response.Subscription)
    )
  })
).pipe(
  Command.withDescription(
    `Create a manual subscription. It has no payments yet: add them with "transactions add". ${exitCodeHelp}`
  ),
  Command.withShortDescription("Create a manual subscription"),
  Command.withExamples([
    {
      command:
        'parcela subscriptions create --my-id contract-1 --method pix --customer-my-id maria --customer-name "Maria Souza" --customer-document 52998224725 --customer-email maria@example.com',
      description: "A subscription that is paid by Pix, for a new customer"
    },
    {
      command:
        "parcela subscriptions create --my-id contract-2 --method creditcard --customer-my-id maria --test-card approved",
      description: "By card, for a customer who is known already, in the sandbox"
    },
    {
      command: "parcela subscriptions create --body - < subscription.json",
      description: "From a file, so that card data leaves no trace in the shell"
    }
  ])
)

const list = Command.make(
  "list",
  listFlags(subscriptionList),
  runList({
    definition: subscriptionList,
    key: "Subscriptions",
    of: ({ subscriptions }) => subscriptions,
    show: Entities.subscriptions
  })
).pipe(
  Command.withDescription(`List subscriptions, one page at a time or --all. ${exitCodeHelp}`),
  Command.withShortDescription("List subscriptions"),
  Command.withExamples([
    { command: "parcela subscriptions list --status active --order createdAt.desc", description: "The newest first" },
    { command: "parcela subscriptions list --my-id contract-1 --json", description: "One, as JSON" }
  ])
)

const cancel = Command.make(
  "cancel",
  {
    subscription: Argument.String("subscription").pipe(Argument.withDescription("Identifier of the subscription")),
    by,
    idempotencyKey
  },
  (given) =>
    run(
      (client) =>
        client.subscriptions.cancel(refOf(given.by, given.subscription), key("idempotencyKey", given.idempotencyKey)),
      () => `${given.subscription} is cancelled, and its open payments with it.`
    )
).pipe(
  Command.withDescription(
    `Cancel a subscription with its open payments. What is under way is left alone until it has an outcome. ${exitCodeHelp}`
  ),
  Command.withShortDescription("Cancel a subscription"),
  Command.withExamples([
    { command: "parcela subscriptions cancel contract-1", description: "By your identifier" },
    { command: "parcela subscriptions cancel 7 --by svcPayId", description: "By the service's" }
  ])
)

export const subscriptions = Command.make("subscriptions").pipe(
  Command.withDescription("Create, list and cancel subscriptions (contracts)"),
  Command.withSubcommands([create, list, cancel])
)
