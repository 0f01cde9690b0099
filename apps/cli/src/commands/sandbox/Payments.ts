/**
 * `parcela sandbox payments pay`, `list` and `reported`: payments at the simulated bank and the simulated Pix provider, and the
 * service's handling of their reports. `parcela sandbox chargebacks open`: a dispute of a card payment.
 *
 * @since 0.1.0
 */
import { wrapped } from "@parcela/core/language/Wrapping"
import type { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { type Client, control, exactTimeOf, timeOf } from "../../Control.ts"
import { derivedControl } from "../../DerivedControl.ts"
import { amount, transactionOf } from "../../Entities.ts"
import { by, cents, key, text, argument, refOf } from "../../Flags.ts"
import { colourOf, type Paint } from "../../Terminal.ts"
import { table } from "../../Table.ts"
import { becoming } from "../Admin.ts"

type Controls = Client["payments"]
type Made = Effect.Success<ReturnType<Controls["list"]>>["payments"]
type Reported = Effect.Success<ReturnType<Controls["reported"]>>["payments"]

const made = (paint: Paint, payments: Made): string =>
  table(
    paint,
    ["TRANSACTION", "METHOD", "VALUE", "PAID", "REPORTED", "TAKEN", "ID"],
    payments.map((one) => [
      transactionOf(one),
      one.method,
      amount(one.value),
      timeOf(one.paidAt),
      timeOf(one.reportAt),
      one.isAcknowledged ? "yes" : "not yet",
      one.id
    ]),
    { leftOut: ["METHOD", "PAID"], wraps: true }
  )

/** Warns about a repeated payment, which is usually a mistake and otherwise invisible until the bank reports it. */
const twice = (earlier: number): ReadonlyArray<string> =>
  earlier === 0
    ? []
    : [
        `It was paid ${earlier === 1 ? "once" : `${earlier} times`} before. This payment is in addition, and its report sets the status paidDuplicityBoleto. An order with --name is paid only once.`
      ]

/** Explains that a boleto keeps its status until its bank reports the payment. */
const reportedLater = (payments: Made, columns: number): ReadonlyArray<string> => {
  const waiting = payments.filter(({ isAcknowledged }) => !isAcknowledged).map(({ reportAt }) => reportAt)
  return waiting.length === 0
    ? []
    : [
        ...wrapped(
          "Its bank reports the payment at the start of the next business day. To advance to that time:",
          columns
        ),
        `parcela sandbox advance --to ${exactTimeOf(Math.max(...waiting))}`
      ]
}

const more = (next: number | null): string => (next === null ? "" : `\nNext page: --after ${next}`)

/** The arguments that name a transaction, and its field in the request. */
const transaction = { transaction: argument("transaction"), by }

const namedBy = (given: { readonly by: Parameters<typeof refOf>[0]; readonly transaction: string }) => {
  const { id, typeId } = refOf(given.by, given.transaction)
  return typeId === "myId" ? { myId: id } : { transactionId: id }
}

const pay = Command.make(
  "pay",
  {
    ...transaction,
    value: cents("value", "Paid amount in cents; default: the amount due"),
    times: Flag.Int("times").pipe(
      Flag.withDescription("Number of payments, 1 to 10; a Pix is paid once"),
      Flag.optional
    ),
    name: text("name", "Name of this order: a repeated name pays nothing more")
  },
  (given) =>
    control(
      (client, clientId) => {
        return client.payments.pay(clientId, {
          ...namedBy(given),
          ...key("value", given.value),
          ...key("times", given.times),
          ...key("name", given.name)
        })
      },
      ({ earlierPayments, payments, status }, paint) =>
        [
          `The transaction is ${paint(colourOf(status), status)}.`,
          ...twice(earlierPayments).flatMap((text) => wrapped(text, paint.columns)),
          made(paint, payments),
          ...reportedLater(payments, paint.columns)
        ].join("\n")
    )
).pipe(
  Command.withDescription(
    "Pay a boleto or a Pix now, by the company's clock: exactly, less, more or several times. A Pix is reported at once, a boleto at the start of the next business day: advance the clock to see it settled."
  ),
  Command.withShortDescription("Pay a boleto or a Pix"),
  Command.withExamples([
    { command: "parcela sandbox payments pay payment-3", description: "The amount due" },
    { command: "parcela sandbox payments pay 4 --by svcPayId --value 500", description: "R$ 5,00 of a boleto" }
  ])
)

const listed = derivedControl("payments", "list", ({ next, payments }, paint) =>
  payments.length === 0 ? "There are no payments." : made(paint, payments) + more(next)
)

const list = Command.make("list", listed.input, listed.handler).pipe(
  Command.withDescription("List the payments to the company at the simulated providers, in order."),
  Command.withShortDescription("List payments at the providers"),
  Command.withExamples([{ command: "parcela sandbox payments list", description: "Of one company" }])
)

const standings = (paint: Paint, payments: Reported): string =>
  table(
    paint,
    ["NUMBER", "STATUS", "METHOD", "VALUE", "PAID", "TRANSACTION", "REFERENCE", "PROBLEM"],
    payments.map((one) => [
      String(one.number),
      one.standing,
      one.method,
      one.value === undefined ? "" : amount(one.value),
      timeOf(one.paidAt),
      transactionOf(one),
      one.reference,
      one.problem ?? ""
    ]),
    { leftOut: ["REFERENCE", "METHOD"], wraps: true }
  )

const ofReports = derivedControl("payments", "reported", ({ next, payments }, paint) =>
  payments.length === 0 ? "No payment was reported." : standings(paint, payments) + more(next)
)

const reported = Command.make("reported", ofReports.input, ofReports.handler).pipe(
  Command.withDescription(
    "List the payments and disputes that were reported to the service, and the state of each: applied, waiting, or unmatched with the reason."
  ),
  Command.withShortDescription("List reported payments"),
  Command.withExamples([
    { command: "parcela sandbox payments reported --standing unmatched", description: "Payments without a transaction" }
  ])
)

export const payments = Command.make("payments").pipe(
  Command.withDescription("Pay boletos and Pix charges, and list payments"),
  Command.withSubcommands([pay, list, reported])
)

const open = Command.make("open", transaction, (given) =>
  control((client, clientId) => client.chargebacks.open(clientId, namedBy(given)), becoming("transaction"))
).pipe(
  Command.withDescription(
    "Dispute a card payment now, by the company's clock. The card operator reports the dispute. To dispute days later, advance the clock first."
  ),
  Command.withShortDescription("Dispute a card payment"),
  Command.withExamples([
    { command: "parcela sandbox chargebacks open payment-1", description: "By your identifier" },
    { command: "parcela sandbox chargebacks open 4 --by svcPayId", description: "By the service's identifier" }
  ])
)

export const chargebacks = Command.make("chargebacks").pipe(
  Command.withDescription("Dispute card payments"),
  Command.withSubcommands([open])
)
