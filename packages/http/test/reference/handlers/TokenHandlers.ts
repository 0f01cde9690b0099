/**
 * `POST /token` (interface section 4.2).
 *
 * @since 0.1.0
 */
import { svcPay } from "@parcela/core/json/NamingProfile"
import { scopeText, words } from "@parcela/core/companies/Scope"
import { Settings } from "@parcela/engine/Settings"
import { Tokens } from "@parcela/engine/authentication/Tokens"
import { Forbidden } from "@parcela/transport/ApiError"
import { Caller } from "@parcela/transport/Caller"
import { Contract } from "@parcela/transport/Contract"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Redacted from "effect/Redacted"
import { storeFailures } from "../Refusals.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpApiBuilder.group(
  Contract,
  "token",
  Effect.fn(function* (handlers) {
    const tokens = yield* Tokens
    const { naming } = yield* Settings
    return handlers.handleAll({
      token: Effect.fn("token")(
        function* ({ payload }) {
          const company = yield* Caller
          const { lifetime, scopes, token } = yield* tokens.issue(company, words(payload.scope))
          const response = {
            access_token: Redacted.value(token),
            token_type: "Bearer" as const,
            expires_in: Duration.toSeconds(lifetime),
            scope: scopeText(scopes)
          }
          // The 255 characters are the interface's; services of other names send it whole.
          return naming.name === svcPay.name
            ? response
            : HttpServerResponse.jsonUnsafe({ ...response, scope: scopes.join(" ") })
        },
        Effect.catchTag("NotAllowed", ({ message }) => Effect.fail(new Forbidden({ message }))),
        storeFailures
      )
    })
  })
)
