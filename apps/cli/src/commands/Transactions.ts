/**
 * `parcela transactions add`, `edit`, `retry`, `reverse`, `capture`, `cancel` and `list`.
 *
 * @since 0.1.0
 */
import type { AddPayment } from "@parcela/core/transactions/AddPayment"
import type { EditPayment } from "@parcela/core/transactions/EditPayment"
import { transactionList } from "@parcela/core/lists/TransactionList"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { action } from "../Action.ts"
import { bodyFlag, bodyOf } from "../Body.ts"
import { BodyOf } from "../BodyExample.ts"
import { cardFlags, cardOf } from "../CardFlags.ts"
import { companyDay } from "../CompanyDay.ts"
import type { Connection } from "../Connection.ts"
import * as Entities from "../Entities.ts"
import { cents, day, key, text } from "../Flags.ts"
import { listFlags } from "../ListFlags.ts"
import { argument, ofEntity, refOf } from "../Refs.ts"
import { run } from "../Run.ts"
import { runList } from "../RunList.ts"

/** What a payment is made of, for its addition and for an edit. */
const paymentFlags = {
  myId: text("my-id", "Your identifier of the payment, which a new one needs", "id"),
  value: cents("value", "Price in cents: 12990 is R$ 129,90"),
  outside: Flag.Boolean("paid-outside").pipe(
    Flag.withDescription("It is paid outside the service: do not charge it"),
    Flag.withDefault(false)
  ),
  info: text("info", "Text that is printed on the bank slip"),
  ...cardFlags,
  body: bodyFlag
}

type PaymentFlags = Command.Command.Config.Infer<typeof paymentFlags> & { readonly payday: Option.Option<string> }

/** The body of a request, with the company's day under `dayIn` where nothing is said of it. */
const paymentOf = Effect.fnUntraced(function* (
  given: PaymentFlags,
  to: Connection,
  dayIn: "payday" | "paydayDate" | undefined
) {
  const fields = {
    ...key("myId", given.myId),
    ...key("value", given.value),
    ...key("payday", given.payday),
    ...(given.outside ? { payedOutsideSvcPay: true } : {}),
    ...key("additionalInfo", given.info),
    ...(yield* cardOf(given, to))
  }
  const isDated = dayIn === undefined || dayIn in fields
  const today = Effect.map(companyDay, (day) => ({ [dayIn ?? "payday"]: day }))
  return yield* bodyOf(given.body, fields, to, isDated ? Effect.succeed({}) : today)
})

const add = Command.make(
  "add",
  {
    subscription: argument("subscription"),
    payday: day("payday", "When it is due; when absent, the day that the company's clock shows in Brazil"),
    ...paymentFlags,
    ...ofEntity
  },
  (given) =>
    run(
      (client, to) =>
        Effect.gen(function* () {
          const body = yield* paymentOf(given, to, "payday")
          return yield* client.transactions.add(
            refOf(given.by, given.subscription),
            // The client decodes it before it is sent, and says what is wrong.
            body as typeof AddPayment.Encoded,
            key("idempotencyKey", given.idempotencyKey)
          )
        }),
      (response, paint) => Entities.transaction(paint, response.Transaction)
    )
).pipe(
  Command.annotate(BodyOf, "addTransaction"),
  Command.withDescription(
    "Add a payment to a subscription. A card payment that is due today is charged at once; a denial by the operator is a response with the status denied, and exit code 0."
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
    payday: day("payday", "When it is due"),
    tryNow: Flag.Boolean("try-now").pipe(
      Flag.withDescription("Try the card now, also after a denial"),
      Flag.withDefault(false)
    ),
    ...paymentFlags,
    ...ofEntity
  },
  (given) =>
    run(
      (client, to) =>
        Effect.gen(function* () {
          return yield* client.transactions.edit(
            refOf(given.by, given.transaction),
            // As above.
            (yield* paymentOf(given, to, given.tryNow ? "paydayDate" : undefined)) as typeof EditPayment.Encoded,
            key("idempotencyKey", given.idempotencyKey)
          )
        }),
      (response, paint) => Entities.transaction(paint, response.Transaction)
    )
).pipe(
  Command.annotate(BodyOf, "editTransaction"),
  Command.withDescription(
    "Change what is given of a payment. A card payment that falls due by it is charged at once; what is paid outside is withdrawn at its bank or provider."
  ),
  Command.withShortDescription("Change a payment"),
  Command.withExamples([
    { command: "parcela transactions edit payment-1 --payday 2026-12-20", description: "Due later" },
    { command: "parcela transactions edit payment-1 --paid-outside --info cash", description: "Paid in cash" },
    {
      command: "parcela transactions edit payment-1 --test-card approved --try-now",
      description: "In the sandbox: another card, tried now"
    }
  ])
)

