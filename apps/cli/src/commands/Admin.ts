/**
 * `parcela admin`: operator changes to the entities of a company.
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
    "Interrupt a subscription: nothing of it is sent and no instalment is made until it is reactivated."
  )
  const reactivate = command(
    "reactivate",
    changes.reactivate,
    "subscriptions reactivate contract-1",
    "Take it up again",
    "Take a subscription up again that was interrupted or set aside."
  )
  const deactivate = command(
    "deactivate",
    changes.deactivate,
    "subscriptions deactivate contract-1",
    "Set aside one that waits for its card",
    "Set a subscription aside whose card did not come; reactivate takes it up again."
  )
  const waive = command(
    "waive",
    changes.waive,
    "transactions waive payment-1",
    "Waive a payment",
    "Waive a payment: nothing is owed any more. A boleto or a Pix is withdrawn at its bank or provider first."
  )
  const deactivateCharge = command(
    "deactivate",
    changes.deactivateCharge,
    "charges deactivate order-1",
    "Set aside one that waits for its card",
    "Set a charge aside whose card did not come; a card that comes after all takes it up again."
  )
  const subscriptions = Command.make("subscriptions").pipe(
    Command.withDescription("Interrupt subscriptions, set them aside, and take them up again"),
    Command.withSubcommands([stop, reactivate, deactivate])
  )
  const transactions = Command.make("transactions").pipe(
    Command.withDescription("Waive payments"),
    Command.withSubcommands([waive])
  )
  const charges = Command.make("charges").pipe(
    Command.withDescription("Set charges aside"),
    Command.withSubcommands([deactivateCharge])
  )
  return [subscriptions, transactions, charges] as const
}

export const admin = Command.make("admin").pipe(
  Command.withDescription(
    "Administration of a service: stop and reactivate subscriptions, waive payments, set aside what waits for its card. The company is that of --client-id. It needs no company's secret, but PARCELA_OPERATOR_TOKEN, as the service has it; on the service's own machine, where that has none, nothing."
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
