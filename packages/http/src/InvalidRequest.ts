/**
 * What is wrong with a request that does not fit the contract: every fault at once, under its `Entity.field`.
 *
 * @since 0.1.0
 */
import { refusalsIn } from "@parcela/core/cards/CardRefusals"
import { refusalDetails } from "@parcela/core/errors/BillingError"
import type { ErrorDetails } from "@parcela/core/errors/ErrorNode"
import { detailsOf, isUnknown } from "@parcela/core/errors/ErrorDetails"
import { jsonFault, jsonFaultWords } from "@parcela/core/json/JsonSyntax"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { BadRequest } from "@parcela/transport/ApiError"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import { note, noteIn } from "./RequestRecord.ts"

/** How many fields a response lists: each unknown key of a body is a field of its own. */
const mostFields = 100

/**
 * The entity that faults of a path are reported under: a path names one of its own where it has an identifier
 * (`/transactions/{subscriptionId}/..` names a subscription), else it is the operation's.
 *
 * @category getters
 * @since 0.1.0
 */
export const entityInPath = (path: string, entity: string): string => {
  const [, name] = /\/:([a-z]+)Id\/:typeId/.exec(path) ?? []
  return name === undefined ? entity : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/**
 * What is said of a body that is not JSON: where the fault is, and what belongs there. Nothing of it is shown.
 *
 * @category conversions
 * @since 0.1.0
 */
export const notJson = (text: string, entity: string): ErrorDetails | undefined => {
  const fault = jsonFault(text)
  return fault === undefined ? undefined : { [`${entity}.body`]: [jsonFaultWords(fault)] }
}

/**
 * Every fault of a body that did not decode. What is wrong with its card by rules that need the date is in the list too:
 * one that is read whole is refused for it later, by the use case, on the same day: that of the company's clock. It is asked
 * for only where there is a card.
 *
 * @category conversions
 * @since 0.1.0
 */
export const ofBody = <E>(
  { issue }: Schema.SchemaError,
  body: unknown,
  entity: string,
  today: Effect.Effect<LocalDate, E>
): Effect.Effect<ErrorDetails, E> => {
  const faults = detailsOf(issue, entity)
  const hasCard =
    entity === "Card" ||
    (Predicate.hasProperty(body, "PaymentMethodCreditCard") && !(`${entity}.PaymentMethodCreditCard` in faults))
  return hasCard
    ? Effect.map(today, (today) => ({ ...refusalDetails(refusalsIn(body, today)), ...faults }))
    : Effect.succeed(faults)
}

/** Of an unknown key in the spelling of other deployments, such as `galaxPayId`, what it is called here. */
const calledHere = (details: ErrorDetails): ErrorDetails =>
  Object.fromEntries(
    Object.entries(details).map(([field, problems]) => {
      const name = nameOf(field)
      const meant = galaxPay.fromWireName(name)
      return [
        field,
        meant === name
          ? problems
          : problems.map((problem) => (problem === isUnknown ? `${problem}: ${meant} is meant` : problem))
      ]
    })
  )

/** The refusal that lists these faults, as many as one lists. */
const refusalOf = (details: ErrorDetails): BadRequest => {
  const fields = Object.entries(details)
  const faults = Object.values(details).flat().length
  const count = faults === 1 ? "a fault" : `${faults} faults`
  return fields.length <= mostFields
    ? new BadRequest({ message: `The request has ${count}`, details })
    : new BadRequest({
        message: `The request has ${count}; those of ${mostFields} fields are listed`,
        details: Object.fromEntries(fields.slice(0, mostFields))
      })
}

/**
 * Notes keys that nothing reads, by their names alone.
 *
 * @category notes
 * @since 0.1.0
 */
export const noteUnknownKeys = (context: Context.Context<never>, fields: ReadonlyArray<string>): void =>
  noteIn(context, { unknownKeys: fields.map(nameOf) })

/** The name of a field without its entity. */
const nameOf = (field: string): string => field.slice(field.indexOf(".") + 1)

/**
 * The 400 of these faults. Their names, and no values, are noted for the log, with the keys that were ignored.
 *
 * @category conversions
 * @since 0.1.0
 */
export const refuseFaults = (
  details: ErrorDetails,
  passedOver: ReadonlyArray<string> = []
): Effect.Effect<never, BadRequest> => {
  const fields = Object.entries(details)
  const unknown = fields.filter(([, problems]) => problems.includes(isUnknown))
  return Effect.andThen(
    note({
      unknownKeys: [...unknown.map(([field]) => field), ...passedOver].map(nameOf),
      faultyFields: fields.filter((field) => !unknown.includes(field)).map(([field]) => field)
    }),
    refusalOf(calledHere(details))
  )
}
