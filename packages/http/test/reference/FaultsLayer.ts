/**
 * A request that does not fit a contract which `HttpApiBuilder` serves, as a 400 that names every fault under its
 * `Entity.field`.
 *
 * @since 0.1.0
 */
import { detailsOf, type ErrorDetails } from "@parcela/core/errors/ErrorDetails"
import { dateAt } from "@parcela/core/time/Instant"
import { Settings } from "@parcela/engine/Settings"
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
import type * as Schema from "effect/Schema"
import { entityInPath, notJson, ofBody, refuseFaults } from "@parcela/http/InvalidRequest"

/**
 * The entity that a fault is reported under when its path names none: that of the operation.
 *
 * @category getters
 * @since 0.1.0
 */
export const entityOf = ({ annotations }: { readonly annotations: Context.Context<never> }): string =>
  Option.getOrElse(Context.getOption(annotations, FaultEntity), () => "Request")

/** Every fault of a body that did not decode. */
const ofPayload = Effect.fnUntraced(function* (
  cause: Schema.SchemaError,
  entity: string,
  zone: DateTime.TimeZone
): Effect.fn.Return<ErrorDetails, never, HttpServerRequest.HttpServerRequest> {
  const { json, text } = yield* HttpServerRequest.HttpServerRequest
  const today = Effect.map(Clock.currentTimeMillis, (now) => dateAt(now, zone))
  // Only a text that is not JSON has a fault in no type and no field.
  const unread = cause.issue._tag === "InvalidValue" ? notJson(yield* Effect.orDie(text), entity) : undefined
  if (unread !== undefined) return unread
  return yield* ofBody(cause, yield* Effect.orElseSucceed(json, () => undefined), entity, today)
})

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
        // A response that does not fit the contract is our own fault, not the request's.
        if (kind === "Body" || kind === "ResponseHeaders") return yield* Effect.die(error)
        const entity = kind === "Params" ? entityInPath(endpoint.path, entityOf(group)) : entityOf(group)
        const details = kind === "Payload" ? yield* ofPayload(cause, entity, zone) : detailsOf(cause.issue, entity)
        return yield* refuseFaults(details)
      })
    )
  )
)
