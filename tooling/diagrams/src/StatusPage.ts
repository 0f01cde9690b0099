/** The page `docs/reference/statuses.md`, from the tables of `@parcela/core` and nothing else. */
import { events } from "./Events.ts"
import { code, table } from "./Markdown.ts"
import {
  openingSubscriptionStatuses,
  openTransactionsWhile,
  subscriptionCauses,
  subscriptionTransitions
} from "@parcela/core/subscriptions/SubscriptionStatus"
import {
  openingStatus,
  statusDescriptions,
  transactionCauses,
  transactionGroups,
  TransactionStatus,
  transactionTransitions
} from "@parcela/core/transactions/TransactionStatus"
import { type Arrow, arrowsOf, joined, mermaid, reachableFrom } from "./Transitions.ts"

const titles = { creditcard: "By card", boleto: "By boleto", pix: "By Pix" } as const

const causes = (words: Readonly<Record<string, string>>): string =>
  table(
    ["Cause", "Because"],
    Object.entries(words).map(([cause, because]) => [code(cause), because])
  )

/** What may follow a status, and for which causes. */
const nextOf = (status: string, arrows: ReadonlyArray<Arrow>): string => {
  const next = joined(arrows.filter(({ from }) => from === status))
  return next.length === 0 ? "final" : next.map(({ cause, to }) => `${code(to)} (${cause})`).join(", ")
}

const subscriptions = (): string => {
  const arrows = arrowsOf(subscriptionTransitions)
  return [
    "## Subscriptions",
    mermaid(
      openingSubscriptionStatuses.map((to) => ({ to, label: "create" })),
      arrows
    ),
    table(
      ["Status", "Its open transactions are", "What may follow"],
      Object.entries(openTransactionsWhile).map(([status, open]) => [code(status), open, nextOf(status, arrows)])
    ),
    causes(subscriptionCauses)
  ].join("\n\n")
}

const transactions = (): string => {
  const arrows = arrowsOf(transactionTransitions)
  const diagrams = Object.entries(openingStatus).map(([method, opening]) => {
    const reached = reachableFrom(opening, arrows)
    const drawn = mermaid(
      [
        { to: opening, label: "add" },
        { to: "payExternal", label: "add, paid outside" }
      ],
      arrows.filter(({ from }) => reached.has(from))
    )
    // Each method has a title.
    return `### ${titles[method as keyof typeof titles]}\n\n${drawn}`
  })
  return [
    "## Transactions",
    ...diagrams,
    "### All nineteen",
    "The status alone decides: `reasonDenied` and `AbecsReasonDenied` are of the last denial, and stay when a later try is captured.",
    table(
      ["Status", "Means", "Group", "What may follow"],
      TransactionStatus.literals.map((status) => [
        code(status),
        statusDescriptions[status],
        transactionGroups[status],
        nextOf(status, arrows)
      ])
    ),
    causes(transactionCauses)
  ].join("\n\n")
}

/** The whole page. */
export const statusPage = (): string =>
  [
    "# Statuses",
    "<!-- Written by `npm run diagrams` from packages/core/src/subscriptions/SubscriptionStatus.ts, transactions/TransactionStatus.ts and webhooks/BillingEvent.ts. -->",
    "What may follow each status, and why. A cause that is not drawn is refused. While an attempt is under way, only its\n" +
      "outcome changes a transaction.",
    subscriptions(),
    transactions(),
    events()
  ].join("\n\n") + "\n"
