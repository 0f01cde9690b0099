/**
 * `parcela admin`: operator changes to the entities of a company, which `parcela sandbox` has too.
 *
 * @since 0.1.0
 */
import { Command } from "effect/cli"
import { derivedAdministration, type derivedControl } from "../DerivedControl.ts"

type Derived = Pick<ReturnType<typeof derivedControl<"subscriptions", "stop">>, "handler" | "input">

interface Changes {
  readonly stop: Derived
  readonly reactivate: Derived
  readonly deactivate: Derived
  readonly waive: Derived
  readonly deactivateCharge: Derived
}

/** Returns the output of a change. */
export const becoming =
  (entity: string) =>
  ({ status }: { readonly status: string }): string =>
    `The ${entity} is ${status}.`

/** Returns the commands for the program of that name. */
export const lifecycle = (program: string, changes: Changes) => {
  const command = (name: string, { handler, input }: Derived, example: string, short: string, words: string) =>
    Command.make(name, input, handler).pipe(
      Command.withDescription(words),
      Command.withShortDescription(short),
      Command.withExamples([{ command: `${program} ${example}`, description: "By your identifier" }])
    )
  const stop = command(
    "stop",
    changes.stop,
    "subscriptions stop contract-1",
    "Interrupt a subscription",
    "Interrupt a subscription: until it is reactivated, no payment is sent and no instalment is created."
  )
  const reactivate = command(
    "reactivate",
    changes.reactivate,
    "subscriptions reactivate contract-1",
    "Reactivate a subscription",
    "Reactivate an interrupted or deactivated subscription."
  )
  const deactivate = command(
    "deactivate",
    changes.deactivate,
    "subscriptions deactivate contract-1",
    "Deactivate one that waits for its card",
    "Deactivate a subscription that waits for its card; reactivate ends that."
  )
  const waive = command(
    "waive",
    changes.waive,
    "transactions waive payment-1",
    "Waive a payment",
    "Waive a payment, so that it is no longer owed. Its boleto or Pix is withdrawn first."
  )
  const deactivateCharge = command(
    "deactivate",
    changes.deactivateCharge,
    "charges deactivate order-1",
    "Deactivate one that waits for its card",
    "Deactivate a charge that waits for its card; a card reactivates it."
  )
  const subscriptions = Command.make("subscriptions").pipe(
    Command.withDescription("Interrupt, deactivate and reactivate subscriptions"),
    Command.withSubcommands([stop, reactivate, deactivate])
  )
  const transactions = Command.make("transactions").pipe(
    Command.withDescription("Waive payments"),
    Command.withSubcommands([waive])
  )
  const charges = Command.make("charges").pipe(
    Command.withDescription("Deactivate charges"),
    Command.withSubcommands([deactivateCharge])
  )
  return [subscriptions, transactions, charges] as const
}

export const admin = Command.make("admin").pipe(
  Command.withDescription(
    "Administration of a service: stop and reactivate subscriptions, waive payments, deactivate subscriptions and charges that wait for their card. The company is that of --client-id. Needs PARCELA_OPERATOR_TOKEN with the token of the service, and no company's secret. A service without a token accepts commands on its own machine."
  ),
  Command.withShortDescription("Administration of a service, for its operator"),
  Command.withSubcommands(
    lifecycle("parcela admin", {
      stop: derivedAdministration("subscriptions", "stop", becoming("subscription")),
      reactivate: derivedAdministration("subscriptions", "reactivate", becoming("subscription")),
      deactivate: derivedAdministration("subscriptions", "deactivate", becoming("subscription")),
      waive: derivedAdministration("transactions", "waive", becoming("transaction")),
      deactivateCharge: derivedAdministration("charges", "deactivate", becoming("charge"))
    })
  ),
  Command.withExamples([
    { command: "parcela --client-id shop admin transactions waive payment-1", description: "A payment of a company" }
  ])
)
