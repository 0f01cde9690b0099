/**
 * `parcela sandbox subscriptions`: interrupt a subscription, and take it up again.
 *
 * @since 0.1.0
 */
import { Command } from "effect/cli"
import { derivedControl } from "../../DerivedControl.ts"

const stopped = derivedControl("subscriptions", "stop", ({ status }) => `The subscription is ${status}.`)

const stop = Command.make("stop", stopped.input, stopped.handler).pipe(
  Command.withDescription(
    "Interrupt a subscription: nothing of it is sent and no instalment is made until it is reactivated."
  ),
  Command.withShortDescription("Interrupt a subscription"),
  Command.withExamples([
    { command: "parcela sandbox subscriptions stop contract-1", description: "By your identifier" }
  ])
)

const reactivated = derivedControl("subscriptions", "reactivate", ({ status }) => `The subscription is ${status}.`)

const reactivate = Command.make("reactivate", reactivated.input, reactivated.handler).pipe(
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
