/**
 * `parcela sandbox test-cards`: the card numbers that determine the outcome of their charges.
 *
 * @since 0.1.0
 */
import { Command } from "effect/cli"
import { derivedControl } from "../../DerivedControl.ts"
import { table } from "../../Table.ts"

const { handler, input } = derivedControl("testCards", "list", ({ testCards }, paint) =>
  testCards.length === 0
    ? "There is no such test card."
    : table(
        paint,
        ["NUMBER", "BRAND", "GROUP", "RESULT"],
        testCards.map(({ brand, group, number, result }) => [number, brand, group, result]),
        { wraps: true }
      )
)

export const testCards = Command.make("test-cards", input, handler).pipe(
  Command.withDescription(
    "List the card numbers that decide what becomes of their charges, with any holder, any CVV and any expiry that is not past. On the sandbox's own machine they are for --card-number."
  ),
  Command.withShortDescription("Cards that are denied, and how"),
  Command.withExamples([
    { command: "parcela sandbox test-cards --group 'often used'", description: "Those that most need" },
    { command: "parcela sandbox test-cards --brand visa --code 54", description: "Denied with a code" }
  ])
)
