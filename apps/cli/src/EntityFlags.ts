/**
 * Flags of subscriptions and charges: the card, the customer, the plan and extra fields.
 *
 * @since 0.1.0
 */
import type { CardInput } from "@parcela/core/cards/Card"
import { testCards } from "@parcela/provider-simulator/TestCards"
import { Clock, Effect, Option } from "effect"
import { Flag, type Command } from "effect/cli"
import { readJson } from "./Body.ts"
import { type Connection, isLoopback } from "./Connection.ts"
import { key, keys, many, numbers, text } from "./Flags.ts"
import { UsageError } from "./GlobalFlags.ts"
import type { ExtraField } from "@parcela/core/values/Fields"

/** Test cards by their names in the flag. */
const testCardNames = {
  approved: "captured, Visa",
  denied: "no funds",
  "denied-then-captured": "no funds at first"
} as const

const names: Readonly<Record<string, string>> = testCardNames

/** Returns a test card's number, given as number or name. Other numbers are refused, because they may be real cards. */
const testCardNumber = (given: string) => {
  const digits = given.replaceAll(/[ -]/gu, "")
  const card = testCards.find(({ name, number }) => number === digits || name === names[given])
  return card === undefined
    ? Effect.fail(
        new UsageError({
          problem: "--test-card is not a test card",
          remedy: `Use ${Object.keys(names).join(", ")} or a number of parcela sandbox test-cards; a card of somebody's goes through --card-file -`
        })
      )
    : Effect.succeed(card.number)
}

export const cardFlags = {
  testCard: Flag.String("test-card").pipe(
    Flag.withDescription(
      `Test card of the sandbox: ${Object.keys(names).join(", ")}, or a number from parcela sandbox test-cards`
    ),
    Flag.withMetavar("name|number"),
    Flag.optional
  ),
  cardFile: Flag.String("card-file").pipe(
    Flag.withDescription('Card data as JSON { number, holder, expiresAt: "YYYY-MM", cvv }, from a file or - for stdin'),
    Flag.withMetavar("file|-"),
    Flag.optional
  ),
  cardMyId: Flag.String("card-my-id").pipe(
    Flag.withDescription("An existing card of the customer, by your identifier"),
    Flag.withMetavar("id"),
    Flag.optional
  ),
  cardNumber: Flag.String("card-number").pipe(
    Flag.withDescription(
      "Card number, only for a sandbox on this machine, because other users can read flags; otherwise use --card-file -"
    ),
    Flag.withMetavar("digits"),
    Flag.optional
  ),
  cardHolder: Flag.String("card-holder").pipe(Flag.withDescription("Name on the card of --card-number"), Flag.optional),
  cardExpires: Flag.String("card-expires").pipe(
    Flag.withDescription("Expiry of the card of --card-number"),
    Flag.withMetavar("YYYY-MM"),
    Flag.optional
  ),
  cardCvv: Flag.String("card-cvv").pipe(Flag.withDescription("CVV of the card of --card-number"), Flag.optional)
}

/** Flags for the card terms of a subscription or a charge. */
export const cardTermFlags = {
  installments: Flag.Int("card-installments").pipe(
    Flag.withDescription("Number of instalments of the card's holder; each brand has a maximum"),
    Flag.optional
  ),
  preAuthorize: Flag.Boolean("pre-authorize").pipe(
    Flag.withDescription("Only authorize the amount; capture it later with the command capture"),
    Flag.withDefault(false)
  )
}

interface Given {
  readonly testCard: Option.Option<string>
  readonly cardFile: Option.Option<string>
  readonly cardMyId: Option.Option<string>
  readonly cardNumber: Option.Option<string>
  readonly cardHolder: Option.Option<string>
  readonly cardExpires: Option.Option<string>
  readonly cardCvv: Option.Option<string>
  readonly installments?: Option.Option<number>
  readonly preAuthorize?: boolean
}

