/**
 * The client of the webhook controls, derived from their contract.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/errors/Faults"
import { type Decoded, type Decoder, Incomplete } from "@parcela/core/json/Reading"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type { ApiError } from "./ApiError.ts"
import { ApiFailure, InvalidRequest, type Unreachable, type Unreadable } from "./ClientError.ts"
import { type ClientOptions, withoutSlash } from "./ClientOptions.ts"
import { type Lost, once, unreachable } from "./Exchange.ts"
import * as Controls from "./WebhookControls.ts"

/**
 * A control was sent and its response was lost: it may have happened. Look before it is sent again.
 *
 * @category errors
 * @since 0.1.0
 */
export class ResponseLost extends Schema.TaggedError<ResponseLost>()("ResponseLost", {
  operation: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.operation} may or may not have happened: ${this.reason}. Look at what is there before you repeat it`
  }
}

/**
 * Why a control failed, or may have.
 *
 * @category models
 * @since 0.1.0
 */
export type ControlError = ApiFailure | InvalidRequest | ResponseLost | Unreachable | Unreadable

type Sending = Effect.Effect<
  HttpClientResponse.HttpClientResponse,
  Schema.SchemaError | HttpClientError.HttpClientError | ApiError
>

/**
 * The controls of one company, by its client id. Nothing is sent twice by itself.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (
  options: Pick<ClientOptions, "baseUrl" | "onAnswer" | "timeout">,
  clientId: string
) {
  const api = yield* HttpApiClient.make(Controls.WebhookOperations, { baseUrl: withoutSlash(options.baseUrl) })
  const raw = { responseMode: "response-only" } as const
  const company = { ...raw, params: { clientId } }
  const of = (endpointId: number) => ({ ...raw, params: { clientId, endpointId } })

  const told = (operation: string, error: ApiError | ApiFailure | Lost | Schema.SchemaError | Unreadable) => {
    switch (error._tag) {
      case "ApiFailure":
      case "Unreadable":
        return error
      case "SchemaError":
        return new InvalidRequest({ details: detailsOf(error.issue, "Request") })
      case "Lost":
        return error.mayHaveArrived
          ? new ResponseLost({ operation, reason: error.reason })
          : unreachable(options.baseUrl, error.reason)
      default:
        // No failure is decoded in this mode.
        return new ApiFailure({ status: 500, says: error.message })
    }
  }

  const send = <A>(operation: string, answer: Schema.ConstraintDecoder<A>, sending: Sending) =>
    Effect.mapError(once(options, operation, readingOf(answer), sending), (error): ControlError =>
      told(operation, error)
    )

  const Shown = Schema.Struct({ endpoint: Controls.Endpoint })
  const Secrets = Schema.Struct({ secrets: Schema.Array(Controls.Secret) })
  const OneReplay = Schema.Struct({ replay: Controls.Replay })
  return {
    endpoints: send(
      "endpoints.list",
      Schema.Struct({ endpoints: Schema.Array(Controls.ListedEndpoint) }),
      api.endpoints.list(company)
    ),
    create: (payload: Parameters<typeof api.endpoints.create>[0]["payload"]) =>
      send(
        "endpoints.create",
        Schema.Struct({ endpoint: Controls.Endpoint, secrets: Schema.Array(Controls.Secret) }),
        api.endpoints.create({ ...company, payload })
      ),
    edit: (endpointId: number, payload: Parameters<typeof api.endpoints.edit>[0]["payload"]) =>
      send("endpoints.edit", Shown, api.endpoints.edit({ ...of(endpointId), payload })),
    remove: (endpointId: number) =>
      send("endpoints.remove", Schema.Struct({ deleted: Schema.Literal(true) }), api.endpoints.remove(of(endpointId))),
    switchOn: (endpointId: number) => send("endpoints.switchOn", Shown, api.endpoints.switchOn(of(endpointId))),
    switchOff: (endpointId: number) => send("endpoints.switchOff", Shown, api.endpoints.switchOff(of(endpointId))),
    secrets: (endpointId: number) => send("endpoints.secrets", Secrets, api.endpoints.secrets(of(endpointId))),
    rotate: (endpointId: number, payload: Parameters<typeof api.endpoints.rotate>[0]["payload"] = {}) =>
      send("endpoints.rotate", Secrets, api.endpoints.rotate({ ...of(endpointId), payload })),
    endOverlap: (endpointId: number) => send("endpoints.endOverlap", Secrets, api.endpoints.endOverlap(of(endpointId))),
    deliveries: (query: Parameters<typeof api.deliveries.list>[0]["query"]) =>
      send(
        "deliveries.list",
        Schema.Struct({ deliveries: Schema.Array(Controls.Delivery) }),
        api.deliveries.list({ ...company, query })
      ),
    tries: (webhookId: number) =>
      send(
        "deliveries.tries",
        Schema.Struct({ tries: Schema.Array(Controls.Try) }),
        api.deliveries.tries({ ...raw, params: { clientId, webhookId } })
      ),
    replay: (webhookId: number) =>
      send(
        "deliveries.replay",
        Schema.Struct({ replayed: Schema.Literal(true) }),
        api.deliveries.replay({ ...raw, params: { clientId, webhookId } })
      ),
    replayAll: (payload: Parameters<typeof api.deliveries.replayAll>[0]["payload"]) =>
      send("deliveries.replayAll", OneReplay, api.deliveries.replayAll({ ...company, payload })),
    findReplay: (replayId: number) =>
      send("deliveries.findReplay", OneReplay, api.deliveries.findReplay({ ...raw, params: { clientId, replayId } }))
  }
})

/**
 * @category models
 * @since 0.1.0
 */
export type WebhookControlsClient = Effect.Success<ReturnType<typeof make>>

/** What a control answers is ours alone, so it is read as it is written; unknown keys are passed over. */
const readingOf = <A>(answer: Schema.ConstraintDecoder<A>): Decoder<A> => {
  const decode = Schema.decodeUnknownResult(answer)
  return (json) =>
    Result.mapBoth(decode(json), {
      onSuccess: (value): Decoded<A> => ({ value, unread: [] }),
      onFailure: ({ issue }) => new Incomplete({ missing: Object.keys(detailsOf(issue, "Response")), unread: [] })
    })
}
