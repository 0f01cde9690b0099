/**
 * `parcela sandbox`: the controls of a sandbox.
 *
 * @since 0.1.0
 */
import { Command } from "effect/cli"
import { derivedControl } from "../DerivedControl.ts"
import { becoming, lifecycle } from "./Admin.ts"
import { events, requests, ledger } from "./sandbox/Activity.ts"
import { advance, cancelAdvance, clock, lastAdvance, work } from "./sandbox/Clock.ts"
import { chargebacks, payments } from "./sandbox/Payments.ts"
import { companies } from "./sandbox/Companies.ts"
import { deliveries } from "./sandbox/Deliveries.ts"
import { endpoints } from "./sandbox/Endpoints.ts"
import { faults, testCards } from "./sandbox/Faults.ts"
import { fixtures, reset, snapshots } from "./sandbox/Snapshots.ts"

export const sandbox = Command.make("sandbox").pipe(
  Command.withDescription(
    "Controls of a sandbox: companies and their clocks, injected failures of its payment providers, webhook endpoints and deliveries. They need no credentials on the sandbox's own machine, and PARCELA_CONTROLS_TOKEN with the sandbox's token elsewhere."
  ),
  Command.withShortDescription("Controls of a sandbox"),
  Command.withSubcommands([
    companies,
    snapshots,
    reset,
    fixtures,
    clock,
    advance,
    lastAdvance,
    cancelAdvance,
    payments,
    chargebacks,
    testCards,
    faults,
    ledger,
    events,
    requests,
    ...lifecycle("parcela sandbox", {
      stop: derivedControl("subscriptions", "stop", becoming("subscription")),
      reactivate: derivedControl("subscriptions", "reactivate", becoming("subscription")),
      deactivate: derivedControl("subscriptions", "deactivate", becoming("subscription")),
      waive: derivedControl("transactions", "waive", becoming("transaction")),
      deactivateCharge: derivedControl("charges", "deactivate", becoming("charge"))
    }),
    work,
    endpoints,
    deliveries
  ]),
  Command.withExamples([
    { command: "parcela sandbox companies create suite-7", description: "A company for a test suite" },
    { command: "parcela sandbox advance 30d", description: "One month" },
    { command: "parcela sandbox faults plan charge denied", description: "The next card charge is denied" },
    { command: "parcela sandbox deliveries list --state abandoned", description: "Dead letters" }
  ])
)
