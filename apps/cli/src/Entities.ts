/**
 * Subscriptions, charges and transactions as a person reads them.
 *
 * @since 0.1.0
 */
import * as Cents from "@parcela/core/money/Cents"
import type * as Responses from "@parcela/transport/client/ParcelaOperations"
import * as Schema from "effect/Schema"
import { colourOf, facts, type Paint, table } from "./Paint.ts"

export const subscription = (paint: Paint, one: Responses.Subscription): string =>
  facts(paint, [
    ["subscription", `${one.myId ?? ""} (${one.svcPayId})`],
    ["status", one.status],
    ["paid by", one.mainPaymentMethodId],
    [
      "customer",
      one.Customer === undefined ? undefined : `${one.Customer.name ?? ""} (${one.Customer.svcPayId ?? "?"})`
    ],
    ["card", one.PaymentMethodCreditCard?.Card?.number],
    ["payments", paymentsOf(one)]
  ])

export const subscriptions = (paint: Paint, page: ReadonlyArray<Responses.Subscription>): string =>
  page.length === 0
    ? "No subscriptions."
    : table(
        paint,
        ["ID", "MY ID", "STATUS", "PAID BY", "PAYMENTS", "CUSTOMER"],
        page.map((one) => [
          String(one.svcPayId),
          one.myId ?? "",
          one.status,
          one.mainPaymentMethodId ?? "",
          paymentsOf(one),
          one.Customer?.name ?? ""
        ])
      )

export const transaction = (paint: Paint, one: Responses.Transaction): string =>
  [
    `${paint(colourOf(one.status), one.status)} ${amountOf(one)}`,
    facts(paint, [
      ["transaction", `${one.myId ?? ""} (${one.svcPayId})`],
      ["subscription", one.subscriptionMyId],
      ["due", one.payday],
      ["description", one.statusDescription],
      // A reason may be left over from an earlier try: only the status decides.
      ["denied", one.status === "denied" ? reason(one) : undefined],
      ["operator's id", one.tid],
      ["bank line", one.Boleto?.bankLine],
      ["slip", one.Boleto?.pdf],
      ["Pix code", one.Pix?.qrCode],
      ["Pix page", one.Pix?.page]
    ])
  ].join("\n")

export const transactions = (paint: Paint, page: ReadonlyArray<Responses.Transaction>): string =>
  page.length === 0
    ? "No transactions."
    : table(
        paint,
        ["ID", "MY ID", "STATUS", "VALUE", "DUE", "SUBSCRIPTION", "REASON"],
        page.map((one) => [
          String(one.svcPayId),
          one.myId ?? "",
          one.status,
          amountOf(one),
          one.payday ?? "",
          one.subscriptionMyId ?? "",
          one.status === "denied" ? reason(one) : ""
        ])
      )

export const charge = (paint: Paint, one: Responses.Charge): string => {
  const [payment] = one.Transactions ?? []
  return facts(paint, [
    ["charge", `${one.myId ?? ""} (${one.svcPayId})`],
    ["status", one.status],
    ["paid by", one.mainPaymentMethodId],
    ["payment", payment?.status],
    ["value", amountOf(one)],
    ["due", payment?.payday],
    ["denied", payment?.status === "denied" ? payment.reasonDenied : undefined],
    ["bank line", payment?.Boleto?.bankLine],
    ["Pix code", payment?.Pix?.qrCode]
  ])
}

export const charges = (paint: Paint, page: ReadonlyArray<Responses.Charge>): string =>
  page.length === 0
    ? "No charges."
    : table(
        paint,
        ["ID", "MY ID", "STATUS", "PAID BY", "VALUE", "PAYMENT", "CUSTOMER"],
        page.map((one) => [
          String(one.svcPayId),
          one.myId ?? "",
          one.status,
          one.mainPaymentMethodId ?? "",
          amountOf(one),
          one.Transactions?.[0]?.status ?? "",
          one.Customer?.name ?? ""
        ])
      )

// What a service leaves out, or sends in a form that cannot be read, is not shown as if it were nothing.
const paymentsOf = ({ Transactions, totalTransactions }: Responses.Subscription): string =>
  Transactions === undefined ? "?" : String(totalTransactions ?? Transactions.length)

const amountOf = ({ value }: Pick<Responses.Transaction, "value">): string =>
  isCents(value) ? Cents.format(value) : "?"

const isCents = Schema.is(Cents.Cents)

/** That there may be more, and how to get it. */
export const more = (found: number, startAt: number, limit: number): string =>
  found < limit ? "" : `\nThere may be more: --start-at ${startAt + limit}`

const reason = (one: Responses.Transaction): string =>
  [one.AbecsReasonDenied?.code, one.AbecsReasonDenied?.message ?? one.reasonDenied]
    .filter((part) => part !== undefined)
    .join(" ")
