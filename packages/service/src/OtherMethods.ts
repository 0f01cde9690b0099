/**
 * A 405 for every method that an address of a contract does not take.
 *
 * @since 0.1.0
 */
import { toResponse } from "@parcela/http/ErrorResponse"
import { MethodNotAllowed } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/** A 405 that names what is allowed. */
const notAllowed = (allowed: string) =>
  HttpServerResponse.setHeader(
    toResponse(new MethodNotAllowed({ message: `This address takes only ${allowed}` })),
    "allow",
    allowed
  )

/** The methods of each address; what else is served is read only. */
const taken = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>,
  readOnly: ReadonlyArray<HttpRouter.PathInput>
): ReadonlyMap<HttpRouter.PathInput, ReadonlyArray<string>> => {
  const found = new Map<HttpRouter.PathInput, Array<string>>(readOnly.map((path) => [path, ["GET"]]))
  HttpApi.reflect(contract, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      // The prefix is part of each path, which begins with a slash then.
      const at = path as HttpRouter.PathInput
      found.set(at, [...(found.get(at) ?? []), method])
    }
  })
  return found
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>,
  readOnly: ReadonlyArray<HttpRouter.PathInput>
) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      for (const [path, allowed] of taken(contract, readOnly)) {
        for (const method of methods.filter((one) => !allowed.includes(one))) {
          yield* router.add(method, path, notAllowed(allowed.join(", ")))
        }
      }
    })
  )
