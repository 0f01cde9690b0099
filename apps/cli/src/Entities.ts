/**
 * Subscriptions and transactions as a person reads them.
 *
 * @since 0.1.0
 */
import * as Cents from "@parcela/core/Cents"
import type * as Reading from "@parcela/transport/Reading"
import { colourOf, facts, type Paint, table } from "./Paint.ts"

export const subscription = (paint: Paint, one: Reading.Subscription): string =>
  facts(paint, [
    ["subscription", `${one.myId ?? ""} (${one.svcPayId})`],
    ["status", one.status],
    ["paid by", one.mainPaymentMethodId],
    [
      "customer",
      one.Customer === undefined ? undefined : `${one.Customer.name ?? ""} (${one.Customer.svcPayId ?? "?"})`
    ],
    ["card", one.PaymentMethodCreditCard?.Card?.number],
    ["payments", String(one.Transactions.length)]
  ])

export const subscriptions = (paint: Paint, page: ReadonlyArray<Reading.Subscription>): string =>
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
          String(one.Transactions.length),
          one.Customer?.name ?? ""
        ])
      )

export const transaction = (paint: Paint, one: Reading.Transaction): string =>
  [
    `${paint(colourOf(one.status), one.status)} ${Cents.format(one.value)}`,
    facts(paint, [
      ["transaction", `${one.myId ?? ""} (${one.svcPayId})`],
      ["subscription", one.subscriptionMyId],
      ["due", one.payday],
      ["said", one.statusDescription],
      // A reason may be left over from an earlier try: only the status decides.
      ["denied", one.status === "denied" ? reason(one) : undefined],
      ["operator's id", one.tid],
      ["bank line", one.Boleto?.bankLine],
      ["slip", one.Boleto?.pdf],
      ["Pix code", one.Pix?.qrCode],
      ["Pix page", one.Pix?.page]
    ])
  ].join("\n")

export const transactions = (paint: Paint, page: ReadonlyArray<Reading.Transaction>): string =>
  page.length === 0
    ? "No transactions."
    : table(
        paint,
        ["ID", "MY ID", "STATUS", "VALUE", "DUE", "SUBSCRIPTION", "REASON"],
        page.map((one) => [
          String(one.svcPayId),
          one.myId ?? "",
          one.status,
          Cents.format(one.value),
          one.payday,
          one.subscriptionMyId ?? "",
          one.status === "denied" ? reason(one) : ""
        ])
      )

/** That there may be more, and how to get it. */
export const more = (found: number, startAt: number, limit: number): string =>
  found < limit ? "" : `\nThere may be more: --start-at ${startAt + limit}`

const reason = (one: Reading.Transaction): string =>
  [one.AbecsReasonDenied?.code, one.AbecsReasonDenied?.message ?? one.reasonDenied]
    .filter((part) => part !== undefined)
    .join(" ")