const retry = action(
  "retry",
  "transaction",
  (client, transaction, options) => client.transactions.retry(transaction, options),
  (response, paint) => Entities.transaction(paint, response.Transaction)
).pipe(
  Command.withDescription(
    "Try again to capture a card transaction that is denied, notSend or authorized. A refusal by the operator is a response with the status denied, and exit code 0."
  ),
  Command.withShortDescription("Try a card charge again"),
  Command.withExamples([
    { command: "parcela transactions retry payment-1", description: "By your identifier" },
    {
      command: "parcela transactions retry 4 --by svcPayId --json | jq -r .Transaction.status",
      description: "What came of it"
    }
  ])
)

const reverse = Command.make(
  "reverse",
  {
    transaction: argument("transaction"),
    value: cents("value", "How much to give back, in cents; all that is left when absent"),
    ...ofEntity
  },
  (given) =>
    run(
      (client) =>
        client.transactions.reverse(
          refOf(given.by, given.transaction),
          key("valueToReverse", given.value),
          key("idempotencyKey", given.idempotencyKey)
        ),
      (response, paint) =>
        [
          Entities.givenBack(Option.getOrUndefined(given.value)),
          Entities.transaction(paint, response.Transaction)
        ].join("\n")
    )
).pipe(
  Command.withDescription("Give a captured card payment back, whole or in part, or release what is only authorized."),
  Command.withShortDescription("Give a card payment back"),
  Command.withExamples([
    { command: "parcela transactions reverse payment-1", description: "All that is left of it" },
    { command: "parcela transactions reverse payment-1 --value 500", description: "R$ 5,00 of it" }
  ])
)

const capture = action(
  "capture",
  "transaction",
  (client, transaction, options) => client.transactions.capture(transaction, options),
  (response, paint) => Entities.transaction(paint, response.Transaction)
).pipe(
  Command.withDescription(
    "Capture a card payment that is authorized. A refusal by the operator is a response with the status denied, and exit code 0."
  ),
  Command.withShortDescription("Capture what is authorized"),
  Command.withExamples([{ command: "parcela transactions capture payment-1", description: "By your identifier" }])
)

const cancel = action(
  "cancel",
  "transaction",
  (client, transaction, options) => client.transactions.cancel(transaction, options),
  () => "The payment is cancelled."
).pipe(
  Command.withDescription(
    "Cancel a payment that has not been made; a boleto or a Pix is withdrawn at its bank or provider."
  ),
  Command.withShortDescription("Cancel a payment"),
  Command.withExamples([{ command: "parcela transactions cancel payment-1", description: "By your identifier" }])
)

const list = Command.make(
  "list",
  listFlags(transactionList),
  runList({
    definition: transactionList,
    key: "Transactions",
    of: ({ transactions }) => transactions,
    show: Entities.transactions
  })
).pipe(
  Command.withDescription("List transactions, one page at a time or --all."),
  Command.withShortDescription("List transactions"),
  Command.withExamples([
    {
      command: "parcela transactions list --status denied,notSend --order payday.asc",
      description: "What may be retried"
    },
    { command: "parcela transactions list --subscription-my-id contract-1", description: "All of one subscription" }
  ])
)

export const transactions = Command.make("transactions").pipe(
  Command.withDescription("Add, edit, retry, reverse, capture, cancel and list payments"),
  Command.withSubcommands([add, edit, retry, reverse, capture, cancel, list])
)
