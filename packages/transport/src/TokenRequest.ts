/**
 * The body of `POST /token`. The interface does not show it (4.2); its fields are decided in
 * `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Described"
import { string } from "@parcela/core/values/Text"
import * as Schema from "effect/Schema"

/**
 * **Details**
 *
 * `authorization_code` is what clients of this family of interfaces send and `client_credentials` what OAuth 2 calls
 * it: both ask for the same. `scope` holds words separated by spaces; no `scope` asks for all that is allowed but
 * `balance.write` and `pos.write`, and a word that is no scope is passed over.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TokenRequest = Schema.Struct({
  grant_type: described(
    Schema.Literals(["authorization_code", "client_credentials"]),
    "Both mean the same: authorization_code is what clients of this family send, client_credentials what OAuth 2 says."
  ),
  scope: described(
    Schema.optionalKey(string(500)),
    "The scopes asked for, separated by spaces. A word that is no scope is passed over."
  )
}).annotate({ identifier: "TokenRequest", description: "What a token is asked for." })

/**
 * @category models
 * @since 0.1.0
 */
export type TokenRequest = typeof TokenRequest.Type
