/**
 * `parcela sandbox subscriptions`: interrupt a subscription, and take it up again.
 *
 * @since 0.1.0
 */
import { Argument, Command } from "effect/cli"
import { control } from "../../Control.ts"

const subscription = Argument.String("subscription").pipe(
  Argument.withDescription("Your identifier of the subscription")
)

const stop = Command.make("stop", { subscription }, (given) =>
  control(
    (client, clientId) => client.subscriptions.stop(clientId, { myId: given.subscription }),
    ({ status }) => `${given.subscription} is ${status}.`
  )
).pipe(
  Command.withDescription(
    "Interrupt a subscription: nothing of it is sent and no instalment is made until it is reactivated."
  ),
  Command.withShortDescription("Interrupt a subscription"),
  Command.withExamples([
    { command: "parcela sandbox subscriptions stop contract-1", description: "By your identifier" }
  ])
)

const reactivate = Command.make("reactivate", { subscription }, (given) =>
  control(
    (client, clientId) => client.subscriptions.reactivate(clientId, { myId: given.subscription }),
    ({ status }) => `${given.subscription} is ${status}.`
  )
).pipe(
  Command.withDescription("Take an interrupted subscription up again."),
  Command.withShortDescription("Take it up again"),
  Command.withExamples([
    { command: "parcela sandbox subscriptions reactivate contract-1", description: "By your identifier" }
  ])
)

export const subscriptions = Command.make("subscriptions").pipe(
  Command.withDescription("Interrupt subscriptions, and take them up again"),
  Command.withSubcommands([stop, reactivate])
)
