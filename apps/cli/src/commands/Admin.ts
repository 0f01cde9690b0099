/**
 * `parcela admin`: operator changes to the entities of a company.
 *
 * @since 0.1.0
 */
import { Command } from "effect/cli"
import { derivedAdministration } from "../DerivedControl.ts"
import { becoming, lifecycle } from "./Lifecycle.ts"

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
