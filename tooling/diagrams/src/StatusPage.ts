/** The page `docs/reference/statuses.md`, from the tables of `@parcela/core` and nothing else. */
import { events } from "./Events.ts"
import { code, table } from "./Markdown.ts"
import {
  openingSubscriptionStatuses,
  openPaymentsOfSubscription,
  subscriptionCauses,
  subscriptionTransitions
} from "@parcela/core/subscriptions/SubscriptionState"
import {
  openingStatus,
  statusDescriptions,
  transactionCauses,
  transactionGroups,
  TransactionStatus,
  transactionTransitions
} from "@parcela/core/transactions/TransactionStatus"
import { type Arrow, arrowsOf, mermaid, reachableFrom } from "./Transitions.ts"

const titles = { creditcard: "By card", boleto: "By boleto", pix: "By Pix" } as const

const causes = (words: Readonly<Record<string, string>>): string =>
  table(
    ["Cause", "Meaning"],
    Object.entries(words).map(([cause, because]) => [code(cause), because])
  )

/** The status, marked when no transition leaves it. */
const marked = (status: string, arrows: ReadonlyArray<Arrow>): string =>
  arrows.some(({ from }) => from === status) ? code(status) : `${code(status)}, final`

const subscriptions = (): string => {
  const arrows = arrowsOf(subscriptionTransitions)
  return [
    "## Subscriptions",
    mermaid(
      openingSubscriptionStatuses.map((to) => ({ to, label: "create" })),
      arrows
    ),
    table(
      ["Status", "Its open transactions are"],
      Object.entries(openPaymentsOfSubscription).map(([status, open]) => [marked(status, arrows), open])
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
    "Decide on the status alone: `reasonDenied` and `AbecsReasonDenied` keep the last denial, also after a capture.",
    table(
      ["Status", "Meaning", "Group"],
      TransactionStatus.literals.map((status) => [
        marked(status, arrows),
        statusDescriptions[status],
        transactionGroups[status]
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
    "The statuses, what changes them, and the events that report a change. A command without an arrow is refused. While a provider\n" +
      "call is under way, only its outcome changes the transaction.",
    subscriptions(),
    transactions(),
    events()
  ].join("\n\n") + "\n"
