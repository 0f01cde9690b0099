/**
 * Output of subscriptions, charges, transactions, customers, cards and plans.
 *
 * @since 0.1.0
 */
import * as Cents from "@parcela/core/money/Cents"
import type * as Responses from "@parcela/transport/client/ParcelaModels"
import * as Schema from "effect/Schema"
import { colourOf, facts, type Paint } from "./Terminal.ts"
import { table, type Narrow } from "./Table.ts"

export const subscription = (paint: Paint, one: Responses.Subscription): string =>
  [
    facts(paint, [
      ["subscription", nameOf(one)],
      ["status", one.status],
      ["plan", planOf(one)],
      ["price", one.value === undefined ? undefined : `${amount(one.value)} ${one.periodicity ?? ""}`.trim()],
      ["paid by", one.mainPaymentMethodId],
      [
        "customer",
        one.Customer === undefined ? undefined : `${one.Customer.name ?? ""} (${one.Customer.svcPayId ?? "?"})`
      ],
      ["card", one.PaymentMethodCreditCard?.Card?.number],
      ["payments", paymentsOf(one)]
    ]),
    ...((one.Transactions ?? []).length === 0 ? [] : [payments(paint, one.Transactions ?? [])])
  ].join("\n")

/** Formats the payments of a subscription, below the subscription. */
const payments = (paint: Paint, all: ReadonlyArray<Responses.TransactionOfSubscription>): string =>
  table(
    paint,
    ["PAYMENT", "MY ID", "STATUS", "VALUE", "DUE", "REASON"],
    all.map((one) => [
      String(one.svcPayId ?? "?"),
      one.myId ?? "",
      one.status ?? "?",
      priceOf(one),
      one.payday ?? "",
      reasonOf(one)
    ]),
    { below: "MY ID", wraps: true }
  )

export const subscriptions = (paint: Paint, page: ReadonlyArray<Responses.Subscription>): string =>
  page.length === 0
    ? "No subscriptions."
    : table(
        paint,
        ["ID", "MY ID", "STATUS", "PAID BY", "PRICE", "PERIODICITY", "PAYMENTS", "CUSTOMER"],
        page.map((one) => [
          String(one.svcPayId),
          one.myId ?? "",
          one.status,
          one.mainPaymentMethodId ?? "",
          one.value === undefined ? "" : amount(one.value),
          one.periodicity ?? "",
          paymentsOf(one),
          one.Customer?.name ?? ""
        ]),
        { leftOut: ["PERIODICITY", "PAYMENTS", "PRICE", "PAID BY"], below: "MY ID", cut: ["CUSTOMER"] }
      )

export const transaction = (paint: Paint, one: Responses.Transaction): string =>
  [
    `${paint(colourOf(one.status), one.status)} ${amount(one.value)}`,
    facts(paint, [
      ["transaction", nameOf(one)],
      ["belongs to", ownerOf(one)],
      ["due", one.payday],
      ["description", one.statusDescription],
      ...movedOf(one),
      ["denied", reasonOf(one)],
      ["taken back", takenBackOf(one)],
      ["operator id", one.tid],
      ...boletoOf(one),
      ...pixOf(one)
    ])
  ].join("\n")

export const transactions = (paint: Paint, page: ReadonlyArray<Responses.Transaction>): string =>
  page.length === 0
    ? "No transactions."
    : table(
        paint,
        ["ID", "MY ID", "STATUS", "VALUE", "DUE", "BELONGS TO", "REASON"],
        page.map((one) => [
          String(one.svcPayId),
          one.myId ?? "",
          one.status,
          priceOf(one),
          one.payday ?? "",
          ownerOf(one),
          reasonOf(one)
        ]),
        { leftOut: ["BELONGS TO"], below: "MY ID", wraps: true }
      )

