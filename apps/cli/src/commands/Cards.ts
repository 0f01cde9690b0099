/**
 * `parcela cards add`, `remove` and `list`, `parcela payment-methods list` and `parcela card-brands list`.
 *
 * @since 0.1.0
 */
import type { AddCard } from "@parcela/core/cards/Card"
import { cardList } from "@parcela/core/lists/EntityLists"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { action, run } from "../Run.ts"
import { readJson, BodyOf } from "../Body.ts"
import { key, argument, ofEntity, refOf } from "../Flags.ts"
import * as Entities from "../Entities.ts"
import { listCommand } from "../Lists.ts"
import { table } from "../Table.ts"

const add = Command.make(
  "add",
  {
    customer: argument("customer"),
    file: Flag.String("card-file").pipe(
      Flag.withDescription("The card as JSON, from a file that only you can read or - for stdin"),
      Flag.withMetavar("file|-")
    ),
    ...ofEntity
  },
  (given) =>
    run(
      (client, to) =>
        Effect.flatMap(readJson("--card-file", given.file, to), (json) =>
          client.cards.add(
            refOf(given.by, given.customer),
            // The client validates the JSON before it is sent.
            json as typeof AddCard.Encoded,
            key("idempotencyKey", given.idempotencyKey)
          )
        ),
      (response, paint) => Entities.cards(paint, [response.Card])
    )
).pipe(
  Command.annotate(BodyOf, "addCard"),
  Command.withDescription("Add a card to a customer. It is not charged."),
  Command.withShortDescription("Add a card"),
  Command.withExamples([{ command: "parcela cards add maria --card-file - < card.json", description: "From stdin" }])
)

const remove = action(
  "remove",
  "card",
  (client, card, options) => client.cards.remove(card, options),
  () => "The card is inactive."
).pipe(
  Command.withDescription("Remove a card that no subscription or charge uses."),
  Command.withShortDescription("Remove a card"),
  Command.withExamples([{ command: "parcela cards remove card-1", description: "By your identifier" }])
)

const list = listCommand({ definition: cardList, key: "Cards", of: ({ cards }) => cards, show: Entities.cards }).pipe(
  Command.withDescription("List cards, one page or --all."),
  Command.withShortDescription("List cards"),
  Command.withExamples([{ command: "parcela cards list --customer-my-id maria", description: "Cards of a customer" }])
)

export const cards = Command.make("cards").pipe(
  Command.withDescription("Add, remove and list the cards of customers"),
  Command.withSubcommands([add, remove, list])
)

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
  Command.withDescription("List the payment methods of subscriptions, charges and plan prices."),
  Command.withShortDescription("List payment methods"),
  Command.withExamples([{ command: "parcela payment-methods list", description: "All of them" }])
)

export const paymentMethods = Command.make("payment-methods").pipe(
  Command.withDescription("List payment methods"),
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
  Command.withDescription("List the card brands that can be charged, with the maximum number of instalments."),
  Command.withShortDescription("List card brands"),
  Command.withExamples([{ command: "parcela card-brands list", description: "All of them" }])
)

export const cardBrands = Command.make("card-brands").pipe(
  Command.withDescription("List card brands"),
  Command.withSubcommands([brands])
)
