/** The section about events: the log's name of each and the webhook event it is delivered as. */
import { BillingEvent, webhookEventOf } from "@parcela/core/webhooks/BillingEvent"
import { code, table } from "./Markdown.ts"

type Tag = BillingEvent["_tag"]

// Each case has the name of its events.
const tags = Object.keys(BillingEvent.cases) as ReadonlyArray<Tag>

const methods = [
  ["creditcard", "by card"],
  ["boleto", "by boleto"],
  ["pix", "by Pix"],
  ["outside", "paid outside"]
] as const

const owners = [
  ["Subscription", "of a subscription"],
  ["Charge", "of a charge"]
] as const

/** The methods that an event can be of, where not each of them. */
const only: { readonly [T in Tag]?: ReadonlyArray<string> } = {
  TransactionRegistered: ["boleto", "pix"],
  ChargebackOpened: ["creditcard"]
}

/** The webhook events of a domain event, by owner of the payment. Empty if the event is not delivered. */
const deliveredOf = (tag: Tag) =>
  owners.flatMap(([owner, whose]) =>
    methods
      .filter(([method]) => only[tag]?.includes(method) ?? true)
      .flatMap(([method, how]) => {
        const name = webhookEventOf({ _tag: tag }, { method, owner: { _tag: owner } })
        return name === undefined ? [] : [{ name, whose, how }]
      })
  )

/** `of a subscription, by card or paid outside`; `all` where it is every payment. */
const which = (found: ReturnType<typeof deliveredOf>): string => {
  const whose = [...new Set(found.map((one) => one.whose))]
  const how = [...new Set(found.map((one) => one.how))]
  const phrases = [
    ...(whose.length === owners.length ? [] : whose),
    ...(how.length === methods.length ? [] : [how.join(" or ")])
  ]
  return phrases.length === 0 ? "all" : phrases.join(", ")
}

export const events = (): string => {
  const rows = tags.map((tag) => ({ tag, found: deliveredOf(tag) }))
  const unsent = rows.filter(({ found }) => found.length === 0)
  return [
    "## Events",
    "The event log (`GET /sandbox/companies/{clientId}/events`, `parcela sandbox events`) has more events than webhooks deliver.",
    table(
      ["In the log", "Delivered as", "Of which payments"],
      rows.flatMap(({ found, tag }) => (found[0] === undefined ? [] : [[code(tag), code(found[0].name), which(found)]]))
    ),
    "A boleto or Pix that is registered again, with another value or payday, causes no second event. In the log alone:\n" +
      `${unsent.map(({ tag }) => code(tag)).join(", ")}.`
  ].join("\n\n")
}