export const charge = (paint: Paint, one: Responses.Charge): string => {
  const [payment] = one.Transactions ?? []
  return facts(paint, [
    ["charge", nameOf(one)],
    ["status", one.status],
    ["plan", planOf(one)],
    ["paid by", one.mainPaymentMethodId],
    ["payment", payment?.status],
    ["transaction", payment === undefined ? undefined : nameOf(payment)],
    ["value", amount(one.value)],
    ["due", payment?.payday],
    ...(payment === undefined ? [] : movedOf(payment)),
    ["denied", payment === undefined ? undefined : reasonOf(payment)],
    ["taken back", payment === undefined ? undefined : takenBackOf(payment)],
    ...(payment === undefined ? [] : [...boletoOf(payment), ...pixOf(payment)])
  ])
}

export const charges = (paint: Paint, page: ReadonlyArray<Responses.Charge>): string =>
  page.length === 0
    ? "No charges."
    : table(
        paint,
        ["ID", "MY ID", "STATUS", "PAID BY", "VALUE", "PAYMENT", "TRANSACTION", "CUSTOMER"],
        page.map((one) => [
          String(one.svcPayId),
          one.myId ?? "",
          one.status,
          one.mainPaymentMethodId ?? "",
          amount(one.value),
          one.Transactions?.[0]?.status ?? "",
          String(one.Transactions?.[0]?.svcPayId ?? ""),
          one.Customer?.name ?? ""
        ]),
        { leftOut: ["PAID BY", "CUSTOMER", "STATUS", "TRANSACTION"], below: "MY ID", cut: ["CUSTOMER"] }
      )

/** Formats an amount of cents as `R$ 129,90`. A missing amount is not shown as zero. */
export const amount = (value: number | undefined): string => (isCents(value) ? Cents.format(value) : "?")

const isCents = Schema.is(Cents.Cents)

/** Formats the total reversed amount of a reversal's response. */
export const givenBack = (value: number | undefined): string =>
  value === undefined ? "The remaining amount is reversed." : `${amount(value)} are reversed.`

type Moved = Pick<Responses.TransactionOfSubscription, "paidValue" | "reversedValue" | "value">

/** Returns the paid and the reversed amounts. */
const movedOf = ({ paidValue, reversedValue }: Moved) =>
  [
    ["paid", paidValue === undefined ? undefined : amount(paidValue)],
    ["given back", reversedValue === undefined ? undefined : amount(reversedValue)]
  ] as const

/** Formats the price for a list, with the paid amount if it differs, and the reversed amount. */
const priceOf = ({ paidValue, reversedValue, value }: Moved): string =>
  [
    amount(value),
    ...(paidValue === undefined || paidValue === value ? [] : [`(paid ${amount(paidValue)})`]),
    ...(reversedValue === undefined || reversedValue === value ? [] : [`(${amount(reversedValue)} back)`])
  ].join(" ")

/** Returns a hint that a list may have more items, and how to get them. */
export const more = (found: number, startAt: number, limit: number): string =>
  found < limit ? "" : `\nThere may be more: --start-at ${startAt + limit}, or --all`

const nameOf = ({ myId = "", svcPayId }: { readonly myId?: string; readonly svcPayId?: number }): string =>
  `${myId} (${svcPayId ?? "?"})`.trimStart()

const planOf = ({ planMyId, planSvcPayId }: { readonly planMyId?: string; readonly planSvcPayId?: number }) =>
  planMyId ?? (planSvcPayId === undefined ? undefined : String(planSvcPayId))

const paymentsOf = ({ Transactions, quantity, totalTransactions }: Responses.Subscription): string => {
  if (Transactions === undefined) return "?"
  const made = totalTransactions ?? Transactions.length
  return quantity === undefined ? String(made) : quantity === 0 ? `${made}, without end` : `${made} of ${quantity}`
}

interface Owned {
  readonly subscriptionMyId?: string
  readonly subscriptionSvcPayId?: number
  readonly chargeMyId?: string
  readonly chargeSvcPayId?: number
}

/** Returns the charge or the subscription of a payment. */
const ownerOf = ({ chargeMyId, chargeSvcPayId, subscriptionMyId, subscriptionSvcPayId }: Owned): string => {
  const charge = chargeMyId ?? chargeSvcPayId
  const subscription = subscriptionMyId ?? subscriptionSvcPayId
  return charge !== undefined ? `charge ${charge}` : subscription === undefined ? "" : `subscription ${subscription}`
}

