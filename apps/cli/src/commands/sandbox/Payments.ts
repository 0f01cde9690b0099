/**
 * `parcela sandbox payments`: pay boletos and Pix charges, and see what came in.
 *
 * @since 0.1.0
 */
import { Command } from "effect/cli"
import { derivedControl } from "../../DerivedControl.ts"
import { table } from "../../Paint.ts"

const timeOf = (millis: number): string => new Date(millis).toISOString()

const paid = derivedControl("payments", "pay", ({ payments, status }) =>
  [
    ...payments.map(({ reportAt, value }) => `Paid ${value} cents, reported at ${timeOf(reportAt)}.`),
    `The transaction is ${status}.`
  ].join("\n")
)

const pay = Command.make("pay", paid.input, paid.handler).pipe(
  Command.withDescription(
    "Pay a boleto or a Pix now, by the company's clock: with what is to be paid, or with --value. A boleto is settled on the next business day: advance the clock to see it."
  ),
  Command.withShortDescription("Pay a boleto or a Pix"),
  Command.withExamples([
    { command: "parcela sandbox payments pay --my-id payment-1", description: "With what is to be paid" },
    { command: "parcela sandbox payments pay --my-id payment-1 --value 500", description: "A boleto, with less" }
  ])
)

const made = derivedControl("payments", "list", ({ payments }, paint) =>
  payments.length === 0
    ? "Nobody has paid yet."
    : table(
        paint,
        ["ID", "METHOD", "TRANSACTION", "VALUE", "REPORTED AT"],
        payments.map(({ id, method, reportAt, transactionId, value }) => [
          id,
          method,
          String(transactionId),
          String(value),
          timeOf(reportAt)
        ])
      )
)

const list = Command.make("list", made.input, made.handler).pipe(
  Command.withDescription("List what people paid at the simulated providers, in the order they did."),
  Command.withShortDescription("Payments that were made"),
  Command.withExamples([{ command: "parcela sandbox payments list", description: "All of this company" }])
)

const taken = derivedControl("payments", "reported", ({ payments }, paint) =>
  payments.length === 0
    ? "Nothing was reported yet."
    : table(
        paint,
        ["ID", "METHOD", "VALUE", "STANDING", "PROBLEM"],
        payments.map(({ id, method, problem = "", standing, value }) => [id, method, String(value), standing, problem])
      )
)

const reported = Command.make("reported", taken.input, taken.handler).pipe(
  Command.withDescription("List the payments that providers reported, and what became of each."),
  Command.withShortDescription("Payments that were reported"),
  Command.withExamples([
    {
      command: "parcela sandbox payments reported --standing unmatched",
      description: "Money that fits nothing"
    }
  ])
)

export const payments = Command.make("payments").pipe(
  Command.withDescription("Pay boletos and Pix charges, and see what came in"),
  Command.withSubcommands([pay, list, reported])
)