/** Returns the card node of a request, or nothing if no card is given. */
export const cardOf = Effect.fn("CardFlags.cardOf")(function* (given: Given, to: Connection) {
  const ways = [given.testCard, given.cardFile, given.cardMyId, given.cardNumber].filter(Option.isSome)
  if (ways.length > 1) {
    return yield* new UsageError({
      problem: "There is more than one card",
      remedy: "Use one of --test-card, --card-file, --card-my-id and --card-number"
    })
  }
  const card = yield* input(given, to)
  const node = {
    ...(card === undefined ? {} : { Card: card }),
    ...key("qtdInstallments", given.installments ?? Option.none()),
    ...(given.preAuthorize === true ? { preAuthorize: true } : {})
  }
  return Object.keys(node).length === 0 ? {} : { PaymentMethodCreditCard: node }
})

const input = Effect.fnUntraced(function* (given: Given, to: Connection) {
  if (Option.isSome(given.cardFile)) {
    // The client validates the JSON before the request is sent.
    return (yield* readJson("--card-file", given.cardFile.value, to)) as typeof CardInput.Encoded
  }
  if (Option.isSome(given.cardMyId)) return { myId: given.cardMyId.value }
  const inFourYears = `${new Date(yield* Clock.currentTimeMillis).getUTCFullYear() + 4}-12`
  if (Option.isSome(given.testCard)) {
    const number = yield* testCardNumber(given.testCard.value)
    return { number, holder: "SANDBOX CARD", expiresAt: inFourYears, cvv: "123" }
  }
  if (Option.isSome(given.cardNumber)) {
    const url = URL.parse(to.baseUrl)
    if (url === null || !isLoopback(url)) {
      return yield* new UsageError({
        problem: "--card-number is only for a sandbox on this machine, because other users can read flags",
        remedy: "Give the card as JSON with --card-file -"
      })
    }
    return {
      number: given.cardNumber.value,
      holder: Option.getOrElse(given.cardHolder, () => "SANDBOX CARD"),
      expiresAt: Option.getOrElse(given.cardExpires, () => inFourYears),
      cvv: Option.getOrElse(given.cardCvv, () => "123")
    }
  }
  return undefined
})

export const customerFlags = {
  customerMyId: text("customer-my-id", "Customer: your identifier, existing or new", "id"),
  customerId: Flag.Int("customer-id").pipe(
    Flag.withDescription("Customer: the service's identifier of an existing customer"),
    Flag.optional
  ),
  customerName: text("customer-name", "Customer: name"),
  customerDocument: text("customer-document", "Customer: CPF or CNPJ, digits only", "digits"),
  customerEmail: many("customer-email", "Customer: e-mail address", "address"),
  customerPhone: many("customer-phone", "Customer: telephone number, digits only", "digits")
}

/** Returns the node `Customer` of a body. */
export const customerOf = (given: Command.Command.Config.Infer<typeof customerFlags>) => ({
  ...key("svcPayId", given.customerId),
  ...key("myId", given.customerMyId),
  ...key("name", given.customerName),
  ...key("document", given.customerDocument),
  ...keys("emails", given.customerEmail),
  ...keys("phones", numbers(given.customerPhone))
})

export const planFlags = {
  plan: text("plan", "Plan, by your identifier", "id"),
  planId: Flag.Int("plan-id").pipe(Flag.withDescription("Plan, by the service's identifier"), Flag.optional)
}

export const planOf = ({ plan, planId }: Command.Command.Config.Infer<typeof planFlags>) => ({
  ...key("planMyId", plan),
  ...key("planSvcPayId", planId)
})

export const extraFieldFlags = {
  extraField: many("extra-field", "A field of your own, which lists can filter by", "name=value")
}

export const extraFieldsOf = ({ extraField }: Command.Command.Config.Infer<typeof extraFieldFlags>) =>
  keys("ExtraFields", extraField.map(fieldOf))

/** Parses `name=value`. Without an equals sign the value is missing, which the request's validation reports. */
const fieldOf = (text: string): Partial<ExtraField> => {
  const at = text.indexOf("=")
  return at === -1 ? { tagName: text } : { tagName: text.slice(0, at), tagValue: text.slice(at + 1) }
}