type Denied = Pick<Responses.TransactionOfSubscription, "AbecsReasonDenied" | "reasonDenied" | "status">

/** Returns the reason of a denial. Only the status decides, because an earlier attempt may have left a reason. */
const reasonOf = ({ AbecsReasonDenied, reasonDenied, status }: Denied): string =>
  status === "denied"
    ? [AbecsReasonDenied?.code, AbecsReasonDenied?.message ?? reasonDenied]
        .filter((part) => part !== undefined)
        .join(" ")
    : ""

/** Returns the amount that the operator took back, if the service reports it. */
const takenBackOf = ({ ConciliationOccurrences = [] }: Pick<Responses.Transaction, "ConciliationOccurrences">) => {
  const taken = ConciliationOccurrences.filter(({ type }) => type === "canceled")
  return taken.length === 0 ? undefined : amount(taken.reduce((sum, { liquidValue = 0 }) => sum + liquidValue, 0))
}

const boletoOf = ({ Boleto }: Pick<Responses.Transaction, "Boleto">) =>
  [
    ["bank line", Boleto?.bankLine],
    ["boleto", Boleto?.pdf]
  ] as const

const pixOf = ({ Pix }: Pick<Responses.Transaction, "Pix">) =>
  [
    ["Pix code", Pix?.qrCode],
    ["Pix page", Pix?.page]
  ] as const

interface NamedEntity {
  readonly svcPayId?: number
  readonly myId?: string
  readonly status?: string
}

const listed = <One extends NamedEntity>(
  none: string,
  columns: Readonly<Record<string, (one: One) => string | undefined>>,
  narrow: Narrow
): ((paint: Paint, page: ReadonlyArray<One>) => string) => {
  const headings = ["ID", "MY ID", "STATUS", ...Object.keys(columns)]
  return (paint, page) =>
    page.length === 0
      ? none
      : table(
          paint,
          headings,
          page.map((one) => [
            one.svcPayId === undefined ? "?" : String(one.svcPayId),
            one.myId ?? "",
            one.status ?? "",
            ...Object.values(columns).map((column) => column(one) ?? "")
          ]),
          narrow
        )
}

export const customers = listed<Partial<Responses.Customer>>(
  "No customers.",
  {
    NAME: ({ name }) => name,
    DOCUMENT: ({ document }) => document,
    EMAILS: ({ emails }) => emails?.join(", ")
  },
  { cut: ["NAME"], wraps: true }
)

export const cards = listed<Partial<Responses.Card>>(
  "No cards.",
  {
    CARD: ({ number }) => number,
    EXPIRES: ({ expiresAt }) => expiresAt,
    CUSTOMER: ({ customerMyId, customerSvcPayId }) => customerMyId ?? String(customerSvcPayId ?? "")
  },
  { leftOut: ["EXPIRES", "CUSTOMER"] }
)

export const plans = listed<Partial<Responses.Plan>>(
  "No plans.",
  {
    NAME: ({ name }) => name,
    PERIODICITY: ({ periodicity }) => periodicity,
    PAYMENTS: ({ quantity }) => (quantity === 0 ? "without end" : String(quantity ?? "?")),
    PRICES: ({ PlanPrices = [] }) =>
      PlanPrices.map(({ installment, payment = "?", value }) =>
        [installment === undefined ? payment : `${payment} in ${installment}`, amount(value)].join(" ")
      ).join(", ")
  },
  { leftOut: ["PAYMENTS", "PERIODICITY"], cut: ["NAME"], wraps: true }
)

interface Named {
  readonly transactionId?: number | null | undefined
  readonly transactionMyId?: string | undefined
}

/** Returns the client's `myId`, or the number if the service generated the `myId`, which is long. */
export const transactionOf = ({ transactionId, transactionMyId = "" }: Named): string =>
  transactionMyId !== "" && !isMade(transactionMyId) ? transactionMyId : String(transactionId ?? "")

/** Returns true if the service generated the name, or a client chose one of that length. */
export const isMade = (myId: string): boolean => myId.length > 24
