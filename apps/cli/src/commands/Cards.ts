/**
 * `parcela cards add`, `remove` and `list`.
 *
 * @since 0.1.0
 */
import type { AddCard } from "@parcela/core/cards/CardInput"
import { cardList } from "@parcela/core/lists/CardList"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readJson } from "../Body.ts"
import { exitCodeHelp } from "../Failure.ts"
import { by, idempotencyKey, key } from "../Flags.ts"
import { listFlags } from "../ListFlags.ts"
import { refOf } from "../Refs.ts"
import * as Registers from "../Registers.ts"
import { run } from "../Run.ts"
import { runList } from "../RunList.ts"

const add = Command.make(
  "add",
  {
    customer: Argument.String("customer").pipe(Argument.withDescription("Identifier of the customer")),
    by,
    file: Flag.String("card-file").pipe(
      Flag.withDescription("The card as JSON, from a file that only you can read or - for stdin"),
      Flag.withMetavar("file|-")
    ),
    idempotencyKey
  },
  (given) =>
    run(
      (client) =>
        Effect.flatMap(readJson("--card-file", given.file), (json) =>
          client.cards.add(
            refOf(given.by, given.customer),
            // The client decodes it before it is sent, and says what is wrong.
            json as typeof AddCard.Encoded,
            key("idempotencyKey", given.idempotencyKey)
          )
        ),
      (answer, paint) => Registers.cards(paint, [answer.Card])
    )
).pipe(
  Command.withDescription(`Add a card to a customer. It is not charged. ${exitCodeHelp}`),
  Command.withShortDescription("Add a card"),
  Command.withExamples([{ command: "parcela cards add maria --card-file - < card.json", description: "From stdin" }])
)

const remove = Command.make(
  "remove",
  {
    card: Argument.String("card").pipe(Argument.withDescription("Identifier of the card")),
    by,
    idempotencyKey
  },
  (given) =>
    run(
      (client) => client.cards.remove(refOf(given.by, given.card), key("idempotencyKey", given.idempotencyKey)),
      () => "The card is inactive."
    )
).pipe(
  Command.withDescription(`Remove a card that no subscription or charge is paid with. ${exitCodeHelp}`),
  Command.withShortDescription("Remove a card"),
  Command.withExamples([{ command: "parcela cards remove card-1", description: "By your identifier" }])
)

const list = Command.make(
  "list",
  listFlags(cardList),
  runList({ definition: cardList, key: "Cards", of: ({ cards }) => cards, show: Registers.cards })
).pipe(
  Command.withDescription(`List cards, one page at a time or --all. ${exitCodeHelp}`),
  Command.withShortDescription("List cards"),
  Command.withExamples([{ command: "parcela cards list --customer-my-id maria", description: "Those of a customer" }])
)

export const cards = Command.make("cards").pipe(
  Command.withDescription("Add, remove and list the cards of customers"),
  Command.withSubcommands([add, remove, list])
)
