/**
 * A request that does not fit the contract, as a 400 that names every fault under its `Entity.field`.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/Faults"
import { BadRequest } from "@parcela/transport/ApiError"
import { FaultsAsErrorNode } from "@parcela/transport/Security"
import * as Effect from "effect/Effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type * as Layer from "effect/Layer"

/** The entity that a fault is reported under when its path names none: that of the operation. */
const entityOf: { readonly [group: string]: string } = {
  token: "Token",
  subscriptions: "Subscription",
  transactions: "Transaction",
  webhooks: "Webhook"
}

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
    const details = detailsOf(error.cause.issue, inPath ?? entityOf[group.identifier] ?? "Request")
    const faults = Object.values(details).flat().length
    return Effect.fail(
      new BadRequest({ message: `The request has ${faults === 1 ? "a fault" : `${faults} faults`}`, details })
    )
  }
)
