/**
 * `parcela payment-methods list` and `parcela card-brands list`.
 *
 * @since 0.1.0
 */
import { Command } from "effect/cli"
import { table } from "../Table.ts"
import { run } from "../Run.ts"

const methods = Command.make("list", {}, () =>
  run(
    (client) => client.paymentMethods.list(),
    ({ PaymentMethods = [] }, paint) =>
      table(
        paint,
        ["ID", "NAME"],
        PaymentMethods.map(({ id, name }) => [id ?? "?", name ?? ""])
      )
  )
).pipe(
  Command.withDescription("List the ways to pay that subscriptions, charges and prices of plans name."),
  Command.withShortDescription("List payment methods"),
  Command.withExamples([{ command: "parcela payment-methods list", description: "All of them" }])
)

export const paymentMethods = Command.make("payment-methods").pipe(
  Command.withDescription("The ways to pay"),
  Command.withSubcommands([methods])
)

const brands = Command.make("list", {}, () =>
  run(
    (client) => client.cardBrands.list(),
    ({ CardBrands = [] }, paint) =>
      table(
        paint,
        ["ID", "NAME", "MOST INSTALMENTS", "OPERATORS"],
        CardBrands.map(({ id, maxInstallment, name, operatorIds }) => [
          id ?? "?",
          name ?? "",
          String(maxInstallment ?? "?"),
          operatorIds?.replaceAll(",", ", ") ?? ""
        ]),
        { wraps: true }
      )
  )
).pipe(
  Command.withDescription("List the card brands that can be charged, with the most instalments of each."),
  Command.withShortDescription("List card brands"),
  Command.withExamples([{ command: "parcela card-brands list", description: "All of them" }])
)

export const cardBrands = Command.make("card-brands").pipe(
  Command.withDescription("The brands of cards that can be charged"),
  Command.withSubcommands([brands])
)
