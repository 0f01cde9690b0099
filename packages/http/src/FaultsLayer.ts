/**
 * A request that does not fit the contract, as a 400 that names every fault under its `Entity.field`.
 *
 * @since 0.1.0
 */
import { refusalDetails } from "@parcela/core/errors/BillingError"
import { refusalsIn } from "@parcela/core/cards/CardRefusals"
import type { ErrorDetails } from "@parcela/core/errors/ErrorNode"
import { detailsOf, isUnknown } from "@parcela/core/errors/Faults"
import { jsonFault, jsonFaultWords } from "@parcela/core/json/JsonSyntax"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { dateAt } from "@parcela/core/time/WallClock"
import { Settings } from "@parcela/engine/Settings"
import { BadRequest } from "@parcela/transport/ApiError"
import { FaultEntity } from "@parcela/transport/contract/Operation"
import { FaultsAsErrorNode } from "@parcela/transport/Security"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SchemaIssue from "effect/SchemaIssue"
import { note } from "./RequestNotes.ts"

/**
 * The entity that a fault is reported under when its path names none: that of the operation.
 *
 * @category getters
 * @since 0.1.0
 */
export const entityOf = ({ annotations }: { readonly annotations: Context.Context<never> }): string =>
  Option.getOrElse(Context.getOption(annotations, FaultEntity), () => "Request")

/** How many fields a response lists: each unknown key of a body is a field of its own. */
const mostFields = 100

/** A path names an entity of its own: `/transactions/{subscriptionId}/..` names a subscription. */
const entityInPath = (path: string): string | undefined =>
  path.includes("/:subscriptionId/") ? "Subscription" : path.includes("/:transactionId/") ? "Transaction" : undefined

/** What a body that is not JSON is told: where, and what belongs there. Nothing of it is shown. */
const notJson = (text: string, entity: string): ErrorDetails | undefined => {
  const fault = jsonFault(text)
  return fault === undefined ? undefined : { [`${entity}.body`]: [jsonFaultWords(fault)] }
}

/**
 * What is wrong with the card of a body that has other faults, by rules that need the date: one that is read whole is
 * refused for it later, by the use case.
 */
const refusedCard = (body: unknown, today: LocalDate, entity: string, faults: ErrorDetails): ErrorDetails =>
  `${entity}.PaymentMethodCreditCard` in faults ? {} : refusalDetails(refusalsIn(body, today))

/** Every fault of a body that did not decode. */
const ofPayload = Effect.fnUntraced(function* (
  issue: SchemaIssue.Issue,
  entity: string,
  zone: DateTime.TimeZone
): Effect.fn.Return<ErrorDetails, never, HttpServerRequest.HttpServerRequest> {
  const { json, text } = yield* HttpServerRequest.HttpServerRequest
  // Only a text that is not JSON has a fault in no type and no field.
  const unread = issue._tag === "InvalidValue" ? notJson(yield* Effect.orDie(text), entity) : undefined
  if (unread !== undefined) return unread
  const faults = detailsOf(issue, entity)
  const body = yield* Effect.orElseSucceed(json, () => undefined)
  const today = dateAt(yield* Clock.currentTimeMillis, zone)
  return { ...refusedCard(body, today, entity, faults), ...faults }
})

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

const noteOf = (details: ErrorDetails) => {
  const fields = Object.entries(details)
  const unknown = fields.filter(([, problems]) => problems.includes(isUnknown))
  return note({
    unknownKeys: unknown.map(([field]) => field.slice(field.indexOf(".") + 1)),
    faultyFields: fields.filter((field) => !unknown.includes(field)).map(([field]) => field)
  })
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<FaultsAsErrorNode> = Layer.unwrap(
  Effect.map(Settings, ({ zone }) =>
    HttpApiMiddleware.layerSchemaErrorTransform(
      FaultsAsErrorNode,
      Effect.fnUntraced(function* (error, { endpoint, group }) {
        const { cause, kind } = error
        // An answer that does not fit the contract is our own fault, not the request's.
        if (kind === "Body" || kind === "ResponseHeaders") return yield* Effect.die(error)
        const inPath = kind === "Params" ? entityInPath(endpoint.path) : undefined
        const entity = inPath ?? entityOf(group)
        const details =
          kind === "Payload" ? yield* ofPayload(cause.issue, entity, zone) : detailsOf(cause.issue, entity)
        yield* noteOf(details)
        return yield* refusalOf(details)
      })
    )
  )
)
