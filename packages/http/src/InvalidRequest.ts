/**
 * Errors of requests that do not fit the contract. All errors are reported at once, by `Entity.field`.
 *
 * @since 0.1.0
 */
import { refusalsIn } from "@parcela/core/cards/CardDecider"
import { refusalDetails } from "@parcela/core/errors/BillingError"
import { type ErrorDetails, detailsOf, isUnknown } from "@parcela/core/errors/ErrorDetails"
import { jsonSyntaxError, jsonSyntaxMessage } from "@parcela/core/json/JsonSyntax"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { BadRequest } from "@parcela/transport/ApiError"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import { note, noteIn } from "./ReceivedRequest.ts"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** Maximum number of fields that a response lists. Each unknown key of a body is a field of its own. */
const maxFields = 100

/**
 * Returns the entity under which errors of a path are reported: the entity that the path identifies
 * (`/transactions/{subscriptionId}/..` identifies a subscription), or else the operation's.
 *
 * @category getters
 * @since 0.1.0
 */
export const entityInPath = (path: string, entity: string): string => {
  const [, name] = /\/:([a-z]+)Id\/:typeId/.exec(path) ?? []
  return name === undefined ? entity : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/**
 * Returns the error of a body that is not JSON: the position of the syntax error and the expected token. It shows no
 * part of the body.
 *
 * @category conversions
 * @since 0.1.0
 */
export const notJson = (text: string, entity: string): ErrorDetails | undefined => {
  const fault = jsonSyntaxError(text)
  return fault === undefined ? undefined : { [`${entity}.body`]: [jsonSyntaxMessage(fault)] }
}

/**
 * Returns every error of a body that failed to decode, including card errors that depend on today's date. For a valid
 * body the use case checks the card by the same date, from the company's clock. The clock is read only if the body has
 * a card.
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

/** Adds our name to the error of an unknown key in the spelling of other deployments, such as `galaxPayId`. */
const withOwnNames = (details: ErrorDetails): ErrorDetails =>
  Object.fromEntries(
    Object.entries(details).map(([field, problems]) => {
      const name = nameOf(field)
      const meant = galaxPay.fromWireName(name)
      return [
        field,
        meant === name
          ? problems
          : problems.map((problem) => (problem === isUnknown ? `${problem}: did you mean ${meant}?` : problem))
      ]
    })
  )

/** Returns the failure that lists these errors, up to the maximum. */
const refusalOf = (details: ErrorDetails): BadRequest => {
  const fields = Object.entries(details)
  const count = Object.values(details).flat().length
  return fields.length <= maxFields
    ? new BadRequest({ message: count === 1 ? "The request is invalid" : `The request has ${count} errors`, details })
    : new BadRequest({
        message: `The request has ${count} errors; those of ${maxFields} fields are listed`,
        details: Object.fromEntries(fields.slice(0, maxFields))
      })
}

/**
 * Notes unknown keys for the log, by name only.
 *
 * @category notes
 * @since 0.1.0
 */
export const noteUnknownKeys = (context: Context.Context<never>, fields: ReadonlyArray<string>): void =>
  noteIn(context, { unknownKeys: fields.map(nameOf) })

/** Returns the name of a field without its entity. */
const nameOf = (field: string): string => field.slice(field.indexOf(".") + 1)

/**
 * Fails with the 400 for these errors. The names of invalid and ignored fields are noted for the log, without values.
 *
 * @category conversions
 * @since 0.1.0
 */
export const refuseFaults = (
  details: ErrorDetails,
  ignored: ReadonlyArray<string> = []
): Effect.Effect<never, BadRequest> => {
  const fields = Object.entries(details)
  const unknown = fields.filter(([, problems]) => problems.includes(isUnknown))
  return Effect.andThen(
    note({
      unknownKeys: [...unknown.map(([field]) => field), ...ignored].map(nameOf),
      faultyFields: fields.filter((field) => !unknown.includes(field)).map(([field]) => field)
    }),
    refusalOf(withOwnNames(details))
  )
}

/**
 * The header's name.
 *
 * @category headers
 * @since 0.1.0
 */
export const unknownKeysName = "x-unknown-keys"

const maxNames = 20
const maxNameLength = 60

/**
 * Makes a client's text safe for a header: control characters are encoded, and digits that may be of a card are hidden.
 */
const shown = (field: string): string => {
  const hidden = field.toWellFormed().replace(/\d{6,}/gu, "…")
  const points = Array.from(hidden)
  return encodeURIComponent(points.length <= maxNameLength ? hidden : `${points.slice(0, maxNameLength - 1).join("")}…`)
}

/**
 * Adds `X-Unknown-Keys` to a response: names only, as `Entity.field`, percent-encoded and joined by commas. Of more
 * than 20 names, it lists the first 20 and the number of the others.
 *
 * @category headers
 * @since 0.1.0
 */
export const unknownKeysHeader = (
  response: HttpServerResponse.HttpServerResponse,
  unknownKeys: ReadonlyArray<string>
): HttpServerResponse.HttpServerResponse => {
  const names = unknownKeys.slice(0, maxNames).map(shown)
  const more = unknownKeys.length - names.length
  return HttpServerResponse.setHeader(
    response,
    unknownKeysName,
    more > 0 ? `${names.join(", ")}, and ${more} more` : names.join(", ")
  )
}
