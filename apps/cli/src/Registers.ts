/**
 * Output of customers, cards and plans.
 *
 * @since 0.1.0
 */
import type * as Responses from "@parcela/transport/client/ParcelaOperations"
import { amount } from "./Entities.ts"
import { type Paint } from "./Paint.ts"
import { type Narrow, table } from "./Table.ts"

interface Named {
  readonly svcPayId?: number
  readonly myId?: string
  readonly status?: string
}

const listed = <One extends Named>(
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
