/**
 * A request that does not fit the contract, as a 400 that names every fault under its `Entity.field`.
 *
 * @since 0.1.0
 */
import { detailsOf, isUnknown } from "@parcela/core/Faults"
import { BadRequest } from "@parcela/transport/ApiError"
import { FaultsAsErrorNode } from "@parcela/transport/Security"
import * as Effect from "effect/Effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type * as Layer from "effect/Layer"
import { note } from "./RequestNotes.ts"

const entities: { readonly [group: string]: string } = {
  token: "Token",
  subscriptions: "Subscription",
  transactions: "Transaction",
  webhooks: "Webhook"
}

/**
 * The entity that a fault is reported under when its path names none: that of the operation.
 *
 * @category getters
 * @since 0.1.0
 */
export const entityOf = ({ identifier }: { readonly identifier: string }): string => entities[identifier] ?? "Request"

/** How many fields a response lists: each unknown key of a body is a field of its own. */
const mostFields = 100

/** A path names an entity of its own: `/transactions/{subscriptionId}/..` names a subscription. */
const entityInPath = (path: string): string | undefined =>
  path.includes("/:subscriptionId/") ? "Subscription" : path.includes("/:transactionId/") ? "Transaction" : undefined

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<FaultsAsErrorNode> = HttpApiMiddleware.layerSchemaErrorTransform(
  FaultsAsErrorNode,
  (error, { endpoint, group }) => {
    // An answer that does not fit the contract is our own fault, not the request's.
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error)
    const inPath = error.kind === "Params" ? entityInPath(endpoint.path) : undefined
    const details = detailsOf(error.cause.issue, inPath ?? entityOf(group))
    const fields = Object.entries(details)
    const faults = Object.values(details).flat().length
    const unknownKeys = fields.flatMap(([field, problems]) =>
      problems.includes(isUnknown) ? [field.slice(field.indexOf(".") + 1)] : []
    )
    const count = faults === 1 ? "a fault" : `${faults} faults`
    const failure = Effect.fail(
      fields.length <= mostFields
        ? new BadRequest({ message: `The request has ${count}`, details })
        : new BadRequest({
            message: `The request has ${count}; those of ${mostFields} fields are listed`,
            details: Object.fromEntries(fields.slice(0, mostFields))
          })
    )
    const faultyFields = fields.flatMap(([field, problems]) => (problems.includes(isUnknown) ? [] : [field]))
    return Effect.andThen(note({ unknownKeys, faultyFields }), failure)
  }
)
