/**
 * The JSON body of a request to the sandbox's controls.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/errors/Faults"
import { jsonFault, jsonFaultWords } from "@parcela/core/json/JsonSyntax"
import { BadRequest } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"

/**
 * The body of the request that is handled, as `schema` has it; no body is an empty object. It fails with every fault
 * at once, each under its field of `entity`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const bodyAs = <A, I>(entity: string, schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(schema), {
    errors: "all",
    onExcessProperty: "error"
  })
  return Effect.gen(function* () {
    const { text } = yield* HttpServerRequest.HttpServerRequest
    const body = (yield* text) || "{}"
    const fault = jsonFault(body)
    if (fault !== undefined) {
      return yield* new BadRequest({
        message: "The request has a fault",
        details: { [`${entity}.body`]: [jsonFaultWords(fault)] }
      })
    }
    return yield* Effect.mapError(
      decode(body),
      ({ issue }) => new BadRequest({ message: "The request has faults", details: detailsOf(issue, entity) })
    )
  })
}
