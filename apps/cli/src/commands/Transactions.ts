/**
 * `parcela transactions add`, `edit`, `retry`, `reverse`, `capture`, `cancel` and `list`.
 *
 * @since 0.1.0
 */
import type { AddPayment, EditPayment } from "@parcela/core/transactions/PaymentRequests"
import { transactionList } from "@parcela/core/lists/EntityLists"
import { Effect, type Option } from "effect"
import { Command, Flag } from "effect/cli"
import { bodyFlag, BodyOf } from "../Body.ts"
import { todayWithout, type Connection } from "../Connection.ts"
import { cardFlags, cardOf } from "../EntityFlags.ts"
import * as Entities from "../Entities.ts"
import { day, key, text, argument, ofEntity, refOf } from "../Flags.ts"
import type { Paint } from "../Terminal.ts"
import { paymentCommands, paymentFlags, paymentOf } from "../PaymentCommands.ts"
import { listCommand } from "../Lists.ts"
import { write } from "../Run.ts"

interface TransactionResponse {
  readonly Transaction: Parameters<typeof Entities.transaction>[1]
}

const shown = (response: TransactionResponse, paint: Paint) => Entities.transaction(paint, response.Transaction)

/** The flags of a new or edited payment. */
const flags = {
  myId: text("my-id", "Your identifier of the payment; required for a new payment", "id"),
  ...paymentFlags,
  ...cardFlags,
  body: bodyFlag
}

type Given = Command.Command.Config.Infer<typeof flags> & { readonly payday: Option.Option<string> }

const fieldsOf = (given: Given) => (to: Connection) =>
  Effect.map(cardOf(given, to), (card) => ({
    ...key("myId", given.myId),
    ...key("payday", given.payday),
    ...paymentOf(given),
    ...card
  }))

const add = Command.make(
  "add",
  {
    subscription: argument("subscription"),
    payday: day("payday", "Due date; default: today in Brazil by the company's clock"),
    ...flags,
    ...ofEntity
  },
  (given) =>
    write(
      given,
      fieldsOf(given),
      (client, body: typeof AddPayment.Encoded, options) =>
        client.transactions.add(refOf(given.by, given.subscription), body, options),
      shown,
      todayWithout("payday")
    )
).pipe(
  Command.annotate(BodyOf, "addTransaction"),
  Command.withDescription(
    "Add a payment to a subscription. A card payment that is due today is charged at once; a denial by the operator has the status denied and exit code 0."
  ),
  Command.withShortDescription("Add a payment to a subscription"),
  Command.withExamples([
    {
      command: "parcela transactions add contract-1 --my-id payment-1 --value 12990",
      description: "R$ 129,90, due today"
    },
    {
      command: "parcela transactions add 1 --by svcPayId --my-id payment-2 --value 12990 --payday 2026-12-10",
      description: "By the service's identifier, due later"
    },
    {
      command: "parcela transactions add contract-1 --my-id payment-3 --value 500 --test-card denied-then-captured",
      description: "In the sandbox: denied now, captured by a retry"
    }
  ])
)

const edit = Command.make(
  "edit",
  {
    transaction: argument("transaction"),
    payday: day("payday", "Due date"),
    tryNow: Flag.Boolean("try-now").pipe(
      Flag.withDescription("Charge the card now, also after a denial"),
      Flag.withDefault(false)
    ),
    ...flags,
    ...ofEntity
  },
  (given) =>
    write(
      given,
      fieldsOf(given),
      (client, body: typeof EditPayment.Encoded, options) =>
        client.transactions.edit(refOf(given.by, given.transaction), body, options),
      shown,
      given.tryNow ? todayWithout("paydayDate") : undefined
    )
).pipe(
  Command.annotate(BodyOf, "editTransaction"),
  Command.withDescription(
    "Change the given fields of a payment. A card payment that becomes due is charged at once. The boleto or Pix of a payment that is paid outside is withdrawn."
  ),
  Command.withShortDescription("Change a payment"),
  Command.withExamples([
    { command: "parcela transactions edit payment-1 --payday 2026-12-20", description: "Due later" },
    { command: "parcela transactions edit payment-1 --paid-outside --info cash", description: "Paid in cash" },
    {
      command: "parcela transactions edit payment-1 --test-card approved --try-now",
      description: "In the sandbox: another card, charged now"
    }
  ])
)

const commands = paymentCommands({
  entity: "transaction",
  of: ({ transactions }) => transactions,
  show: shown,
  cancelled: "The payment is cancelled."
})

const retry = commands.retry.pipe(
  Command.withDescription(
    "Retry a card payment with the status denied, notSend or authorized. A denial by the operator has the status denied and exit code 0."
  ),
  Command.withShortDescription("Retry a card payment"),
  Command.withExamples([
    { command: "parcela transactions retry payment-1", description: "By your identifier" },
    {
      command: "parcela transactions retry 4 --by svcPayId --json | jq -r .Transaction.status",
      description: "Its status afterwards"
    }
  ])
)

const reverse = commands.reverse.pipe(
  Command.withDescription("Reverse a captured card payment, whole or in part, or release an authorized amount."),
  Command.withShortDescription("Reverse a card payment"),
  Command.withExamples([
    { command: "parcela transactions reverse payment-1", description: "The remaining amount" },
    { command: "parcela transactions reverse payment-1 --value 500", description: "R$ 5,00 of it" }
  ])
)

const capture = commands.capture.pipe(
  Command.withDescription(
    "Capture an authorized card payment. A denial by the operator has the status denied and exit code 0."
  ),
  Command.withShortDescription("Capture an authorized payment"),
  Command.withExamples([{ command: "parcela transactions capture payment-1", description: "By your identifier" }])
)

const cancel = commands.cancel.pipe(
  Command.withDescription("Cancel an open payment. A boleto or a Pix is withdrawn at its bank or provider."),
  Command.withShortDescription("Cancel a payment"),
  Command.withExamples([{ command: "parcela transactions cancel payment-1", description: "By your identifier" }])
)

const list = listCommand({
  definition: transactionList,
  key: "Transactions",
  of: ({ transactions }) => transactions,
  show: Entities.transactions
}).pipe(
  Command.withDescription("List transactions, one page or --all."),
  Command.withShortDescription("List transactions"),
  Command.withExamples([
    {
      command: "parcela transactions list --status denied,notSend --order payday.asc",
      description: "Payments that can be retried"
    },
    { command: "parcela transactions list --subscription-my-id contract-1", description: "All of one subscription" }
  ])
)

export const transactions = Command.make("transactions").pipe(
  Command.withDescription("Add, edit, retry, reverse, capture, cancel and list payments"),
  Command.withSubcommands([add, edit, retry, reverse, capture, cancel, list])
)
