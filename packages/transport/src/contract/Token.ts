/**
 * Access tokens (interface section 4.2). The interface does not define the body of the request;
 * `docs/interface-decisions.md` does.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { int, string } from "@parcela/core/values/Text"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { ClientCredentials } from "../Security.ts"
import { failure } from "./Examples.ts"
import { always, documented, FaultEntity, withBody } from "./Operation.ts"

/**
 * **Details**
 *
 * `authorization_code` is the grant type of this service family's clients, and `client_credentials` that of OAuth 2;
 * both have the same effect. `scope` contains words separated by spaces. Without `scope` the token has all allowed
 * scopes except `balance.write` and `pos.write`. Unknown words are ignored.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TokenRequest = Schema.Struct({
  grant_type: described(
    Schema.Literals(["authorization_code", "client_credentials"]),
    "Both have the same effect: authorization_code is sent by clients of this service family, client_credentials is the value of OAuth 2."
  ),
  scope: described(
    Schema.optionalKey(string(500)),
    "The requested scopes, separated by spaces. Unknown words are ignored."
  )
}).annotate({ identifier: "TokenRequest", description: "Parameters of a token request." })

/**
 * @category models
 * @since 0.1.0
 */
export type TokenRequest = typeof TokenRequest.Type

/**
 * Interface 2.11.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TokenResponse = Schema.Struct({
  access_token: described(string(255), "The access token: send it as Authorization: Bearer."),
  token_type: described(Schema.Literal("Bearer"), "Type of the token; always Bearer."),
  expires_in: described(int(11), "Lifetime of the token, in seconds."),
  scope: described(string(255), "The granted scopes, separated by spaces.")
}).annotate({ identifier: "TokenResponse", description: "An access token." })

const scopes = "subscriptions.write transactions.write"

/**
 * @category groups
 * @since 0.1.0
 */
export class TokenGroup extends HttpApiGroup.make("token", { topLevel: true })
  .add(
    HttpApiEndpoint.post("token", "/token", {
      payload: [TokenRequest, TokenRequest.pipe(HttpApiSchema.asFormUrlEncoded())],
      success: TokenResponse,
      error: [...always, ...withBody]
    }).annotateMerge(
      documented({
        operationId: "createToken",
        summary: "Obtain access token",
        description:
          "Exchanges client id and client secret for a token that is valid for expires_in seconds. The token " +
          "has the requested scopes that the company is allowed; if there are none, the response is a 403. " +
          "Without scope, it has all but balance.write and pos.write. The scope of the response is shortened to " +
          "whole words within 255 characters.",
        examples: {
          request: { grant_type: "client_credentials", scope: scopes },
          response: {
            access_token: "uZ0m3yXjM1h4q7v2wT9cK5bN8dF6gR1s",
            token_type: "Bearer",
            expires_in: 600,
            scope: scopes
          },
          errors: {
            400: failure("The request is invalid", {
              "Token.grant_type": ["must be one of authorization_code, client_credentials"]
            }),
            401: failure("Client id or client secret is wrong"),
            403: failure(
              "None of the requested scopes is granted to this company: it has transactions.read transactions.write"
            )
          }
        }
      })
    )
  )
  .middleware(ClientCredentials)
  .annotate(FaultEntity, "Token")
  .annotateMerge(OpenApi.annotations({ title: "Token", description: "Short-lived access tokens." })) {}
