/**
 * `parcela sandbox chargebacks open`: a holder disputes a card payment.
 *
 * @since 0.1.0
 */
import { Command } from "effect/cli"
import { derivedControl } from "../../DerivedControl.ts"
import { becoming } from "../Lifecycle.ts"

const opened = derivedControl("chargebacks", "open", becoming("transaction"))

const open = Command.make("open", opened.input, opened.handler).pipe(
  Command.withDescription(
    "A holder disputes a card payment now, by the company's clock, and the card operator reports it. Advance the clock first to have it disputed days later."
  ),
  Command.withShortDescription("Dispute a card payment"),
  Command.withExamples([{ command: "parcela sandbox chargebacks open payment-1", description: "By your identifier" }])
)

export const chargebacks = Command.make("chargebacks").pipe(
  Command.withDescription("Dispute card payments"),
  Command.withSubcommands([open])
)
