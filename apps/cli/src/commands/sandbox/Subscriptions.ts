/**
 * `parcela sandbox subscriptions` and `transactions`: interrupt a subscription, set it aside and take it up again; waive a
 * payment.
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

const deactivated = derivedControl("subscriptions", "deactivate", ({ status }) => `The subscription is ${status}.`)

const deactivate = Command.make("deactivate", deactivated.input, deactivated.handler).pipe(
  Command.withDescription("Set a subscription aside whose card did not come; reactivate takes it up again."),
  Command.withShortDescription("Set aside one that waits for its card"),
  Command.withExamples([
    { command: "parcela sandbox subscriptions deactivate contract-1", description: "By your identifier" }
  ])
)

const waived = derivedControl("transactions", "waive", ({ status }) => `The transaction is ${status}.`)

const waive = Command.make("waive", waived.input, waived.handler).pipe(
  Command.withDescription(
    "Waive a payment: nothing is owed any more. A boleto or a Pix is withdrawn at its bank or provider first."
  ),
  Command.withShortDescription("Waive a payment"),
  Command.withExamples([{ command: "parcela sandbox transactions waive payment-1", description: "By your identifier" }])
)

const chargeSetAside = derivedControl("charges", "deactivate", ({ status }) => `The charge is ${status}.`)

const deactivateCharge = Command.make("deactivate", chargeSetAside.input, chargeSetAside.handler).pipe(
  Command.withDescription("Set a charge aside whose card did not come; a card that comes after all takes it up again."),
  Command.withShortDescription("Set aside one that waits for its card"),
  Command.withExamples([{ command: "parcela sandbox charges deactivate order-1", description: "By your identifier" }])
)

export const charges = Command.make("charges").pipe(
  Command.withDescription("Set charges aside"),
  Command.withSubcommands([deactivateCharge])
)

export const transactions = Command.make("transactions").pipe(
  Command.withDescription("Waive payments"),
  Command.withSubcommands([waive])
)

export const subscriptions = Command.make("subscriptions").pipe(
  Command.withDescription("Interrupt subscriptions, set them aside, and take them up again"),
  Command.withSubcommands([stop, reactivate, deactivate])
)
